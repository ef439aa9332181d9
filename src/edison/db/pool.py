"""Bounded FIFO queues: for the connections of a pool, and for the one writer of SQLite.

In SQLAlchemy's queue a new request can take a connection ahead of the waiters, and SQLite lets
writers poll its lock, so under load some of them time out. Here the oldest waiter is next. A full
queue or a wait that is too long raises SQLAlchemy's `TimeoutError`.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry
from sqlalchemy.util import await_only

MOST_WAITING = 2_000


class WaitingRoom:
    """A FIFO semaphore with `places` slots, a timeout and metrics. Bound to one event loop."""

    def __init__(
        self,
        places: int,
        *,
        timeout_seconds: float,
        most_waiting: int = MOST_WAITING,
        refusal: str = "No connection became free",
    ) -> None:
        self.places = places
        self.in_use = 0
        self.waited_count = 0
        self.waited_seconds = 0.0
        self.refused_count = 0
        self.timeout_seconds = timeout_seconds
        self._most_waiting = most_waiting
        self._refusal = refusal
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
        """Waits for a slot. Raises PoolTimeout."""
        if len(self._waiters) >= self._most_waiting:
            self.refused_count += 1
            raise PoolTimeout(f"{self._refusal}: {self._most_waiting} others already wait.")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(turn)
        began = monotonic()
        try:
            async with asyncio.timeout(self.timeout_seconds):
                await turn
        except BaseException as ended:
            self._give_up(turn)
            if isinstance(ended, TimeoutError):
                self.refused_count += 1
                raise PoolTimeout(f"{self._refusal} within {self.timeout_seconds:g} s.") from None
            raise
        finally:
            self.waited_count += 1
            self.waited_seconds += monotonic() - began

    def leave(self) -> None:
        """Passes the slot to the oldest waiter, or frees it."""
        while self._waiters:
            turn = self._waiters.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.in_use -= 1

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        if not self.try_enter():
            await self.enter()
        try:
            yield
        finally:
            self.leave()

    def _give_up(self, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The slot was granted in the same turn in which the wait ended.
            self.leave()
        elif turn in self._waiters:
            self._waiters.remove(turn)


class FairPool(AsyncAdaptedQueuePool):
    """Opens at most `pool_size` connections; `max_overflow` must be 0."""

    # Same log level as SQLAlchemy's own pools.
    _sqla_logger_namespace = "sqlalchemy.pool.FairPool"

    def __init__(self, creator: Any, pool_size: int = 5, **options: Any) -> None:
        super().__init__(creator, pool_size=pool_size, **options)
        self.waiting_room = WaitingRoom(pool_size, timeout_seconds=self._timeout)

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
