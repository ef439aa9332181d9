"""Queries of processes and dead jobs for the operations endpoints."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.jobs.models import DeadJob, WorkerProcess
from edison.kit.errors import NotFound
from edison.workspace.budgets.models import EntryState, LedgerEntry

_DEAD_JOBS = Sorting(
    columns={"failed_at": DeadJob.failed_at, "task": DeadJob.task},
    default="-failed_at",
    id=DeadJob.id,
)


class ProcessOverview:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_all(self) -> Sequence[WorkerProcess]:
        """Oldest first."""
        found = await self._session.scalars(
            select(WorkerProcess).order_by(WorkerProcess.started_at, WorkerProcess.id)
        )
        return found.all()

    async def count_by_kind(self) -> Mapping[str, int]:
        found = await self._session.execute(
            select(WorkerProcess.kind, func.count()).group_by(WorkerProcess.kind)
        )
        return {kind: number for kind, number in found}

    async def count_calls(self) -> Mapping[UUID, int]:
        """Calls in flight by process."""
        found = await self._session.execute(
            select(LedgerEntry.process_id, func.count())
            .where(LedgerEntry.state == EntryState.RESERVED, LedgerEntry.process_id.is_not(None))
            .group_by(LedgerEntry.process_id)
        )
        return {process_id: number for process_id, number in found if process_id is not None}


class DeadJobs:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[DeadJob]:
        statement = select(DeadJob).where(DeadJob.project_id == project_id)
        if page.q:
            statement = statement.where(
                or_(*(contains(column, page.q) for column in (DeadJob.key, DeadJob.reason)))
            )
        return await paginate(self._session, statement, page=page, sorting=_DEAD_JOBS)

    async def get(self, project_id: UUID, job_id: UUID) -> DeadJob:
        found = await self._session.scalar(
            select(DeadJob).where(DeadJob.project_id == project_id, DeadJob.id == job_id)
        )
        if found is None:
            raise NotFound("There is no such dead job.")
        return found

    async def count_of_project(self, project_id: UUID) -> int:
        statement = select(func.count()).where(DeadJob.project_id == project_id)
        return await self._session.scalar(statement) or 0

    async def count_all(self) -> int:
        return await self._session.scalar(select(func.count()).select_from(DeadJob)) or 0
