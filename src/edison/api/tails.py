"""The newest events of a topic, read once for all its readers in this process.

A tail follows its topic: after a wake-up, and regularly in case one was lost, it reads what is new
and wakes its readers, who find it in memory. A reader that is further behind than memory reaches
reads from the database, up to where the tail is; readers at the same number share that reading.
A thousand readers of a topic so cost one query per wake-up, and none of them while it is quiet.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Protocol

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from edison.api import sse
from edison.api.sse import LARGEST_NUMBER, Extent, StreamedEvent, render_event
from edison.db.wakeups import Subscription, Wakeups
from edison.kit.batched_lookup import WOKEN_AT_ONCE, BatchedLookup

log = structlog.get_logger(__name__)

OUTAGES = (DBAPIError, PoolTimeout, OSError, TimeoutError)
LEAST_SECONDS_BETWEEN = 0.1
# The more readers, the less often each: writing to them must not slow down what they read of.
SECONDS_PER_READER = 0.001
# What a tail keeps in memory for readers that are a little behind.
KEPT_BYTES = 1_000_000
KEPT_PAGES = 200
# Queries for readers under way at once, for all topics, so that other work gets connections too.
READING_AT_ONCE = 3


class Topic(Protocol):
    """What readers may follow. Every call is a short transaction of its own."""

    # Equal for topics with the same events; includes what a reader must be allowed to see.
    key: str
    # Woken when there may be new events.
    channel: str

    async def get_extent(self) -> Extent: ...

    async def read(self, after: int, upto: int) -> "Batch":
        """The next events in order with numbers in (after, upto], one page at most."""

    def has_extras(self) -> bool:
        """Whether readers should look for what has no number, though no event came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    events: Sequence[StreamedEvent] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Events rendered once, for readers whose last number is `after`; it becomes `upto`."""

    after: int
    upto: int
    body: bytes


class Tail:
    """One topic with its readers. `last` is the number of the newest event read."""

    def __init__(
        self, topic: Topic, subscribing: AbstractContextManager[Subscription], tails: "Tails"
    ) -> None:
        self._topic = topic
        self._tails = tails
        self._subscribing = subscribing
        # Before the extent is read, so that no event is missed in between.
        self._wakeup = subscribing.__enter__()
        self._extents: BatchedLookup[None, Extent] = BatchedLookup(self._look_up_extent)
        self._pages: OrderedDict[int, Page] = OrderedDict()
        self._catching_up: dict[int, asyncio.Task[Page]] = {}
        self._read_at = 0.0
        self.last: int | None = None
        self.has_failed = False
        self.readers: set[Subscription] = set()
        self.users = 0

    @contextmanager
    def subscribe(self) -> Iterator[Subscription]:
        """A flag that is set when there is something new, and closed when the tail ends."""
        subscription = Subscription()
        if self._wakeup.is_closed:
            subscription.close()
        self.readers.add(subscription)
        try:
            yield subscription
        finally:
            self.readers.discard(subscription)

    async def get_extent(self) -> Extent:
        """As it is now; those who ask at the same time share the query."""
        extent = await self._extents.find(None)
        if extent is None:
            raise LookupError("The topic has no extent.")
        if self.last is None:
            self.last = extent.last
            # A wake-up that came before was of no use.
            self._wakeup.wake()
        return extent

    async def take(self, after: int) -> Page | None:
        """What follows a number; None when there is nothing new."""
        if self.last is None or after >= self.last:
            return None
        if (page := self._pages.get(after)) is not None:
            return page
        task = self._catching_up.get(after)
        if task is None:
            task = asyncio.create_task(self._catch_up(after, self.last))
            self._catching_up[after] = task
            self._tails.await_on_close(task)
            task.add_done_callback(partial(self._caught_up, after))
        return await asyncio.shield(task)

    def close(self) -> None:
        self._wakeup.close()

    async def follow(self) -> None:
        """Read until closed. Not cancelled: it may be in the middle of a query."""
        try:
            delay = sse.DEFAULT_TIMING.heartbeat_seconds
            while not self._wakeup.is_closed:
                await self._wakeup.wait(delay)
                if not self._wakeup.is_closed:
                    delay = await self._look()
        except Exception:  # an edge: the readers are told, and may come back
            log.exception("stream failed", topic=self._topic.key)
            self.has_failed = True
        finally:
            self._subscribing.__exit__(None, None, None)
            self._wakeup.close()
            for reader in self.readers:
                reader.close()

    async def _look(self) -> float:
        """Read what is new and wake the readers; returns when to look again at the latest."""
        between = max(LEAST_SECONDS_BETWEEN, len(self.readers) * SECONDS_PER_READER)
        pause = self._read_at + between - monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        self._read_at = monotonic()
        try:
            has_grown = await self._advance()
        except OUTAGES as failure:
            # The readers keep their connections: what they wait for comes when the database does.
            log.warning("stream waits for the database", reason=type(failure).__name__)
            return sse.DEFAULT_TIMING.recheck_seconds
        if has_grown or self._topic.has_extras():
            await self._wake_readers()
        return sse.DEFAULT_TIMING.heartbeat_seconds

    async def _advance(self) -> bool:
        if self.last is None:
            return False
        has_grown, has_more = False, True
        while has_more and not self._wakeup.is_closed:
            async with self._tails.reading:
                batch = await self._topic.read(self.last, LARGEST_NUMBER)
            has_more = batch.has_more
            if batch.events:
                page = _page(self.last, batch.events)
                self._pages[page.after] = page
                self.last = page.upto
                has_grown = True
                self._forget()
        return has_grown

    def _forget(self) -> None:
        size = sum(len(page.body) for page in self._pages.values())
        while len(self._pages) > 1 and (size > KEPT_BYTES or len(self._pages) > KEPT_PAGES):
            _, oldest = self._pages.popitem(last=False)
            size -= len(oldest.body)

    async def _wake_readers(self) -> None:
        for at, reader in enumerate(list(self.readers), start=1):
            reader.wake()
            if at % WOKEN_AT_ONCE == 0:
                # So that hundreds of concurrent writes do not delay other requests.
                await asyncio.sleep(0)

    async def _catch_up(self, after: int, upto: int) -> Page:
        async with self._tails.reading:
            batch = await self._topic.read(after, upto)
        return (
            _page(after, batch.events) if batch.events else Page(after=after, upto=upto, body=b"")
        )

    def _caught_up(self, after: int, task: "asyncio.Task[Page]") -> None:
        self._catching_up.pop(after, None)
        # Those who come back after a restart all have the same number.
        if not task.cancelled() and task.exception() is None and task.result().body:
            self._pages.setdefault(after, task.result())
            self._forget()

    async def _look_up_extent(self, keys: object) -> dict[None, Extent]:
        async with self._tails.reading:
            return {None: await self._topic.get_extent()}


def _page(after: int, events: Sequence[StreamedEvent]) -> Page:
    return Page(after=after, upto=events[-1].number, body=b"".join(map(render_event, events)))


class Tails:
    """All topics that are followed in this process. Belongs to one event loop."""

    def __init__(self, wakeups: Wakeups) -> None:
        self._wakeups = wakeups
        self._open: dict[str, Tail] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.reading = asyncio.Semaphore(READING_AT_ONCE)

    @asynccontextmanager
    async def join(self, topic: Topic) -> AsyncIterator[Tail]:
        """The topic's tail; it ends with its last user."""
        tail = self._open.get(topic.key)
        if tail is None or tail.has_failed:
            tail = self._open[topic.key] = self._start(topic)
        tail.users += 1
        try:
            yield tail
        finally:
            tail.users -= 1
            if not tail.users:
                tail.close()
                if self._open.get(topic.key) is tail:
                    del self._open[topic.key]

    async def close(self) -> None:
        """Wait for queries that are under way."""
        for tail in self._open.values():
            tail.close()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _start(self, topic: Topic) -> Tail:
        tail = Tail(topic, self._wakeups.subscribe(topic.channel), self)
        self.await_on_close(asyncio.create_task(tail.follow(), name=f"tail of {topic.key}"))
        return tail

    def await_on_close(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
