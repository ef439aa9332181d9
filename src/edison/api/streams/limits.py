"""Stream limits of one process: intervals, concurrently opening streams, streams per user."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from edison.kit.errors import TooMany
from edison.kit.lazy_dataclasses import dataclass

# After a restart all tabs reconnect at once; this limit leaves capacity for other requests.
OPENING_AT_ONCE = 4
RETRY_AFTER_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """A topic is also read every `heartbeat_seconds`, in case a wake-up was lost, and
    `recheck_seconds` after a failed query.
    """

    heartbeat_seconds: float = 15
    recheck_seconds: float = 2
    send_timeout_seconds: float = 30


DEFAULT_TIMING = Timing()


class StreamLimits:
    """Belongs to one event loop."""

    def __init__(self, *, per_person: int) -> None:
        self._per_person = per_person
        self._open: Counter[UUID] = Counter()
        self._opening = asyncio.Semaphore(OPENING_AT_ONCE)

    @property
    def open_count(self) -> int:
        return self._open.total()

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[None]:
        """Limits the part of opening a stream that queries the database."""
        async with self._opening:
            yield

    @contextmanager
    def counted(self, user_id: UUID) -> Iterator[None]:
        """Counts a stream while it is open. Raises TooMany."""
        if self._open[user_id] >= self._per_person:
            raise TooMany(
                f"Limit of {self._per_person} open event streams reached. "
                "Close some tabs, or poll instead.",
                retry_after_seconds=RETRY_AFTER_SECONDS,
            )
        self._open[user_id] += 1
        try:
            yield
        finally:
            self._open[user_id] -= 1
            if not self._open[user_id]:
                del self._open[user_id]
