"""Deadlines of requests under way, with one timer for all of them.

Nearly all requests end long before their deadline. A timer for each takes more time than anything
else that the pool does for a request.
"""

import asyncio
import math
from typing import Protocol

# A timer that rings later than this is that of a process that was suspended. Answers that came
# meanwhile are read first: they are paid for.
LATE_SECONDS = 1.0
READING_SECONDS = 0.1


class Expiring(Protocol):
    def expire(self) -> None:
        """Called when the deadline has passed. Sets or clears no deadline itself."""


class Deadlines:
    """The timer is set for the earliest deadline. When that request ends, it stays as it is until
    it rings.
    """

    def __init__(self) -> None:
        self._deadlines: dict[Expiring, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = math.inf

    def set(self, request: Expiring, deadline: float) -> None:
        """`deadline` is a time of the event loop."""
        self._deadlines[request] = deadline
        if deadline < self._rings_at:
            self._ring_at(deadline)

    def clear(self, request: Expiring) -> None:
        """No effect if it has none."""
        self._deadlines.pop(request, None)

    def close(self) -> None:
        self._deadlines.clear()
        self._stop_timer()

    def _ring_at(self, time: float) -> None:
        self._stop_timer()
        self._rings_at = time
        self._timer = asyncio.get_running_loop().call_at(time, self._ring)

    def _ring(self) -> None:
        loop, rings_at = asyncio.get_running_loop(), self._rings_at
        self._stop_timer()
        # Event loops may ring early, by a part of a millisecond.
        now = loop.time()
        if now - rings_at > LATE_SECONDS:
            self._ring_at(now + READING_SECONDS)
            return
        for request in [each for each, deadline in self._deadlines.items() if deadline <= now]:
            del self._deadlines[request]
            request.expire()
        if self._deadlines:
            self._ring_at(min(self._deadlines.values()))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._rings_at = None, math.inf
