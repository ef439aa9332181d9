"""SQL for process rows."""

import os
from collections.abc import Mapping, Sequence
from typing import cast
from uuid import UUID

from sqlalchemy import Table, bindparam, delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.engine import session_name
from edison.db.prepared import Prepared
from edison.jobs.models import WorkerProcess
from edison.kit import clock, process

# Only sessions of the same database user: others would need special rights. Only transactions older
# than the silence: other sessions of the process are kept.
_END_TRANSACTIONS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE application_name = :name AND usename = current_user"
    " AND xact_start < clock_timestamp() - make_interval(secs => :seconds)"
)

_TABLE = cast(Table, WorkerProcess.__table__)
# Runs in every flush of the batch writer.
_RAISE_BEAT = Prepared(
    lambda _: (
        update(_TABLE)
        .where(_TABLE.c.id == bindparam("process_id"), _TABLE.c.beat == bindparam("after"))
        .values(
            beat=bindparam("next", type_=_TABLE.c.beat.type),
            seen_at=bindparam("now", type_=_TABLE.c.seen_at.type),
        )
        .returning(_TABLE.c.id)
    )
)


class Processes:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, process: WorkerProcess) -> bool:
        """Inserts the row. False if it exists."""
        values = {column.name: getattr(process, column.name) for column in _TABLE.c}
        statement = upsert.insert(self._session, WorkerProcess).values(values)
        added = await self._session.scalar(
            statement.on_conflict_do_nothing().returning(WorkerProcess.id)
        )
        return added is not None

    async def raise_beat(self, process_id: UUID, *, after: int) -> bool:
        """Increments the beat. False if the row is gone or its beat is not `after`."""
        raised = await _RAISE_BEAT.fetch(
            self._session, process_id=process_id, after=after, next=after + 1, now=clock.now()
        )
        return bool(raised)

    async def find_beat(self, process_id: UUID) -> int | None:
        return await self._session.scalar(
            select(WorkerProcess.beat).where(WorkerProcess.id == process_id)
        )

    async def list_beats(self) -> Mapping[UUID, int]:
        found = await self._session.execute(select(WorkerProcess.id, WorkerProcess.beat))
        return {process_id: beat for process_id, beat in found}

    async def list_of_pid(self, host: str, pid: int) -> Sequence[UUID]:
        found = await self._session.scalars(
            select(WorkerProcess.id).where(WorkerProcess.host == host, WorkerProcess.pid == pid)
        )
        return found.all()

    async def lock(self, process_id: UUID, *, beat: int | None = None) -> bool:
        """Locks the row. False if it is gone or its beat is not `beat`."""
        wanted = select(WorkerProcess.id).where(WorkerProcess.id == process_id)
        if beat is not None:
            wanted = wanted.where(WorkerProcess.beat == beat)
        return await self._session.scalar(wanted.with_for_update()) is not None

    async def end_transactions(self, process_id: UUID, *, older_than_seconds: float) -> int:
        """Terminates old transactions of another process. Returns their number. PostgreSQL only."""
        found = await self._session.get(WorkerProcess, process_id)
        if found is None:
            return 0
        name = session_name(found.pid, found.started_at)
        if name == session_name(os.getpid(), process.started_at()):
            return 0
        ended = await self._session.scalars(
            _END_TRANSACTIONS, {"name": name, "seconds": older_than_seconds}
        )
        return len(ended.all())

    async def remove(self, process_id: UUID) -> None:
        await self._session.execute(delete(WorkerProcess).where(WorkerProcess.id == process_id))
