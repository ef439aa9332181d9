"""The newest events of a topic, read once for all its readers in this process.

After a wake-up, and regularly in case one was lost, a tail reads new events into memory and wakes
its readers. A reader that is further behind reads from the database, up to the tail's position;
readers with the same cursor share that query. So a thousand readers of a topic cost one query per
wake-up, and none while it is quiet.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from time import monotonic
from typing import Any

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from edison.api.streams import limits
from edison.api.streams.event_log import (
    LARGEST_CURSOR,
    Cursor,
    CursorRange,
    EventLog,
    StreamedEvent,
)
from edison.api.streams.sse import encode
from edison.db.wakeups import Subscription, Wakeups
from edison.kit.batched_lookup import BatchedLookup
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.wake import wake_in_groups

log = structlog.get_logger(__name__)

OUTAGES = (DBAPIError, PoolTimeout, OSError, TimeoutError)
LEAST_SECONDS_BETWEEN = 0.1
# The pause grows with the number of readers, so that sending to them does not slow down the work
# that they watch.
SECONDS_PER_READER = 0.001
# Events kept in memory for readers that are slightly behind.
CACHED_BYTES = 1_000_000
CACHED_PAGES = 200
# Concurrent queries for readers, over all topics; the other connections stay free for requests.
QUERIES_AT_ONCE = 3


class StreamFailed(Exception):
    """Reading the topic failed permanently. Already logged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPage:
    """Events encoded once for all readers whose cursor is `after`; their next cursor is `upto`."""

    after: Cursor
    upto: Cursor
    body: bytes


class Tail:
    """A topic and its readers. `newest` is the number of the newest event read."""

    def __init__(
        self, event_log: EventLog, subscribing: AbstractContextManager[Subscription], tails: "Tails"
    ) -> None:
        self.event_log = event_log
        self._tails = tails
        self._subscribing = subscribing
        # Before the range is read, so that no event is missed in between.
        self._wakeup = subscribing.__enter__()
        self._ranges: BatchedLookup[None, CursorRange] = BatchedLookup(self._look_up_range)
        self._pages: OrderedDict[Cursor, EncodedPage] = OrderedDict()
        self._catching_up: dict[Cursor, asyncio.Task[EncodedPage]] = {}
        self._read_at = 0.0
        self.newest: Cursor | None = None
        self.has_failed = False
        self._readers: set[Subscription] = set()

    async def get_range(self) -> CursorRange:
        """The current range. Concurrent calls share one query."""
        known = await self._ranges.find(None)
        if known is None:
            raise LookupError("The topic has no range.")
        if self.newest is None:
            self.newest = known.newest
            # Wake-ups before the range was known had no effect.
            self._wakeup.wake()
        return known

    async def take(self, after: Cursor) -> EncodedPage | None:
        """The events after a cursor; None when there are none."""
        if self.newest is None or after >= self.newest:
            return None
        if (page := self._pages.get(after)) is not None:
            return page
        task = self._catching_up.get(after)
        if task is None:
            task = asyncio.create_task(self._catch_up(after, self.newest))
            self._catching_up[after] = task
            self._tails.await_on_close(task)
            task.add_done_callback(partial(self._caught_up, after))
        return await asyncio.shield(task)

    @property
    def is_closed(self) -> bool:
        return self._wakeup.is_closed

    def add(self, reader: Subscription) -> None:
        self._readers.add(reader)
        if self.is_closed:
            reader.close()

    def remove(self, reader: Subscription) -> None:
        self._readers.discard(reader)
        if not self._readers:
            self.close()

    def close(self) -> None:
        self._wakeup.close()

    async def follow(self) -> None:
        """Reads until closed. Must not be cancelled, which could interrupt a query."""
        try:
            delay = limits.DEFAULT_TIMING.heartbeat_seconds
            while not self.is_closed:
                await self._wakeup.wait(delay)
                if not self.is_closed:
                    delay = await self._look()
        except Exception:  # boundary: the readers end with a reason, and may reconnect
            log.exception("stream failed", topic=self.event_log.topic)
            self.has_failed = True
        finally:
            self._subscribing.__exit__(None, None, None)
            self._wakeup.close()
            for reader in self._readers:
                reader.close()

    async def _look(self) -> float:
        """Reads new events and wakes the readers. Returns the seconds until the next read."""
        between = max(LEAST_SECONDS_BETWEEN, len(self._readers) * SECONDS_PER_READER)
        pause = self._read_at + between - monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        self._read_at = monotonic()
        try:
            has_grown = await self._advance()
        except OUTAGES as failure:
            # The readers stay connected and get their events when the database is back.
            log.warning("stream delayed: database unavailable", reason=type(failure).__name__)
            return limits.DEFAULT_TIMING.recheck_seconds
        if has_grown or self.event_log.has_transient():
            await self._wake_readers()
        return limits.DEFAULT_TIMING.heartbeat_seconds

    async def _advance(self) -> bool:
        if self.newest is None:
            return False
        has_grown, has_more = False, True
        while has_more and not self.is_closed:
            async with self._tails.querying:
                found = await self.event_log.read(self.newest, LARGEST_CURSOR)
            has_more = found.has_more
            if found.events:
                page = _encode(self.newest, found.events)
                self._pages[page.after] = page
                self.newest = page.upto
                has_grown = True
                self._evict()
        return has_grown

    def _evict(self) -> None:
        size = sum(len(page.body) for page in self._pages.values())
        while len(self._pages) > 1 and (size > CACHED_BYTES or len(self._pages) > CACHED_PAGES):
            _, oldest = self._pages.popitem(last=False)
            size -= len(oldest.body)

    async def _wake_readers(self) -> None:
        await wake_in_groups(list(self._readers), lambda reader: reader.wake())

    async def _catch_up(self, after: Cursor, upto: Cursor) -> EncodedPage:
        async with self._tails.querying:
            found = await self.event_log.read(after, upto)
        if not found.events:
            return EncodedPage(after=after, upto=upto, body=b"")
        return _encode(after, found.events)

    def _caught_up(self, after: Cursor, task: "asyncio.Task[EncodedPage]") -> None:
        self._catching_up.pop(after, None)
        # Readers that reconnect after a restart often have the same cursor.
        if not task.cancelled() and task.exception() is None and task.result().body:
            self._pages.setdefault(after, task.result())
            self._evict()

    async def _look_up_range(self, keys: object) -> dict[None, CursorRange]:
        async with self._tails.querying:
            return {None: await self.event_log.get_range()}


def _encode(after: Cursor, events: Sequence[StreamedEvent]) -> EncodedPage:
    body = b"".join(encode(event.kind, event.data, number=event.number) for event in events)
    return EncodedPage(after=after, upto=events[-1].number, body=body)


class Tails:
    """The topics followed in this process. Belongs to one event loop."""

    def __init__(self, wakeups: Wakeups) -> None:
        self._wakeups = wakeups
        self._open: dict[EventLog, Tail] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.querying = asyncio.Semaphore(QUERIES_AT_ONCE)

    @contextmanager
    def join(self, event_log: EventLog) -> Iterator[tuple[Tail, Subscription]]:
        """The topic's tail, and a subscription that is woken by new events and closed with the
        tail. The tail ends with its last reader.
        """
        tail = self._open.get(event_log)
        if tail is None or tail.has_failed:
            tail = self._open[event_log] = self._start(event_log)
        news = Subscription()
        tail.add(news)
        try:
            yield tail, news
        finally:
            tail.remove(news)
            if tail.is_closed and self._open.get(event_log) is tail:
                del self._open[event_log]

    async def close(self) -> None:
        """Waits for running queries."""
        for tail in self._open.values():
            tail.close()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def await_on_close(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _start(self, event_log: EventLog) -> Tail:
        tail = Tail(event_log, self._wakeups.subscribe(event_log.topic), self)
        self.await_on_close(asyncio.create_task(tail.follow(), name=f"tail of {event_log.topic}"))
        return tail
