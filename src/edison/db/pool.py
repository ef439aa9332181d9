"""A connection pool with a bounded, first-come-first-served waiting room.

SQLAlchemy's queue lets a newcomer take a connection ahead of the waiters, so under load some of
them wait until they time out. Here a returned connection belongs to the oldest waiter. A request
that finds the waiting room full, or waits too long, is refused with the pool's `TimeoutError`.
"""

import asyncio
from collections import deque
from time import monotonic
from typing import Any

from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry
from sqlalchemy.util import await_only

MOST_WAITING = 2_000


class WaitingRoom:
    """Hands out `places` in the order of arrival. Belongs to one event loop."""

    def __init__(self, places: int, *, timeout_seconds: float, most_waiting: int) -> None:
        self.places = places
        self.in_use = 0
        self.waited_count = 0
        self.waited_seconds = 0.0
        self.refused_count = 0
        self._timeout_seconds = timeout_seconds
        self._most_waiting = most_waiting
        self._waiters: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        return len(self._waiters)

    def try_enter(self) -> bool:
        if self.in_use >= self.places:
            return False
        self.in_use += 1
        return True

    async def enter(self) -> None:
        """Wait for a place. Raises PoolTimeout."""
        if len(self._waiters) >= self._most_waiting:
            self.refused_count += 1
            raise PoolTimeout(f"{self._most_waiting} others already wait for a connection.")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(turn)
        began = monotonic()
        try:
            async with asyncio.timeout(self._timeout_seconds):
                await turn
        except BaseException as ended:
            self._give_up(turn)
            if isinstance(ended, TimeoutError):
                self.refused_count += 1
                raise PoolTimeout(
                    f"No connection became free within {self._timeout_seconds:g} s."
                ) from None
            raise
        finally:
            self.waited_count += 1
            self.waited_seconds += monotonic() - began

    def leave(self) -> None:
        """Pass the place on to the oldest waiter, or free it."""
        while self._waiters:
            turn = self._waiters.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.in_use -= 1

    def _give_up(self, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The place arrived at the same moment as the end of the wait.
            self.leave()
        elif turn in self._waiters:
            self._waiters.remove(turn)


class FairPool(AsyncAdaptedQueuePool):
    """Opens `pool_size` connections at most; `max_overflow` must be 0."""

    # As quiet as the library's own pools.
    _sqla_logger_namespace = "sqlalchemy.pool.FairPool"

    def __init__(self, creator: Any, pool_size: int = 5, **options: Any) -> None:
        super().__init__(creator, pool_size=pool_size, **options)
        self.waiting_room = WaitingRoom(
            pool_size, timeout_seconds=self._timeout, most_waiting=MOST_WAITING
        )

    def _do_get(self) -> ConnectionPoolEntry:
        room = self.waiting_room
        if not room.try_enter():
            await_only(room.enter())
        try:
            return super()._do_get()
        except BaseException:
            room.leave()
            raise

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        try:
            super()._do_return_conn(record)
        finally:
            self.waiting_room.leave()
