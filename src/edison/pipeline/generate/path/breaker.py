"""The circuit breaker of one credential: a service that keeps failing is left alone for a while.

Closed, everybody passes. After some failures in a row it opens and nobody does. When its time is
over it is half open: one call at a time tries the service, until enough of them succeed or one
fails. What calls report that had passed before the last change of state no longer counts.
"""

import time
from collections.abc import Callable
from enum import StrEnum

from edison.pipeline.generate.path.health import Health


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
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
        self.open_until = 0.0
        self._is_probing = False

    @property
    def state(self) -> BreakerState:
        if self._state is BreakerState.OPEN and self._clock() >= self.open_until:
            self._change(BreakerState.HALF_OPEN)
        return self._state

    @property
    def seconds_left(self) -> float:
        """Until it may be tried; 0 unless open."""
        if self._state is not BreakerState.OPEN:
            return 0.0
        return max(self.open_until - self._clock(), 0.0)

    def enter(self) -> int | None:
        """A pass to hand back by `leave`, or None when nobody may pass now."""
        if self._state is BreakerState.CLOSED:
            return self._epoch
        if self.state is BreakerState.OPEN or self._is_probing:
            return None
        self._is_probing = True
        return self._epoch

    def leave(self, passed: int, health: Health) -> None:
        if passed != self._epoch:
            return
        if self._state is BreakerState.CLOSED:
            self._count(health)
            return
        self._is_probing = False
        if health is Health.FAILS:
            self._open()
        elif health is Health.WORKS:
            self._successes += 1
            if self._successes >= self._successes_to_close:
                self._change(BreakerState.CLOSED)

    def reset(self) -> None:
        """Close, as if nothing had ever failed."""
        self._change(BreakerState.CLOSED)

    def _count(self, health: Health) -> None:
        if health is Health.WORKS:
            self._failures = 0
        elif health is Health.FAILS:
            self._failures += 1
            if self._failures >= self.failures_to_open:
                self._open()

    def _open(self) -> None:
        self._change(BreakerState.OPEN)
        self.open_until = self._clock() + self._open_seconds

    def _change(self, state: BreakerState) -> None:
        self._state = state
        self._epoch += 1
        self._failures = self._successes = 0
        self._is_probing = False
