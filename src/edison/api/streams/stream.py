"""A stream: the stored events after a cursor, then the new ones, as one iterator.

No event is lost or duplicated in between: the tail is joined before the range is read, both come
from the same rows, and the cursor advances only past returned events. Events are rows, so a lost
wake-up only delays an event. The next page is read after the previous one has been sent, so a slow
reader holds one page in memory. A waiting stream holds no database connection and runs no query.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Protocol
from uuid import UUID

import structlog

from edison.api.streams import limits
from edison.api.streams.event_log import Cursor, EventLog
from edison.api.streams.limits import StreamLimits
from edison.api.streams.tails import OUTAGES, StreamFailed, Tail, Tails
from edison.db.wakeups import Subscription, Wakeups

log = structlog.get_logger(__name__)


class Reader(Protocol):
    """A user who reads a stream and may lose access to it."""

    @property
    def user_id(self) -> UUID: ...

    def watch(self, lost: Callable[[], None]) -> AbstractContextManager[None]:
        """Calls `lost` as soon as the reader has lost access."""

    async def confirm_access(self) -> None:
        """Returns when no access change is left unchecked. Raises TimeoutError."""


class Streams:
    """The open streams of one process. Belongs to one event loop."""

    def __init__(self, wakeups: Wakeups, stream_limits: StreamLimits) -> None:
        self.wakeups = wakeups
        self._limits = stream_limits
        self._tails = Tails(wakeups)

    @asynccontextmanager
    async def open(
        self, event_log: EventLog, reader: Reader, *, after: Cursor | None
    ) -> AsyncIterator["Stream"]:
        """Reads after a cursor; None reads only new events. Raises TooMany."""
        with (
            self._limits.counted(reader.user_id),
            self._tails.join(event_log) as (tail, news),
        ):
            async with self._limits.opening():
                known = await tail.get_range()
            # A cursor beyond the newest event predates a restore of the database.
            is_reset = after is not None and not known.oldest <= after <= known.newest
            cursor = known.newest if after is None or is_reset else after
            yield Stream(tail, news, reader, cursor=cursor, is_reset=is_reset)

    async def close(self) -> None:
        """Waits for running queries. Call after the wake-ups are closed."""
        await self._tails.close()


class Stream:
    """One reader's position in a topic: an iterator over encoded events, which ends with the
    process.

    `is_reset` is true when events after the requested cursor have been deleted.
    """

    def __init__(
        self, tail: Tail, news: Subscription, reader: Reader, *, cursor: Cursor, is_reset: bool
    ) -> None:
        self.cursor = cursor
        self.is_reset = is_reset
        self._tail = tail
        self._news = news
        self._reader = reader
        self._take_transient = tail.event_log.open_transient()

    def __aiter__(self) -> "Stream":
        return self

    async def __anext__(self) -> bytes:
        """Raises StreamFailed."""
        while not self._news.is_closed:
            before, seconds = self.cursor, limits.DEFAULT_TIMING.heartbeat_seconds
            try:
                if events := await self._read():
                    return events
            except OUTAGES as failure:
                log.warning("stream delayed: database unavailable", reason=type(failure).__name__)
                seconds = limits.DEFAULT_TIMING.recheck_seconds
            if self.cursor == before:
                await self._news.wait(seconds)
        raise StreamFailed if self._tail.has_failed else StopAsyncIteration

    async def _read(self) -> bytes:
        page = await self._tail.take(self.cursor)
        if page is None and not self._tail.event_log.has_transient():
            return b""
        await self._reader.confirm_access()
        events = self._take_transient()
        if page is not None:
            self.cursor = page.upto
            events += page.body
        return events
