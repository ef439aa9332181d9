"""Process heartbeats: registration, liveness and fencing of replaced processes.

Each process that may spend money has a row with a counter, its beat. Every write of the process
increments it, and an idle process increments it every two seconds. Processes observe each other's
beats with their own monotonic clock; wall clocks are not used. A process whose beat stands still
for too long is removed together with its claims, by a transaction that requires the observed beat.
Since every write increments the beat first, a process that was frozen meanwhile cannot write: it
finds its row removed and continues under a new id. See docs/decisions/0005.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Mapping
from enum import Enum, auto
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.db.session import Database
from edison.jobs.models import ProcessKind, WorkerProcess
from edison.jobs.processes import Processes
from edison.kit import clock, ids, process
from edison.kit.errors import Conflict
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass

log = structlog.get_logger(__name__)

BEAT_SECONDS = 2.0
SILENCE_SECONDS = 12.0

on_lost: Hook[[AsyncSession, UUID], None] = Hook(
    "Before a dead process is removed, in that transaction; its row and its claims still exist."
)


class Replaced(Conflict):
    """Other processes removed this one's row after it missed its beats, and took over its work."""

    code = "PROCESS_REPLACED"

    def __init__(self) -> None:
        super().__init__("Another process has taken over this work.")


class BeatResult(Enum):
    """Outcome of an attempt to increment the own beat."""

    WRITTEN = auto()
    # An earlier transaction with an unknown outcome did commit.
    WRITTEN_BEFORE = auto()
    # Another process removed the row.
    ROW_REMOVED = auto()


class Heartbeat:
    """The heartbeat of this process. `beat` is the number of the last transaction known to have
    committed; 0 before the first, which inserts the row.
    """

    def __init__(
        self,
        *,
        kind: ProcessKind,
        silence_seconds: float = SILENCE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.kind: ProcessKind = kind
        self.silence_seconds = silence_seconds
        self.id = ids.new_id()
        self.beat = 0
        # Called synchronously after the process was replaced; `id` is already the new one.
        self.on_replaced: list[Callable[[], None]] = []
        self.monotonic = monotonic
        self._beat_at = -silence_seconds
        self._is_registered = asyncio.Event()

    @property
    def is_certain(self) -> bool:
        """Whether the last beat is recent enough that no other process can have removed the row."""
        return self.monotonic() - self._beat_at < self.silence_seconds / 2

    async def wait_until_registered(self) -> UUID:
        """Waits until the row is committed, so that other rows can reference it. Returns the id."""
        await self._is_registered.wait()
        return self.id

    async def advance(self, session: AsyncSession) -> BeatResult:
        """Increments the own beat in this transaction. Locks the process row, so it waits for an
        earlier transaction whose outcome is unknown.
        """
        processes = Processes(session)
        if self.beat == 0:
            is_written = await processes.add(self._row())
        else:
            is_written = await processes.raise_beat(self.id, after=self.beat)
        if is_written:
            return BeatResult.WRITTEN
        found = await processes.find_beat(self.id)
        return BeatResult.WRITTEN_BEFORE if found == self.beat + 1 else BeatResult.ROW_REMOVED

    def committed(self, *, begun_at: float) -> None:
        """Call after the commit. `begun_at` is the monotonic start time of the transaction."""
        self.beat += 1
        self._beat_at = begun_at
        self._is_registered.set()

    def replace(self) -> None:
        """Continues under a new id, after another process removed the row."""
        log.warning("reaped by another process", process_id=str(self.id), beat=self.beat)
        self.id = ids.new_id()
        self.beat = 0
        self._is_registered.clear()
        for callback in list(self.on_replaced):
            callback()

    def _row(self) -> WorkerProcess:
        return WorkerProcess(
            id=self.id,
            kind=self.kind,
            host=_host(),
            pid=os.getpid(),
            version=__version__,
            beat=1,
            started_at=process.started_at(),
            seen_at=clock.now(),
        )


@dataclass(slots=True)
class _Observed:
    beat: int
    silent_seconds: float = 0


class Watch:
    """Observes the beats of other processes. Call `look` every few seconds."""

    def __init__(
        self, *, silence_seconds: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.silence_seconds = silence_seconds
        self._monotonic = monotonic
        self._looked_at: float | None = None
        self._observed: dict[UUID, _Observed] = {}

    def look(self, beats: Mapping[UUID, int]) -> Mapping[UUID, int]:
        """The entries of `beats` that have not changed for `silence_seconds`."""
        now = self._monotonic()
        passed = 0.0 if self._looked_at is None else now - self._looked_at
        # A process that was frozen itself must not count the time it did not observe.
        passed = min(passed, 2 * BEAT_SECONDS)
        self._looked_at = now
        before, self._observed = self._observed, {}
        for process_id, beat in beats.items():
            seen = before.get(process_id)
            is_same = seen is not None and seen.beat == beat
            silent = seen.silent_seconds + passed if seen is not None and is_same else 0.0
            self._observed[process_id] = _Observed(beat, silent)
        return {
            process_id: seen.beat
            for process_id, seen in self._observed.items()
            if seen.silent_seconds >= self.silence_seconds
        }


async def remove_silent(database: Database, watch: Watch, own_id: UUID) -> None:
    """Observes the beats once and removes processes that have been silent for too long."""
    async with database.read() as session:
        beats = await Processes(session).list_beats()
    others = {process_id: beat for process_id, beat in beats.items() if process_id != own_id}
    for process_id, beat in watch.look(others).items():
        await _cut_off(database, process_id, watch.silence_seconds)
        if await remove(database, process_id, beat=beat):
            log.warning("reaped a dead process", process_id=str(process_id), beat=beat)


async def _cut_off(database: Database, process_id: UUID, silence_seconds: float) -> None:
    """Terminates the open transactions of a frozen process, which would keep its rows locked. No-op
    on SQLite, where that is not possible.
    """
    if database.is_sqlite:
        return
    async with database.write() as session:
        ended = await Processes(session).end_transactions(
            process_id, older_than_seconds=silence_seconds
        )
    if ended:
        log.warning(
            "ended transactions of a dead process", process_id=str(process_id), transactions=ended
        )


async def remove(database: Database, process_id: UUID, *, beat: int | None = None) -> bool:
    """Removes a process, with `beat` only if its beat is unchanged. `on_lost` handles its
    reservations and claims in the same transaction.
    """
    async with database.write() as session:
        processes = Processes(session)
        if not await processes.lock(process_id, beat=beat):
            return False
        await on_lost.fire(session, process_id)
        await processes.remove(process_id)
    return True


async def remove_ended(database: Database, pid: int) -> None:
    """Removes the rows of a process of this machine that is known to have ended."""
    async with database.read() as session:
        found = await Processes(session).list_of_pid(_host(), pid)
    for process_id in found:
        await remove(database, process_id)


def _host() -> str:
    return socket.gethostname()[:200]
