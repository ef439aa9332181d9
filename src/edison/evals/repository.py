"""All SQL about evaluations."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.models import Evaluation, EvaluationRun
from edison.runs.store.models import Output, Run, RunVariant, Score
from edison.runs.store.states import OVER, RunState
from edison.workspace.projects.models import Project


class Evaluations:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, evaluation: Evaluation) -> None:
        self._session.add(evaluation)
        await self._session.flush()

    async def add_runs(self, evaluation_id: UUID, run_ids: Sequence[UUID]) -> None:
        self._session.add_all(
            EvaluationRun(evaluation_id=evaluation_id, position=position, run_id=run_id)
            for position, run_id in enumerate(run_ids)
        )
        await self._session.flush()

    async def add_results(
        self, outputs: Sequence[dict[str, Any]], scores: Sequence[dict[str, Any]]
    ) -> None:
        await self._session.execute(insert(Output), outputs)
        if scores:
            await self._session.execute(insert(Score), scores)

    async def find(self, evaluation_id: UUID) -> Evaluation | None:
        """The evaluation with this id, or the one with the run of this id."""
        found = await self._session.get(Evaluation, evaluation_id)
        return found or await self._session.scalar(
            select(Evaluation)
            .join(EvaluationRun, EvaluationRun.evaluation_id == Evaluation.id)
            .where(EvaluationRun.run_id == evaluation_id)
            .order_by(Evaluation.id)
            .limit(1)
        )

    async def find_latest(
        self, *, project_id: UUID | None = None, fingerprint: str | None = None
    ) -> Evaluation | None:
        query = select(Evaluation).order_by(Evaluation.created_at.desc(), Evaluation.id.desc())
        if project_id is not None:
            query = query.where(Evaluation.project_id == project_id)
        if fingerprint is not None:
            query = query.where(Evaluation.fingerprint == fingerprint)
        return await self._session.scalar(query.limit(1))

    async def find_slug(self, project_id: UUID) -> str | None:
        return await self._session.scalar(select(Project.slug).where(Project.id == project_id))

    async def list_runs(self, evaluation_id: UUID) -> Sequence[Run]:
        found = await self._session.scalars(
            select(Run)
            .join(EvaluationRun, EvaluationRun.run_id == Run.id)
            .where(EvaluationRun.evaluation_id == evaluation_id)
            .order_by(EvaluationRun.position)
        )
        return found.all()

    async def list_waits(self, run_ids: Sequence[UUID]) -> list[dict[str, Any]]:
        """`waiting` of the runs' variants, while the runs go on."""
        found = await self._session.scalars(
            select(RunVariant.waiting)
            .join(Run, Run.id == RunVariant.run_id)
            .where(Run.id.in_(run_ids), Run.state.not_in((*OVER, RunState.PAUSED)))
            .order_by(RunVariant.run_id, RunVariant.position)
        )
        return [each for each in found if each is not None]

    async def find_names(
        self, project_id: UUID, evaluation_ids: Collection[UUID]
    ) -> Mapping[UUID, str]:
        found = await self._session.execute(
            select(Evaluation.id, Evaluation.name).where(
                Evaluation.project_id == project_id, Evaluation.id.in_(evaluation_ids)
            )
        )
        return {evaluation_id: name for evaluation_id, name in found}
