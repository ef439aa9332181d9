"""Queries of old runs."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.runs.retention.types import OldRun
from edison.runs.store.models import Run
from edison.runs.store.states import OVER
from edison.workspace.projects.models import Project, ProjectSettings

# Within the number of variables that a statement may have.
_AT_ONCE = 500


class OldRuns:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def get_settings(self, project_id: UUID) -> ProjectSettings:
        found = await self._session.get(ProjectSettings, project_id, populate_existing=True)
        if found is None:
            raise NotFound("This project has no settings.")
        return found

    async def list_confirmed_projects(self) -> Sequence[UUID]:
        found = await self._session.scalars(
            select(ProjectSettings.project_id)
            .join(Project, Project.id == ProjectSettings.project_id)
            .where(
                ProjectSettings.retention_confirmed_at.is_not(None),
                ProjectSettings.retention_days > 0,
                Project.archived_at.is_(None),
            )
        )
        return found.all()

    async def list_ended_before(self, project_id: UUID, moment: datetime) -> Sequence[OldRun]:
        """Oldest first."""
        found = await self._session.execute(
            select(Run.id, Run.name, Run.cell_count, Run.ended_at, Run.archived_at, Run.is_kept)
            .where(Run.project_id == project_id, Run.state.in_(OVER), Run.ended_at <= moment)
            .order_by(Run.ended_at)
        )
        return [OldRun(**row._mapping) for row in found]

    async def archive(self, run_ids: Sequence[UUID], *, now: datetime) -> int:
        """Returns the number of runs that were archived, without those kept in the meantime."""
        archived = 0
        for first in range(0, len(run_ids), _AT_ONCE):
            found = await self._session.scalars(
                update(Run)
                .where(
                    Run.id.in_(run_ids[first : first + _AT_ONCE]),
                    Run.archived_at.is_(None),
                    Run.is_kept.is_(False),
                )
                .values(archived_at=now)
                .returning(Run.id)
            )
            archived += len(found.all())
        return archived

    async def is_due(self, run_id: UUID, *, archived_before: datetime) -> bool:
        """Whether the run, which is locked, is still to be deleted."""
        found = await self._session.scalar(
            select(Run.id)
            .where(Run.id == run_id, Run.is_kept.is_(False), Run.archived_at <= archived_before)
            .with_for_update()
        )
        return found is not None
