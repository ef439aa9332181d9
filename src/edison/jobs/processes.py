"""All SQL about the processes that are at work."""

from collections.abc import Mapping
from typing import cast
from uuid import UUID

from sqlalchemy import Table, bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.jobs.models import WorkerProcess
from edison.kit import clock

_TABLE = cast(Table, WorkerProcess.__table__)
# Built once, as it is part of everything that a process writes.
_RAISE_BEAT = (
    update(_TABLE)
    .where(_TABLE.c.id == bindparam("process_id"), _TABLE.c.beat == bindparam("after"))
    .values(beat=bindparam("next"), seen_at=bindparam("now"))
    .returning(_TABLE.c.id)
)


class Processes:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, process: WorkerProcess) -> bool:
        """False when its row is there already."""
        values = {column.name: getattr(process, column.name) for column in _TABLE.c}
        statement = upsert.insert(self._session, WorkerProcess).values(values)
        added = await self._session.scalar(
            statement.on_conflict_do_nothing().returning(WorkerProcess.id)
        )
        return added is not None

    async def raise_beat(self, process_id: UUID, *, after: int) -> bool:
        """False when the row is gone, or its beat is another."""
        raised = await self._session.scalar(
            _RAISE_BEAT,
            {"process_id": process_id, "after": after, "next": after + 1, "now": clock.now()},
        )
        return raised is not None

    async def find_beat(self, process_id: UUID) -> int | None:
        return await self._session.scalar(
            select(WorkerProcess.beat).where(WorkerProcess.id == process_id)
        )

    async def list_beats(self) -> Mapping[UUID, int]:
        found = await self._session.execute(select(WorkerProcess.id, WorkerProcess.beat))
        return {process_id: beat for process_id, beat in found}

    async def lock(self, process_id: UUID, *, beat: int | None = None) -> bool:
        """Keep the row from changing; False when it is gone, or its beat is another."""
        wanted = select(WorkerProcess.id).where(WorkerProcess.id == process_id)
        if beat is not None:
            wanted = wanted.where(WorkerProcess.beat == beat)
        return await self._session.scalar(wanted.with_for_update()) is not None

    async def remove(self, process_id: UUID) -> None:
        await self._session.execute(delete(WorkerProcess).where(WorkerProcess.id == process_id))
