"""Group commit: small writes of many tasks share one transaction.

A durable commit costs milliseconds, however little is in it. Tasks submit items and wait for the
commit of the batch that their item is in. A flush starts as soon as there is an item, unless one is
running or has just started.

Each flush increments the process's beat (see `heartbeat`). When the connection breaks during a
commit, the beat says whether the commit took effect: the retry finds the old number and writes
everything again, or the new one and writes nothing. While the database is unavailable, items wait.
An item that cannot be written is found by bisecting the batch; the others are committed.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.outages import is_outage, name_outage
from edison.db.session import Database
from edison.jobs.heartbeat import Heartbeat, Replaced, Signed
from edison.kit.batched_lookup import WOKEN_AT_ONCE
from edison.kit.errors import Unavailable

log = structlog.get_logger(__name__)

WINDOW_SECONDS = 0.003
MOST_AT_ONCE = 500
FIRST_RETRY_SECONDS = 0.05
LONGEST_RETRY_SECONDS = 2.0
CLOSE_SECONDS = 4.0

Item = TypeVar("Item")
Result = TypeVar("Result")
_Item_contra = TypeVar("_Item_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)


class Batch(Protocol[_Item_contra, _Result_co]):
    """One kind of write; there is one object of each. Kinds are applied by rising `order`, which
    also is the order in which they lock rows.

    `apply` writes all items and answers for each with a result, or with the exception that its
    owner is to see. What it raises itself makes the whole transaction fail. It may be applied
    twice to the same items if the process was replaced and nobody can tell whether the first time
    counted; so a second time should do no harm.
    """

    order: int

    def needs_heartbeat(self, item: _Item_contra) -> bool:
        """Whether the item is refused with Replaced once others have taken over from the process
        that submitted it.
        """
        return False

    async def apply(
        self, session: AsyncSession, items: Sequence[_Item_contra]
    ) -> Sequence[_Result_co | Exception]: ...


@dataclass(slots=True, eq=False)
class _Entry:
    """`batch` is None for who only wants to know when everything before has been committed."""

    batch: Batch[Any, Any] | None
    item: Any
    future: "asyncio.Future[Any]"
    process_id: UUID


class _Flush:
    """A group on its way into the database, over as many attempts as that takes."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self.entries = entries
        self.results: list[Any] = []
        # Of the attempt that broke off during its commit, so that nobody knows what came of it.
        self._in_doubt: AsyncSession | None = None

    @property
    def is_in_doubt(self) -> bool:
        return self._in_doubt is not None

    async def attempt(self, database: Database, heartbeat: Heartbeat) -> AsyncSession | None:
        """The session that has committed, or None when the process was replaced meanwhile and has
        to begin anew.
        """
        applied: AsyncSession | None = None
        try:
            async with database.transaction() as session:
                signed = await heartbeat.sign(session)
                if signed is Signed.NOW:
                    self._in_doubt = None
                    self.results = await self._apply(session, heartbeat.id)
                    applied = session
        except Exception as failure:
            if is_outage(failure) and applied is not None:
                self._in_doubt = applied
            raise
        if signed is Signed.GONE:
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
        for batch in sorted(groups, key=lambda batch: batch.order):
            places = groups[batch]
            found = await batch.apply(session, [self.entries[place].item for place in places])
            for place, result in zip(places, found, strict=True):
                results[place] = result
        return results


class BatchWriter:
    """One per process. Belongs to the event loop in which it is first used."""

    def __init__(
        self, database: Database, heartbeat: Heartbeat, *, window_seconds: float = WINDOW_SECONDS
    ) -> None:
        self.heartbeat = heartbeat
        # Why nothing can be written at the moment, for people.
        self.trouble: str | None = None
        self._database = database
        self._window_seconds = window_seconds
        self._waiting: deque[_Entry] = deque()
        self._under_way: Sequence[_Entry] = ()
        self._is_wanted = asyncio.Event()
        self._begun_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def submit(self, batch: Batch[Item, Result], item: Item) -> "asyncio.Future[Result]":
        """Have the item written. What was submitted earlier commits earlier, or together with it.
        The result is there after the commit; nobody has to wait for it.
        """
        return self._put(batch, item)

    async def record(self, batch: Batch[Item, Result], item: Item) -> Result:
        return await self.submit(batch, item)

    async def settled(self) -> None:
        """Everything submitted so far is committed."""
        if self._waiting or self._under_way:
            await self._put(None, None)

    async def beat(self) -> None:
        """Write, even if there is nothing to write but the beat."""
        await self._put(None, None)

    async def confirm(self, process_id: UUID) -> None:
        """Raises Replaced unless this process still is the one with this id. Free, except after
        it has not been heard of for a while.
        """
        if not self.heartbeat.is_certain:
            await self.beat()
        if self.heartbeat.id != process_id:
            raise Replaced

    async def close(self) -> None:
        """Write what there is, unless that takes too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.settled()
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for entry in (*self._under_way, *self._waiting):
            _end(entry, _stopping())
        self._waiting.clear()

    def _put(self, batch: Batch[Any, Any] | None, item: Any) -> "asyncio.Future[Any]":
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        entry = _Entry(batch, item, future, self.heartbeat.id)
        if self._is_closed:
            _end(entry, _stopping())
            return future
        self._waiting.append(entry)
        self._is_wanted.set()
        if self._task is None:
            self._task = asyncio.create_task(self._keep_flushing(), name="batch_writer")
        return future

    async def _keep_flushing(self) -> None:
        while True:
            await self._is_wanted.wait()
            pause = self._begun_at + self._window_seconds - self.heartbeat.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            count = min(len(self._waiting), MOST_AT_ONCE)
            self._under_way = [self._waiting.popleft() for _ in range(count)]
            if not self._waiting:
                self._is_wanted.clear()
            await self._write(self._under_way)
            self._under_way = ()

    async def _write(self, entries: Sequence[_Entry]) -> None:
        flush = _Flush(entries)
        try:
            await self._commit(flush)
        except Exception as failure:  # an edge: whose it is gets it, and everybody else goes on
            if len(entries) > 1:
                middle = len(entries) // 2
                await self._write(entries[:middle])
                await self._write(entries[middle:])
            else:
                log.exception("not recorded", batch=type(entries[0].batch).__name__)
                _end(entries[0], failure)
            return
        for at, (entry, result) in enumerate(zip(entries, flush.results, strict=True), start=1):
            _end(entry, result)
            if at % WOKEN_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _commit(self, flush: _Flush) -> None:
        """Returns once the group is committed; raises only what waiting does not mend."""
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
        self.heartbeat.signed(begun_at=self._begun_at)
        if self.trouble is not None:
            log.warning("recording goes on")
            self.trouble = None
        await self._announce(committed)

    async def _announce(self, committed: AsyncSession) -> None:
        try:
            await self._database.announce(committed)
        except Exception:  # an edge: what is written is written, and the sweep finds the rest
            log.exception("not announced")

    def _worry(self, failure: Exception) -> None:
        sentence = name_outage(failure)
        if sentence != self.trouble:
            log.warning("recording waits", reason=sentence, error=type(failure).__name__)
        self.trouble = sentence


def _end(entry: _Entry, result: Any) -> None:
    """Whoever waits may have been cancelled in the meantime."""
    if entry.future.done():
        return
    if isinstance(result, Exception):
        entry.future.set_exception(result)
        # Looked at once, so that nobody is warned of a result that nobody waits for.
        entry.future.exception()
    else:
        entry.future.set_result(result)


def _stopping() -> Unavailable:
    return Unavailable("Edison is stopping.")
