"""Circuit breaker of one credential, and the classification of outcomes it relies on.

Opens after several failures in a row; after a pause, lets one probe call through at a time until
enough of them succeed. Outcomes of calls that began before the last state change are ignored.
"""

import time
from collections.abc import Callable
from enum import StrEnum

from edison.pipeline.generate.outcome import CallFailed, FailureReason, Outcome

# The service was reached, understood the request and rejected it.
DECISIONS = frozenset(
    {
        FailureReason.INVALID_KEY,
        FailureReason.QUOTA,
        FailureReason.CONTENT_FILTER,
        FailureReason.MODEL_NOT_FOUND,
        FailureReason.CONTEXT_LENGTH,
    }
)


class ServiceHealth(StrEnum):
    WORKS = "works"
    FAILS = "fails"
    UNKNOWN = "unknown"


def health_of(outcome: Outcome | None) -> ServiceHealth:
    """A rejection (a wrong key, a filtered or overlong prompt, an unsupported parameter) means that
    the service works. Server errors, timeouts, lost connections and rate limits mean that it fails.
    A cancelled call and an unreadable answer mean neither; nor does a rate limit with a
    `Retry-After`, because the dispatch queue then waits exactly that long.
    """
    if outcome is None:
        return ServiceHealth.UNKNOWN
    if not isinstance(outcome, CallFailed) or outcome.reason in DECISIONS:
        return ServiceHealth.WORKS
    match outcome.reason:
        case FailureReason.MALFORMED_RESPONSE:
            return ServiceHealth.UNKNOWN
        case FailureReason.RATE_LIMIT if outcome.retry_after_seconds is not None:
            return ServiceHealth.UNKNOWN
        case FailureReason.PROVIDER if not outcome.is_retryable:
            return ServiceHealth.WORKS
    return ServiceHealth.FAILS


def is_overload(outcome: Outcome | None) -> bool:
    """A rate limit or a retryable server error: the service needs fewer calls."""
    return isinstance(outcome, CallFailed) and (
        outcome.reason is FailureReason.RATE_LIMIT
        or (outcome.reason is FailureReason.PROVIDER and outcome.is_retryable)
    )


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CircuitBreaker:
    def __init__(
        self,
        *,
        failures_to_open: int = 5,
        open_seconds: float = 60,
        successes_to_close: int = 2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.failures_to_open = failures_to_open
        self._open_seconds = open_seconds
        self._successes_to_close = successes_to_close
        self._clock = clock
        self._state = BreakerState.CLOSED
        self._epoch = 0
        self._failures = 0
        self._successes = 0
        # 0 unless the breaker is open.
        self.open_until = 0.0
        self._is_probing = False

    @property
    def state(self) -> BreakerState:
        if self.open_until and self._clock() >= self.open_until:
            self._change(BreakerState.HALF_OPEN)
        return self._state

    @property
    def is_closed(self) -> bool:
        return self._state is BreakerState.CLOSED

    @property
    def seconds_left(self) -> float:
        """Seconds until the next probe call; 0 unless the breaker is open."""
        return max(self.open_until - self._clock(), 0.0) if self.open_until else 0.0

    def enter(self) -> int | None:
        """Returns a token to pass to `leave`, or None when no call is allowed now."""
        if self._state is BreakerState.CLOSED:
            return self._epoch
        if self.state is BreakerState.OPEN or self._is_probing:
            return None
        self._is_probing = True
        return self._epoch

    def leave(self, passed: int, health: ServiceHealth) -> None:
        if passed != self._epoch:
            return
        if self._state is BreakerState.CLOSED:
            self._count(health)
            return
        self._is_probing = False
        if health is ServiceHealth.FAILS:
            self._open()
        elif health is ServiceHealth.WORKS:
            self._successes += 1
            if self._successes >= self._successes_to_close:
                self._change(BreakerState.CLOSED)

    def reset(self) -> None:
        """Closes the breaker and clears its failure count."""
        self._change(BreakerState.CLOSED)

    def _count(self, health: ServiceHealth) -> None:
        if health is ServiceHealth.WORKS:
            self._failures = 0
        elif health is ServiceHealth.FAILS:
            self._failures += 1
            if self._failures >= self.failures_to_open:
                self._open()

    def _open(self) -> None:
        self._change(BreakerState.OPEN)
        self.open_until = self._clock() + self._open_seconds

    def _change(self, state: BreakerState) -> None:
        self._state = state
        self.open_until = 0.0
        self._epoch += 1
        self._failures = self._successes = 0
        self._is_probing = False
