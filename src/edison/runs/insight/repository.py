"""All SQL of model insight."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.models.models import Model
from edison.runs.store.models import Run
from edison.runs.store.states import QUESTIONS, RunState


class InsightRows:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_runs(
        self, project_id: UUID, *, since: datetime, dataset_id: UUID | None
    ) -> Sequence[tuple[UUID, int]]:
        """Ids and numbers of cells of completed runs with scorers, the newest first. Replays repeat
        the answers of another run and are left out.
        """
        statement = select(Run.id, Run.cell_count).where(
            Run.project_id == project_id,
            Run.state == RunState.COMPLETED,
            Run.scorer_count > 0,
            Run.replay_of_id.is_(None),
            Run.origin != QUESTIONS,
            Run.created_at >= since,
        )
        if dataset_id is not None:
            statement = statement.where(Run.dataset_id == dataset_id)
        found = await self._session.execute(statement.order_by(Run.id.desc()))
        return [(id_, cells) for id_, cells in found]

    async def list_models(self, project_id: UUID) -> Sequence[tuple[UUID, str]]:
        """Ids and names of the project's models that are switched on."""
        found = await self._session.execute(
            select(Model.id, Model.display_name).where(
                Model.project_id == project_id, Model.is_enabled
            )
        )
        return [(id_, name) for id_, name in found]
