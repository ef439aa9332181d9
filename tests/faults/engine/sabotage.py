"""Deliberate bugs. Each torture test also runs against one of these mutants and must detect it; a
test that does not would detect nothing.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import batch_writer, heartbeat
from edison.jobs.batch_writer import Batch, BatchWriter
from edison.jobs.heartbeat import BeatResult, Heartbeat, Watch
from edison.jobs.models import WorkerProcess
from edison.jobs.processes import Processes
from edison.kit import clock
from edison.pipeline.generate.path import attempt
from edison.runs.fill.chunk import ChunkFill
from edison.runs.store import money
from edison.runs.store.batch import STORE_OUTPUT, STORE_WAVE
from edison.runs.store.chunks import Chunks
from edison.runs.store.models import RunChunk
from edison.workspace.budgets.balances import Balance
from edison.workspace.budgets.errors import BudgetExhausted

COMMITTED_LATER_SECONDS = 0.3


def swap(owner: object, **others: Any) -> None:
    """Replaces attributes by name. Raises if one does not exist: a fault must not be lost when its
    target is renamed.
    """
    for name, other in others.items():
        getattr(owner, name)
        setattr(owner, name, other)


def acknowledges_before_commit() -> None:
    """Acknowledges a write before committing it."""
    write, write_growing = BatchWriter.submit, BatchWriter.submit_growing

    def submit(self: BatchWriter, batch: Batch[Any, Any], item: Any) -> "asyncio.Future[Any]":
        write(self, batch, item)
        promise: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        promise.set_result(item.output.id if batch is STORE_OUTPUT else None)
        return promise

    def submit_growing(
        self: BatchWriter, batch: Batch[Any, Any], item: Any, *, seal: Callable[[], None]
    ) -> "asyncio.Future[Any]":
        promise: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def acknowledge() -> None:
            seal()
            write_growing(self, batch, item, seal=lambda: None)
            ids = [each.output.id for each in item] if batch is STORE_WAVE else None
            promise.set_result(ids or [None] * len(item))

        asyncio.get_running_loop().call_soon(acknowledge)
        return promise

    swap(BatchWriter, submit=submit, submit_growing=submit_growing)
    _commit_later()


def _commit_later() -> None:
    assert BatchWriter.__init__.__kwdefaults__ is not None
    BatchWriter.__init__.__kwdefaults__["window_seconds"] = COMMITTED_LATER_SECONDS


def comes_back_from_the_dead() -> None:
    """Continues under its old id after it was replaced."""

    async def advance(self: Heartbeat, session: AsyncSession) -> BeatResult:
        processes = Processes(session)
        if self.beat == 0 or not await processes.raise_beat(self.id, after=self.beat):
            row = self._row()
            row.beat = self.beat + 1
            await processes.add(row)
        return BeatResult.WRITTEN

    swap(Heartbeat, advance=advance)


def claims_what_others_have() -> None:
    """Finds and claims a chunk without checking for an existing claim."""

    async def find_free(self: Chunks, run_id: UUID, *, besides: Collection[int] = ()) -> int | None:
        return await self._session.scalar(
            select(RunChunk.number)
            .where(RunChunk.run_id == run_id, RunChunk.is_done.is_(False))
            .where(RunChunk.number.not_in(besides))
            .order_by(RunChunk.number)
            .limit(1)
        )

    async def claim(
        self: Chunks, run_id: UUID, number: int, *, process_id: UUID
    ) -> RunChunk | None:
        return await self._session.scalar(
            update(RunChunk)
            .where(RunChunk.run_id == run_id, RunChunk.number == number)
            .where(RunChunk.is_done.is_(False))
            .values(process_id=process_id)
            .returning(RunChunk)
        )

    swap(Chunks, claim=claim, find_free=find_free)


def checks_before_it_adds() -> None:
    """Compares each call with the budget's state before all concurrent calls."""

    def check(self: Balance, amount_nanos: int) -> None:
        if sum(self.read) + amount_nanos > self.limit_nanos:
            raise BudgetExhausted(budget_id=self.id, amount_nanos=amount_nanos)

    swap(Balance, check=check)
    # Long enough for many calls to overlap.
    _commit_later()


def gives_up_when_the_database_is_away() -> None:
    """Treats every database failure as an error of the written item."""
    swap(batch_writer, is_outage=lambda error: False)


def charges_no_cut_off_calls() -> None:
    """Charges nothing for calls that did not end in an answer."""
    swap(attempt, usage_of_failure=lambda *_, **__: None)


def trusts_clocks() -> None:
    """Treats processes as dead by its own clock."""

    async def remove_old(database: Database, watch: Watch, own_id: UUID) -> None:
        long_ago = clock.now() - timedelta(seconds=watch.silence_seconds)
        async with database.read() as session:
            found = await session.scalars(
                select(WorkerProcess.id).where(WorkerProcess.seen_at < long_ago)
            )
        for process_id in set(found) - {own_id}:
            await heartbeat.remove(database, process_id)

    swap(heartbeat, remove_silent=remove_old)


def does_not_listen() -> None:
    """Continues a run that was paused or cancelled."""

    async def list_all(session: AsyncSession, run_ids: Collection[UUID]) -> set[UUID]:
        return set(run_ids)

    swap(money, _list_working=list_all)
    swap(ChunkFill, drain=lambda self: None)


def ends_at_once() -> None:
    """Drops all work when asked to stop."""
    install = signal.signal

    def end(*_: Any) -> None:
        os._exit(0)

    def install_end(number: int, handler: Any) -> Any:
        return install(number, end if number == signal.SIGTERM else handler)

    swap(signal, signal=install_end)
    swap(
        asyncio.SelectorEventLoop, add_signal_handler=lambda self, number, *_: install(number, end)
    )


TWINS: dict[str, Callable[[], None]] = {
    twin.__name__: twin
    for twin in (
        acknowledges_before_commit,
        comes_back_from_the_dead,
        claims_what_others_have,
        checks_before_it_adds,
        gives_up_when_the_database_is_away,
        charges_no_cut_off_calls,
        trusts_clocks,
        does_not_listen,
        ends_at_once,
    )
}
