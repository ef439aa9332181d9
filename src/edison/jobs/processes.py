"""All SQL about the processes that are at work."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.jobs.models import WorkerProcess
from edison.kit import clock


class Processes:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, process: WorkerProcess) -> bool:
        """False when its row is there already."""
        values = {
            column.name: getattr(process, column.name) for column in WorkerProcess.__table__.c
        }
        statement = upsert.insert(self._session, WorkerProcess).values(values)
        added = await self._session.scalar(
            statement.on_conflict_do_nothing().returning(WorkerProcess.id)
        )
        return added is not None

    async def raise_beat(self, process_id: UUID, *, after: int) -> bool:
        """False when the row is gone, or its beat is another."""
        raised = await self._session.scalar(
            update(WorkerProcess)
            .where(WorkerProcess.id == process_id, WorkerProcess.beat == after)
            .values(beat=after + 1, seen_at=clock.now())
            .returning(WorkerProcess.id)
            .execution_options(synchronize_session=False)
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
