"""SQL about which runs use which saved scorers."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.scorers.models import ScorerVersion
from edison.runs.engine.models import Run, RunScorer
from edison.runs.engine.states import OVER


class ScorerUses:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count_runs(self, scorer_ids: Collection[UUID]) -> Mapping[UUID, int]:
        rows = await self._session.execute(
            select(ScorerVersion.scorer_id, func.count(RunScorer.run_id.distinct()))
            .join(RunScorer, RunScorer.scorer_version_id == ScorerVersion.id)
            .where(ScorerVersion.scorer_id.in_(scorer_ids))
            .group_by(ScorerVersion.scorer_id)
        )
        return {scorer_id: count for scorer_id, count in rows}

    async def is_active(self, scorer_id: UUID) -> bool:
        found = await self._session.scalar(
            select(Run.id)
            .join(RunScorer, RunScorer.run_id == Run.id)
            .join(ScorerVersion, ScorerVersion.id == RunScorer.scorer_version_id)
            .where(ScorerVersion.scorer_id == scorer_id, Run.state.not_in(OVER))
            .limit(1)
        )
        return found is not None
