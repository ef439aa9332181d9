"""Which processes are at work, who fell silent, and how a process learns that it was replaced.

Every process that may spend money has a row with a number, its beat, which rises with everything it
writes and every two seconds in between. Others watch the beats of all with their own monotonic
clock. Who stands still for too long is removed, together with whatever it had claimed, by a
transaction that finds the beat as it was observed. Since each write of a process raises its own
beat first, a process that was frozen cannot write as if nothing had happened: it finds its row gone
and goes on as a new process, under a new id. No wall clock decides anything here.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.db.session import Database
from edison.jobs.models import WorkerProcess
from edison.jobs.processes import Processes
from edison.kit import clock, ids, process
from edison.kit.errors import Conflict
from edison.kit.hook import Hook

log = structlog.get_logger(__name__)

BEAT_SECONDS = 2.0
SILENCE_SECONDS = 12.0

ProcessKind = Literal["server", "worker", "command"]
on_lost: Hook[[AsyncSession, UUID], None] = Hook(
    "Before a dead process is removed, in that transaction; its row and its claims still exist."
)


class Replaced(Conflict):
    """This process was silent for so long that others have taken over what it was doing."""

    code = "PROCESS_REPLACED"

    def __init__(self) -> None:
        super().__init__("Another process has taken over this work.")


class Signed(Enum):
    """What became of the attempt to raise the own beat."""

    NOW = auto()
    # By an earlier transaction, of which nobody knew whether it had committed.
    BEFORE = auto()
    # The row is gone: others think that this process is dead.
    GONE = auto()


class Heartbeat:
    """This process among the others. `beat` is the number of the last transaction that is known to
    have committed; 0 is before the first, which adds the row.
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
        # Told at once, synchronously, when others have taken over; `id` is the new one by then.
        self.on_replaced: list[Callable[[], None]] = []
        self.monotonic = monotonic
        self._signed_at = -silence_seconds
        self._arrived = asyncio.Event()

    @property
    def is_certain(self) -> bool:
        """Whether nobody can have removed the row yet, going by the time of the last beat."""
        return self.monotonic() - self._signed_at < self.silence_seconds / 2

    async def arrived(self) -> UUID:
        """The id, once its row is there for others to refer to."""
        await self._arrived.wait()
        return self.id

    async def sign(self, session: AsyncSession) -> Signed:
        """Raise the own beat in this transaction. Waits for an earlier transaction that did and
        whose end nobody saw, as both lock the same row.
        """
        processes = Processes(session)
        if self.beat == 0:
            is_signed = await processes.add(self._row())
        else:
            is_signed = await processes.raise_beat(self.id, after=self.beat)
        if is_signed:
            return Signed.NOW
        found = await processes.find_beat(self.id)
        return Signed.BEFORE if found == self.beat + 1 else Signed.GONE

    def signed(self, *, begun_at: float) -> None:
        """The transaction that raised the beat has committed; it began at this monotonic time."""
        self.beat += 1
        self._signed_at = begun_at
        self._arrived.set()

    def replace(self) -> None:
        """Others have removed the row: go on as a new process."""
        log.warning("replaced by others", process_id=str(self.id), beat=self.beat)
        self.id = ids.new_id()
        self.beat = 0
        self._arrived.clear()
        for tell in list(self.on_replaced):
            tell()

    def _row(self) -> WorkerProcess:
        return WorkerProcess(
            id=self.id,
            kind=self.kind,
            host=socket.gethostname()[:200],
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
    """Observes the other processes. Call `look` every few seconds."""

    def __init__(
        self, *, silence_seconds: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.silence_seconds = silence_seconds
        self._monotonic = monotonic
        self._looked_at: float | None = None
        self._observed: dict[UUID, _Observed] = {}

    def look(self, beats: Mapping[UUID, int]) -> Mapping[UUID, int]:
        """Those of `beats` that have not moved for too long."""
        now = self._monotonic()
        passed = 0.0 if self._looked_at is None else now - self._looked_at
        # Whoever did not look for a while, such as a frozen process, has seen less than has passed.
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
    """Look once, and remove who has been silent for too long."""
    async with database.read() as session:
        beats = await Processes(session).list_beats()
    others = {process_id: beat for process_id, beat in beats.items() if process_id != own_id}
    for process_id, beat in watch.look(others).items():
        await _cut_off(database, process_id, watch.silence_seconds)
        if await remove(database, process_id, beat=beat):
            log.warning("removed a silent process", process_id=str(process_id), beat=beat)


async def _cut_off(database: Database, process_id: UUID, silence_seconds: float) -> None:
    """End the transactions in whose middle a process stands still: nobody else would get at the
    rows that it has locked. On SQLite nobody could.
    """
    if database.is_sqlite:
        return
    async with database.write() as session:
        ended = await Processes(session).end_transactions(
            process_id, older_than_seconds=silence_seconds
        )
    if ended:
        log.warning("cut off a silent process", process_id=str(process_id), transactions=ended)


async def remove(database: Database, process_id: UUID, *, beat: int | None = None) -> bool:
    """Take a process out of the list; with `beat` only if it has not moved since. What it had
    reserved and claimed is seen to in the same transaction.
    """
    async with database.write() as session:
        processes = Processes(session)
        if not await processes.lock(process_id, beat=beat):
            return False
        await on_lost.fire(session, process_id)
        await processes.remove(process_id)
    return True
