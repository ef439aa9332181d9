"""The retry policy: which failures are retried, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.retry import RetryPolicy
from tests.pipeline.generate.path.recording import failure

LUCK = st.floats(0, 1)
SECONDS = st.none() | st.floats(0, 86_400)


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 1), (2, 2), (3, 4), (5, 16), (6, 30)])
def test_waits_double_up_to_the_longest(attempt: int, seconds: float) -> None:
    policy = RetryPolicy(attempts=10)
    assert policy.next_step(attempt, failure(), luck=0.5) == seconds


@pytest.mark.parametrize(("luck", "seconds"), [(0, 0.75), (0.5, 1), (1, 1.25)])
def test_jitter_spreads_a_wait_by_a_quarter(luck: float, seconds: float) -> None:
    assert RetryPolicy().next_step(1, failure(), luck=luck) == seconds


def test_the_third_attempt_is_the_last() -> None:
    last = failure()
    assert RetryPolicy().next_step(2, last, luck=0.5) == 2
    assert RetryPolicy().next_step(3, last, luck=0.5) is last


def test_a_retry_after_beyond_the_limit_ends_the_call() -> None:
    end = RetryPolicy().next_step(
        1, failure(FailureReason.RATE_LIMIT, retry_after_seconds=121), luck=0.5
    )
    assert isinstance(end, CallFailed)
    assert end.reason is FailureReason.RATE_LIMIT
    assert end.message == (
        "It failed. Edison did not try again, since the provider asks to wait 121 s and Edison "
        "waits at most 120 s."
    )


@given(attempt=st.integers(1, 50), luck=LUCK, asked_for=SECONDS)
def test_non_retryable_failures_are_never_retried(
    attempt: int, luck: float, asked_for: float | None
) -> None:
    end = failure(is_retryable=False, retry_after_seconds=asked_for)
    assert RetryPolicy(attempts=100).next_step(attempt, end, luck=luck) is end


@given(attempt=st.integers(1, 2000), luck=LUCK, asked_for=SECONDS)
def test_no_wait_is_shorter_than_asked_for_or_longer_than_the_longest(
    attempt: int, luck: float, asked_for: float | None
) -> None:
    policy = RetryPolicy(attempts=3000)
    step = policy.next_step(attempt, failure(retry_after_seconds=asked_for), luck=luck)
    if asked_for is not None and asked_for > policy.longest_retry_after_seconds:
        assert isinstance(step, CallFailed)
    else:
        assert not isinstance(step, CallFailed)
        assert (asked_for or 0) <= step <= max(asked_for or 0, 30 * 1.25)
        assert step >= 0.75
