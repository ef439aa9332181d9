"""Estimated usage of attempts for which the provider reports none."""

import pytest

from edison.pipeline.generate.outcome import (
    Billed,
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.path.charges import (
    charge_nanos,
    max_token_count,
    usage_of_answer,
    usage_of_failure,
)
from edison.pipeline.generate.prices import Prices, Rate
from tests.pipeline.generate.path.recording import failure

WORST = Usage(input_tokens=100, output_tokens=50, is_estimated=True)


def used(failed: CallFailed | None, *, received: str = "") -> Usage | None:
    return usage_of_failure(failed, input_tokens=100, received=received, max_tokens=50)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("abc", 3), ("日本", 6), ("\ud800", 3), ("a" * 60, 50), ("a" * 151, 51)],
)
def test_a_text_has_at_most_a_token_per_byte_within_the_maximum(text: str, tokens: int) -> None:
    assert max_token_count(text, max_tokens=50) == tokens


def test_an_uncounted_answer_is_charged_with_its_tool_calls() -> None:
    answer = Completion(
        text="abc",
        finish_reason=FinishReason.TOOL_CALLS,
        usage=None,
        model="m",
        tool_calls=(ToolCall(id="1", name="go", arguments="{}"),),
    )
    assert usage_of_answer(answer, input_tokens=100, max_tokens=50) == Usage(
        input_tokens=100, output_tokens=7, is_estimated=True
    )


@pytest.mark.parametrize("reason", list(FailureReason))
def test_a_refusal_is_free_unless_something_came_first(reason: FailureReason) -> None:
    refusal = failure(reason, billed=Billed.NOTHING)
    assert used(refusal) is None
    assert used(refusal, received="abc") == WORST


@pytest.mark.parametrize("reason", list(FailureReason))
def test_attempts_with_an_unknown_end_are_charged_the_worst_case(reason: FailureReason) -> None:
    unknown = failure(reason, billed=Billed.UNKNOWN)
    assert used(unknown) == used(unknown, received="abc") == used(None) == WORST


def test_a_filtered_prompt_is_charged_without_an_answer() -> None:
    filtered = failure(FailureReason.CONTENT_FILTER, billed=Billed.PROMPT)
    assert used(filtered) == Usage(input_tokens=100, output_tokens=0, is_estimated=True)


def test_more_than_the_worst_case_is_charged_when_more_was_received() -> None:
    assert used(None, received="a" * 300) == Usage(
        input_tokens=100, output_tokens=100, is_estimated=True
    )


@pytest.mark.parametrize("reason", list(FailureReason))
def test_unsent_attempts_are_free(reason: FailureReason) -> None:
    assert used(failure(reason, is_unsent=True)) is None


@pytest.mark.parametrize("reason", list(FailureReason))
def test_usage_reported_with_a_failure_is_charged(reason: FailureReason) -> None:
    said = Usage(input_tokens=7, output_tokens=3)
    assert used(failure(reason, usage=said), received="abc") is said


def test_an_intermediate_count_is_a_lower_bound() -> None:
    said = Usage(input_tokens=120, output_tokens=1, is_estimated=True)
    assert used(failure(FailureReason.NETWORK, usage=said), received="abcdef") == Usage(
        input_tokens=120, output_tokens=50, is_estimated=True
    )


def test_estimates_are_priced_like_reservations() -> None:
    prices = Prices(
        input=Rate(nanos_per_million=1_000_000_000),
        output=Rate(nanos_per_million=2_000_000_000),
        cache_write=Rate(nanos_per_million=1_250_000_000),
        version="test",
    )
    assert charge_nanos(WORST, prices) == prices.worst_case_nanos(input_tokens=100, max_tokens=50)
    counted = Usage(input_tokens=100, output_tokens=50)
    assert charge_nanos(counted, prices) == 100 * 1000 + 50 * 2000
