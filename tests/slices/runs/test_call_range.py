"""Ranges of one call, learned from earlier calls."""

import random
from statistics import fmean

import pytest

from edison.runs.plan.call_range import (
    SAME_FACTOR,
    History,
    PastCall,
    Range,
    range_of_call,
)

COUNTED = Range(low=100, high=100)


def past(output: int, *, counted: int | None = 100, billed: int = 110, cached: int = 0) -> PastCall:
    return PastCall(
        counted=counted,
        input_tokens=billed,
        cached_input_tokens=cached,
        output_tokens=output,
        seconds=1.0,
    )


def test_without_calls_an_answer_may_have_any_length() -> None:
    call = range_of_call(History(), counted=COUNTED, is_exact=False, max_tokens=500, calls=10)
    assert (call.output.low, call.output.high) == (1, 500)
    assert (call.input.low, call.input.high) == (50, 224)
    assert (call.cached_share.low, call.cached_share.high) == (0, 1)


def test_an_exact_count_is_the_least_input() -> None:
    call = range_of_call(History(), counted=COUNTED, is_exact=True, max_tokens=500, calls=10)
    assert call.input.low == 100


def test_the_input_learns_what_the_provider_adds() -> None:
    known = History(calls=[past(50, billed=150)] * 5, is_same=True)
    call = range_of_call(known, counted=COUNTED, is_exact=False, max_tokens=500, calls=10)
    assert (call.input.low, call.input.high) == pytest.approx((150 / 1.1, 150 * 1.1))
    old = History(calls=[past(50, counted=None)] * 5, is_same=True)
    call = range_of_call(old, counted=COUNTED, is_exact=False, max_tokens=500, calls=10)
    assert (call.input.low, call.input.high) == pytest.approx((100 / 1.6, 160))


def test_two_calls_teach_only_about_their_own_prompt() -> None:
    other = History(calls=[past(50)] * 2)
    call = range_of_call(other, counted=COUNTED, is_exact=True, max_tokens=500, calls=10)
    assert (call.output.low, call.output.high) == (1, 500)
    same = History(calls=[past(50)] * 2, is_same=True)
    call = range_of_call(same, counted=COUNTED, is_exact=True, max_tokens=500, calls=10)
    assert (call.output.low, call.output.high) == pytest.approx(
        (50 / SAME_FACTOR, 50 * SAME_FACTOR)
    )


def test_calls_of_other_prompts_leave_a_wide_range() -> None:
    known = History(calls=[past(60)] * 10)
    call = range_of_call(known, counted=COUNTED, is_exact=True, max_tokens=300, calls=10)
    assert (call.output.low, call.output.high) == (10, 300)


@pytest.mark.parametrize("spread", [0.0, 0.4, 0.9])
def test_after_one_run_the_range_is_less_than_three_times_as_wide_and_holds(
    spread: float,
) -> None:
    """Lengths are drawn from a skewed distribution; the next run draws from the same."""
    luck = random.Random(1843)  # noqa: S311 - no secret
    inside = 0
    for _ in range(200):
        lengths = [max(1, round(80 * luck.lognormvariate(0, spread))) for _ in range(60)]
        known = History(calls=[past(each) for each in lengths[:30]], is_same=True)
        call = range_of_call(known, counted=COUNTED, is_exact=True, max_tokens=4096, calls=30)
        assert call.output.high / call.output.low <= SAME_FACTOR**2 + 1e-9
        assert SAME_FACTOR**2 < 3
        inside += call.output.low <= fmean(lengths[30:]) <= call.output.high
    assert inside >= 180
