"""What attempts are taken to have used when nobody says so."""

import pytest

from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.path.accounting import (
    estimated_tokens,
    usage_of_answer,
    usage_of_failure,
)
from tests.pipeline.generate.path.recording import failure

ESTIMATED_PROMPT = Usage(input_tokens=100, output_tokens=0, is_estimated=True)
CUT_OFF = (FailureReason.TIMEOUT, FailureReason.NETWORK)
FREE = (
    FailureReason.RATE_LIMIT,
    FailureReason.INVALID_KEY,
    FailureReason.QUOTA,
    FailureReason.MODEL_NOT_FOUND,
    FailureReason.CONTEXT_LENGTH,
    FailureReason.PROVIDER,
)
UNCLEAR = (FailureReason.CONTENT_FILTER, FailureReason.MALFORMED_RESPONSE)


def used(failed: CallFailed | None, *, received: str | None = None) -> Usage | None:
    return usage_of_failure(failed, input_tokens=100, received=received, max_tokens=50)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("日本", 2)])
def test_an_answer_has_a_token_for_every_three_bytes_begun(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_half_a_letter_can_be_counted() -> None:
    assert estimated_tokens("\ud800") == 1


def test_an_uncounted_answer_is_estimated_with_its_tool_calls() -> None:
    answer = Completion(
        text="abc",
        finish_reason=FinishReason.TOOL_CALLS,
        usage=None,
        model="m",
        tool_calls=(ToolCall(id="1", name="go", arguments="{}"),),
    )
    assert usage_of_answer(answer, input_tokens=100) == Usage(
        input_tokens=100, output_tokens=3, is_estimated=True
    )


@pytest.mark.parametrize("reason", FREE)
def test_an_error_answer_is_free_unless_something_came_first(reason: FailureReason) -> None:
    assert used(failure(reason)) is None
    assert used(failure(reason), received="") is None
    assert used(failure(reason), received="abc") == Usage(
        input_tokens=100, output_tokens=1, is_estimated=True
    )


@pytest.mark.parametrize("reason", CUT_OFF)
def test_what_was_cut_off_is_charged_for_what_came_or_at_worst(reason: FailureReason) -> None:
    worst = Usage(input_tokens=100, output_tokens=50, is_estimated=True)
    assert used(failure(reason)) == used(None) == worst
    assert used(failure(reason), received="") == used(None, received="") == ESTIMATED_PROMPT


@pytest.mark.parametrize("reason", UNCLEAR)
def test_what_was_read_but_not_answered_is_charged_for_the_prompt(reason: FailureReason) -> None:
    assert used(failure(reason)) == ESTIMATED_PROMPT


@pytest.mark.parametrize("reason", list(FailureReason))
def test_what_never_left_is_free(reason: FailureReason) -> None:
    assert used(failure(reason, is_unsent=True)) is None


@pytest.mark.parametrize("reason", list(FailureReason))
def test_a_failure_that_says_what_was_used_is_believed(reason: FailureReason) -> None:
    said = Usage(input_tokens=7, output_tokens=3)
    assert used(failure(reason, usage=said), received="abc") is said


def test_more_was_used_than_said_when_more_was_received() -> None:
    said = Usage(input_tokens=7, output_tokens=1, cached_input_tokens=2)
    assert used(failure(FailureReason.NETWORK, usage=said), received="abcdef") == Usage(
        input_tokens=7, output_tokens=2, cached_input_tokens=2, is_estimated=True
    )
