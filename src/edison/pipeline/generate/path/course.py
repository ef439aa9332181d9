"""The course of one question over its attempts: what they came to, and whether another follows."""

import math
from dataclasses import replace

from edison.pipeline.generate.outcome import CallFailed, FailureReason, Outcome
from edison.pipeline.generate.path.attempt import Attempt
from edison.pipeline.generate.path.lane import rate_limited
from edison.pipeline.generate.path.ports import Observer, Waiting
from edison.pipeline.generate.path.question import Answer, Question
from edison.pipeline.generate.path.retry import RetryPolicy
from edison.pipeline.generate.path.stopwatch import Stopwatch

WORDS = {
    FailureReason.RATE_LIMIT: "a rate limit",
    FailureReason.TIMEOUT: "a timeout",
    FailureReason.NETWORK: "a lost connection",
    FailureReason.PROVIDER: "a server error",
    FailureReason.MALFORMED_RESPONSE: "an unreadable answer",
}


class Course:
    """`outcome` is there when no further attempt follows."""

    def __init__(self, question: Question, key: str, observer: Observer) -> None:
        self._question = question
        self._key = key
        self._costs_nanos: list[int | None] = []
        self._last: Attempt | None = None
        self.stopwatch = Stopwatch(question.provider_key, observer, question.lane.clock)
        self.attempts = 0
        self.outcome: Outcome | None = None

    def begin(self, *, is_streamed: bool) -> Attempt:
        return Attempt(
            self._question,
            number=self.attempts + 1,
            is_streamed=is_streamed,
            stopwatch=self.stopwatch,
        )

    def judge(self, attempt: Attempt, policy: RetryPolicy, luck: float) -> Waiting | None:
        """The pause before the next attempt, or None when this was the last one."""
        outcome = attempt.outcome
        if outcome is None:
            raise RuntimeError("An attempt ended without an outcome.")
        self._costs_nanos.append(attempt.cost_nanos)
        self._last = attempt
        if not attempt.has_left:
            # The lane's patience is at its end.
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
        if self.outcome is None or self._last is None:
            raise RuntimeError("A question without an outcome has no answer.")
        prices = self._question.prices
        costs = [cost for cost in self._costs_nanos if cost is not None]
        return Answer(
            outcome=self.outcome,
            attempts=self.attempts,
            cost_nanos=sum(costs) if len(costs) == len(self._costs_nanos) else None,
            usage=self._last.usage,
            is_cached=False,
            waited_seconds=self.stopwatch.total_seconds,
            price_version=None if prices is None else prices.version,
            cache_key=self._key,
        )

    def _pause(self, failure: CallFailed, seconds: float, policy: RetryPolicy) -> Waiting:
        is_asked_for = failure.retry_after_seconds is not None
        if failure.reason is FailureReason.RATE_LIMIT and is_asked_for:
            return rate_limited(self._question.service, seconds)
        after = WORDS.get(failure.reason, "a failure")
        return Waiting(
            reason="retry",
            seconds=seconds,
            sentence=(
                f"Trying again in {math.ceil(seconds)} s after {after} "
                f"(attempt {self.attempts + 1} of {policy.attempts})"
            ),
        )
