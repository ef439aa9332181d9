"""Group commit: small writes of many tasks share one transaction.

A durable commit takes milliseconds, regardless of its size. Tasks submit items and wait for the
commit of the batch that their item is in. A flush starts a window after the first item that no
flush has taken: answers to calls that were sent together arrive together, and share it. The window
is longer while flushes take long, since few large ones take less time than many small ones.

Each flush increments the process's beat (see `heartbeat`). When the connection breaks during a
commit, the beat says whether the commit took effect: the retry finds the old number and writes
everything again, or the new one and writes nothing. While the database is unavailable, items wait.
An item that cannot be written is found by bisecting the batch; the others are committed.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.outages import is_outage, name_outage
from edison.db.session import Database
from edison.jobs.heartbeat import BeatResult, Heartbeat, Replaced
from edison.kit.errors import Unavailable
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.wake import wake_in_groups

log = structlog.get_logger(__name__)

WINDOW_SECONDS = 0.003
LONGEST_WINDOW_SECONDS = 0.01
MOST_AT_ONCE = 500
FIRST_RETRY_SECONDS = 0.05
LONGEST_RETRY_SECONDS = 2.0
CLOSE_SECONDS = 4.0

Item = TypeVar("Item")
Result = TypeVar("Result")
_Item_contra = TypeVar("_Item_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)


# One result per item, or the exception to raise to the item's submitter.
Results = Sequence[_Result_co | Exception]


class Batch(Protocol[_Item_contra, _Result_co]):
    """One kind of write; a singleton. Kinds begin and are applied by ascending `order`, which is
    also the lock order.

    An exception raised by `begin` or `apply` fails the whole transaction. They must be idempotent:
    both run twice for the same items if the process was replaced and the outcome of the first
    commit is unknown.
    """

    order: int

    def needs_heartbeat(self, item: _Item_contra) -> bool:
        """Whether the item fails with Replaced if the process was replaced since submission."""
        return False

    async def begin(
        self, session: AsyncSession, items: Sequence[_Item_contra]
    ) -> Callable[[], Awaitable[Results[_Result_co]]]:
        """Writes what no other process waits for, such as new rows, and returns what writes the
        rest. A row that several processes change stays locked until the commit, so all kinds begin
        before the first of them locks any.
        """
        return partial(self.apply, session, items)

    async def apply(
        self, session: AsyncSession, items: Sequence[_Item_contra]
    ) -> Results[_Result_co]:
        """Writes all items."""
        return await (await self.begin(session, items))()


Committed = tuple[Batch[Any, Any] | None, Any, Any]


@dataclass(slots=True, eq=False)
class _Entry:
    """`batch` is None for a marker that resolves after the commit of all earlier entries. `seal` is
    called when the flush that writes the entry starts.
    """

    batch: Batch[Any, Any] | None
    item: Any
    future: "asyncio.Future[Any]"
    process_id: UUID
    seal: Callable[[], None] | None = None


class _Flush:
    """A group of entries and its commit attempts."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self.entries = entries
        self.results: list[Any] = []
        # The session of an attempt whose commit failed with an unknown outcome.
        self._in_doubt: AsyncSession | None = None

    @property
    def is_in_doubt(self) -> bool:
        return self._in_doubt is not None

    async def attempt(self, database: Database, heartbeat: Heartbeat) -> AsyncSession | None:
        """The committed session, or None if the process was replaced and the group must be retried
        under the new id.
        """
        applied: AsyncSession | None = None
        try:
            async with database.transaction() as session:
                beat = await heartbeat.advance(session)
                if beat is BeatResult.WRITTEN:
                    self._in_doubt = None
                    self.results = await self._apply(session, heartbeat.id)
                    applied = session
        except Exception as failure:
            if is_outage(failure) and applied is not None:
                self._in_doubt = applied
            raise
        if beat is BeatResult.ROW_REMOVED:
            heartbeat.replace()
            return None
        return applied or self._in_doubt

    async def _apply(self, session: AsyncSession, process_id: UUID) -> list[Any]:
        results: list[Any] = [None] * len(self.entries)
        groups: dict[Batch[Any, Any], list[int]] = {}
        for place, entry in enumerate(self.entries):
            if entry.batch is None:
                continue
            if entry.process_id != process_id and entry.batch.needs_heartbeat(entry.item):
                results[place] = Replaced()
            else:
                groups.setdefault(entry.batch, []).append(place)
        begun = []
        for batch in sorted(groups, key=lambda batch: batch.order):
            items = [self.entries[place].item for place in groups[batch]]
            begun.append((groups[batch], await batch.begin(session, items)))
            # On SQLite nothing above waits: lets requests have their turn.
            await asyncio.sleep(0)
        for places, apply in begun:
            for place, result in zip(places, await apply(), strict=True):
                results[place] = result
            await asyncio.sleep(0)
        return results


class BatchWriter:
    """One per process. Bound to the event loop in which it is first used."""

    def __init__(
        self, database: Database, heartbeat: Heartbeat, *, window_seconds: float = WINDOW_SECONDS
    ) -> None:
        self.heartbeat = heartbeat
        # Why writes are waiting, as a message for users; None while they succeed.
        self.trouble: str | None = None
        # Called after each commit with its items and their results. Must neither block nor raise.
        self.on_committed: Callable[[Iterator[Committed]], None] | None = None
        self._database = database
        self._window_seconds = window_seconds
        self._waiting: deque[_Entry] = deque()
        self._growing: list[_Entry] = []
        self._under_way: Sequence[_Entry] = ()
        self._is_wanted = asyncio.Event()
        self._begun_at = 0.0
        # Resolves at the end of the flush that is next or under way.
        self._turn: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def submit(self, batch: Batch[Item, Result], item: Item) -> "asyncio.Future[Result]":
        """Queues the item. Items commit in the order of submission, or together. The future
        resolves after the commit; awaiting it is optional.
        """
        return self._put(batch, item)

    def submit_growing(
        self, batch: Batch[Item, Result], item: Item, *, seal: Callable[[], None]
    ) -> "asyncio.Future[Result]":
        """Queues an item to which its owner adds until `seal` is called, when the next flush
        starts. All growing items are part of that flush: what was added to two of them is never
        committed in the wrong order.
        """
        entry = self._entry(batch, item, seal)
        if not self._is_closed:
            self._growing.append(entry)
            self._begin()
        return entry.future

    async def record(self, batch: Batch[Item, Result], item: Item) -> Result:
        return await self.submit(batch, item)

    async def flush(self) -> None:
        """Waits until all items submitted so far are committed."""
        if self._waiting or self._growing or self._under_way:
            await self._put(None, None)

    async def after_flush(self) -> None:
        """Waits for the end of the flush that is next or under way, if there is one. For work that
        can wait: what a flush commits may be what others wait for.
        """
        if self._waiting or self._growing or self._under_way:
            if self._turn is None:
                self._turn = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._turn)

    async def beat(self) -> None:
        """Commits a flush, even without items, to increment the beat."""
        await self._put(None, None)

    async def confirm(self, process_id: UUID) -> None:
        """Raises Replaced unless this process still has this id. Writes a beat only if the last one
        is too old to be certain.
        """
        if not self.heartbeat.is_certain:
            await self.beat()
        if self.heartbeat.id != process_id:
            raise Replaced

    async def close(self) -> None:
        """Flushes for at most `CLOSE_SECONDS`, then fails the remaining items."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.flush()
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for entry in (*self._under_way, *self._waiting, *self._growing):
            _end(entry, _stopping())
        self._waiting.clear()
        self._growing.clear()
        self._end_turn()

    def _put(self, batch: Batch[Any, Any] | None, item: Any) -> "asyncio.Future[Any]":
        entry = self._entry(batch, item)
        if not self._is_closed:
            self._waiting.append(entry)
            self._begin()
        return entry.future

    def _entry(
        self, batch: Batch[Any, Any] | None, item: Any, seal: Callable[[], None] | None = None
    ) -> _Entry:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        entry = _Entry(batch, item, future, self.heartbeat.id, seal)
        if self._is_closed:
            _end(entry, _stopping())
        return entry

    def _begin(self) -> None:
        self._is_wanted.set()
        if self._task is None:
            self._task = asyncio.create_task(self._keep_flushing(), name="batch_writer")

    async def _keep_flushing(self) -> None:
        window_seconds, time = self._window_seconds, asyncio.get_running_loop().time
        while True:
            await self._is_wanted.wait()
            await asyncio.sleep(window_seconds)
            self._under_way = self._take()
            if not self._waiting:
                self._is_wanted.clear()
            began_at = time()
            await self._write(self._under_way)
            window_seconds = max(self._window_seconds, window_after(time() - began_at))
            self._under_way = ()
            self._end_turn()

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.set_result(None)

    def _take(self) -> list[_Entry]:
        """The entries of the next flush."""
        growing, self._growing = self._growing, []
        for entry in growing:
            if entry.seal is not None:
                entry.seal()
        count = min(len(self._waiting), MOST_AT_ONCE)
        return [*(self._waiting.popleft() for _ in range(count)), *growing]

    async def _write(self, entries: Sequence[_Entry]) -> None:
        flush = _Flush(entries)
        try:
            await self._commit(flush)
        except Exception as failure:  # bisect: only the faulty item fails
            if len(entries) > 1:
                middle = len(entries) // 2
                await self._write(entries[:middle])
                await self._write(entries[middle:])
            else:
                log.exception("write failed", batch=type(entries[0].batch).__name__)
                _end(entries[0], failure)
            return
        if self.on_committed is not None:
            written = zip(entries, flush.results, strict=True)
            self.on_committed((entry.batch, entry.item, result) for entry, result in written)
        ended = zip(entries, flush.results, strict=True)
        await wake_in_groups(ended, lambda each: _end(*each))

    async def _commit(self, flush: _Flush) -> None:
        """Returns after the commit. Retries outages; raises other failures."""
        pause = FIRST_RETRY_SECONDS
        committed: AsyncSession | None = None
        while committed is None:
            self._begun_at = self.heartbeat.monotonic()
            try:
                committed = await flush.attempt(self._database, self.heartbeat)
            except Exception as failure:
                if not is_outage(failure) and not flush.is_in_doubt:
                    raise
                self._worry(failure)
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_RETRY_SECONDS)
        self.heartbeat.committed(begun_at=self._begun_at)
        if self.trouble is not None:
            log.warning("writes resumed")
            self.trouble = None
        await self._announce(committed)

    async def _announce(self, committed: AsyncSession) -> None:
        try:
            await self._database.announce(committed)
        except Exception:  # committed anyway, and the sweep finds missing jobs
            log.exception("commit not announced")

    def _worry(self, failure: Exception) -> None:
        sentence = name_outage(failure)
        if sentence != self.trouble:
            log.warning("writes delayed", reason=sentence, error=type(failure).__name__)
        self.trouble = sentence


def window_after(flush_seconds: float) -> float:
    """The window after a flush that took so long: writing takes at most half of the time, unless
    the database is slow.
    """
    return min(flush_seconds, LONGEST_WINDOW_SECONDS)


def _end(entry: _Entry, result: Any) -> None:
    """Resolves the future, unless its waiter was cancelled."""
    if entry.future.done():
        return
    if isinstance(result, Exception):
        entry.future.set_exception(result)
        # Retrieved, so that asyncio does not warn when the future is never awaited.
        entry.future.exception()
    else:
        entry.future.set_result(result)


def _stopping() -> Unavailable:
    return Unavailable("Edison is stopping.")
