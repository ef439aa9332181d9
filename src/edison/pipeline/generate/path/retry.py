"""Retry policy: whether to retry a failed attempt, and after how long. Pure: randomness is an
argument.
"""

import math
from dataclasses import replace

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call_limits import DEFAULT_RETRIES
from edison.pipeline.generate.outcome import CallFailed, FailureReason, Outcome
from edison.pipeline.generate.path.attempt import Attempt, Stopwatch
from edison.pipeline.generate.path.dispatch_queue import rate_limited
from edison.pipeline.generate.path.ports import Observer, Waiting
from edison.pipeline.generate.path.question import Answer, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential backoff: delays double from the first to the longest, each with `jitter` so that
    calls which failed together are not retried together.

    A retry never comes before the provider's `Retry-After`. If that is longer than
    `longest_retry_after_seconds`, the call fails without a retry.
    """

    attempts: int = 1 + DEFAULT_RETRIES
    first_delay_seconds: float = 1
    longest_delay_seconds: float = 30
    jitter: float = 0.25
    longest_retry_after_seconds: float = 120

    def next_step(self, attempt: int, failure: CallFailed, *, luck: float) -> float | CallFailed:
        """Returns the seconds until the next attempt, or the failure with which the call ends.

        `attempt` counts from 1; `luck` is uniform between 0 and 1.
        """
        if not failure.is_retryable or attempt >= self.attempts:
            return failure
        asked_for = failure.retry_after_seconds
        if asked_for is not None and asked_for > self.longest_retry_after_seconds:
            return self._too_long(failure, asked_for)
        doubled = self.first_delay_seconds * 2.0 ** min(attempt - 1, 64)
        spread = 1 + self.jitter * (2 * luck - 1)
        return max(min(doubled, self.longest_delay_seconds) * spread, asked_for or 0)

    def _too_long(self, failure: CallFailed, asked_for: float) -> CallFailed:
        return replace(
            failure,
            message=(
                f"{failure.message} Edison did not try again, since the provider asks to wait "
                f"{asked_for:.0f} s and Edison waits at most "
                f"{self.longest_retry_after_seconds:.0f} s."
            ),
        )


WORDS = {
    FailureReason.RATE_LIMIT: "a rate limit",
    FailureReason.TIMEOUT: "a timeout",
    FailureReason.NETWORK: "a lost connection",
    FailureReason.PROVIDER: "a server error",
    FailureReason.MALFORMED_RESPONSE: "an unreadable answer",
}


class AttemptSeries:
    """All attempts of one question. `outcome` is set when no further attempt follows. `question`
    may be replaced between attempts by the same one with another listener.
    """

    def __init__(self, question: Question, key: str, observer: Observer) -> None:
        self.question = question
        self._key = key
        self._costs_nanos: list[int | None] = []
        self.stopwatch = Stopwatch(question.provider_key, observer, question.dispatch.clock)
        self.attempts = 0
        self.outcome: Outcome | None = None

    def begin(self, *, is_streamed: bool) -> Attempt:
        return Attempt(
            self.question,
            number=self.attempts + 1,
            is_streamed=is_streamed,
            stopwatch=self.stopwatch,
        )

    def judge(self, attempt: Attempt, policy: RetryPolicy, luck: float) -> Waiting | None:
        """Returns the pause before the next attempt, or None when this was the last one."""
        outcome = attempt.outcome
        if outcome is None:
            raise RuntimeError("An attempt ended without an outcome.")
        self._costs_nanos.append(attempt.cost_nanos)
        if not attempt.has_left:
            # The dispatch queue gave up on the call.
            self.outcome = outcome
            return None
        self.attempts += 1
        if isinstance(outcome, CallFailed):
            step = policy.next_step(self.attempts, outcome, luck=luck)
            if not isinstance(step, CallFailed):
                return self._pause(outcome, step, policy)
            outcome = step
        if attempt.usage is not outcome.usage:
            outcome = replace(outcome, usage=attempt.usage)
        self.outcome = outcome
        return None

    def answer(self) -> Answer:
        if self.outcome is None:
            raise RuntimeError("A question without an outcome has no answer.")
        prices = self.question.prices
        costs = [cost for cost in self._costs_nanos if cost is not None]
        return Answer(
            outcome=self.outcome,
            attempts=self.attempts,
            cost_nanos=sum(costs) if len(costs) == len(self._costs_nanos) else None,
            is_cached=False,
            waited_seconds=self.stopwatch.total_seconds,
            price_version=None if prices is None else prices.version,
            cache_key=self._key,
        )

    def _pause(self, failure: CallFailed, seconds: float, policy: RetryPolicy) -> Waiting:
        is_asked_for = failure.retry_after_seconds is not None
        if failure.reason is FailureReason.RATE_LIMIT and is_asked_for:
            return rate_limited(self.question.service, seconds)
        after = WORDS.get(failure.reason, "a failure")
        return Waiting(
            reason="retry",
            seconds=seconds,
            sentence=(
                f"Trying again in {math.ceil(seconds)} s after {after} "
                f"(attempt {self.attempts + 1} of {policy.attempts})"
            ),
        )
