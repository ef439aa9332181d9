"""All SQL of boards."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Case, Dataset
from edison.library.models.models import Model
from edison.runs.plan.types import AS_IS
from edison.runs.store.models import Run, RunScorer, RunVariant
from edison.runs.store.states import QUESTIONS, RunState


class BoardRun(NamedTuple):
    """A completed run. `number` changes with every change of the run."""

    id: UUID
    number: int
    cell_count: int
    dataset_id: UUID


class BoardModel(NamedTuple):
    id: UUID
    name: str
    provider_model: str


class BoardDataset(NamedTuple):
    """A dataset with its completed runs."""

    id: UUID
    name: str
    cases: int
    runs: int
    models: int
    last_run_at: datetime


_COUNTS = (
    Run.state == RunState.COMPLETED,
    Run.replay_of_id.is_(None),
    Run.origin != QUESTIONS,
)
# Variants that a board compares: of a model, with a prompt version or a question asked as it is.
# Those of optimizations have texts of their own.
_COMPARED = (
    RunVariant.run_id == Run.id,
    RunVariant.model_id.is_not(None),
    or_(RunVariant.version_id.is_not(None), RunVariant.version_label == AS_IS),
)


class BoardRows:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_datasets(self, project_id: UUID) -> Sequence[BoardDataset]:
        """Datasets with completed runs, the one with the newest run first."""
        last = func.max(Run.created_at)
        rows = await self._session.execute(
            select(
                Dataset.id,
                Dataset.name,
                func.count(Run.id.distinct()),
                func.count(RunVariant.model_id.distinct()),
                last,
            )
            .join(Run, Run.dataset_id == Dataset.id)
            .join(RunVariant, and_(*_COMPARED))
            .where(Dataset.project_id == project_id, *_COUNTS)
            .group_by(Dataset.id, Dataset.name)
            .order_by(last.desc(), Dataset.id)
        )
        found = rows.all()
        cases = await self._count_cases([row[0] for row in found])
        return [
            BoardDataset(id_, name, cases.get(id_, 0), runs, models, at)
            for id_, name, runs, models, at in found
        ]

    async def _count_cases(self, dataset_ids: Collection[UUID]) -> dict[UUID, int]:
        rows = await self._session.execute(
            select(Case.dataset_id, func.count())
            .where(Case.dataset_id.in_(dataset_ids))
            .group_by(Case.dataset_id)
        )
        return {dataset_id: count for dataset_id, count in rows}

    async def find_datasets(
        self, project_id: UUID, dataset_ids: Collection[UUID]
    ) -> dict[UUID, str]:
        rows = await self._session.execute(
            select(Dataset.id, Dataset.name).where(
                Dataset.project_id == project_id, Dataset.id.in_(dataset_ids)
            )
        )
        return {dataset_id: name for dataset_id, name in rows}

    async def list_runs(
        self,
        project_id: UUID,
        dataset_ids: Collection[UUID],
        *,
        since: datetime | None,
        until: datetime | None,
    ) -> list[BoardRun]:
        """The newest first. Replays repeat the answers of another run and are left out."""
        statement = select(Run.id, Run.last_number, Run.cell_count, Run.dataset_id).where(
            Run.project_id == project_id,
            Run.dataset_id.in_(dataset_ids),
            *_COUNTS,
            exists().where(*_COMPARED),
        )
        if since is not None:
            statement = statement.where(Run.created_at >= since)
        if until is not None:
            statement = statement.where(Run.created_at < until)
        rows = await self._session.execute(statement.order_by(Run.id.desc()))
        return [
            BoardRun(id_, number, cells, dataset_id)
            for id_, number, cells, dataset_id in rows
            if dataset_id is not None
        ]

    async def list_scorers(self, run_ids: Collection[UUID]) -> Sequence[RunScorer]:
        found = await self._session.scalars(
            select(RunScorer)
            .where(RunScorer.run_id.in_(run_ids))
            .order_by(RunScorer.run_id, RunScorer.position)
        )
        return found.all()

    async def list_models(self, project_id: UUID) -> dict[UUID, BoardModel]:
        rows = await self._session.execute(
            select(Model.id, Model.display_name, Model.provider_model).where(
                Model.project_id == project_id
            )
        )
        return {id_: BoardModel(id_, name, provider_model) for id_, name, provider_model in rows}
