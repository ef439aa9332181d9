"""All SQL that holds one run against another."""

from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.runs.engine.models import Comparison, Output, Score
from edison.runs.engine.schemas.reads import ReplayComparison


class Comparing:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def compare(self, run_id: UUID, original_id: UUID) -> ReplayComparison:
        """Cell by cell: same answer and status, same scores, same preferences."""
        new, old = aliased(Output), aliased(Output)
        pairs = and_(
            old.run_id == original_id,
            old.case_position == new.case_position,
            old.variant_position == new.variant_position,
            old.repeat == new.repeat,
        )
        outputs = select(func.count()).select_from(new).join(old, pairs).where(new.run_id == run_id)
        different = or_(
            new.status != old.status,
            func.coalesce(new.text, "") != func.coalesce(old.text, ""),
            func.coalesce(new.parsed, "") != func.coalesce(old.parsed, ""),
        )
        new_score, old_score = aliased(Score), aliased(Score)
        scores = (
            select(func.count())
            .select_from(new)
            .join(old, pairs)
            .join(new_score, new_score.output_id == new.id)
            .join(
                old_score,
                and_(
                    old_score.output_id == old.id,
                    old_score.scorer_position == new_score.scorer_position,
                ),
            )
            .where(new.run_id == run_id)
        )
        # No value is written as one that no score has.
        other_value = func.coalesce(new_score.value, -1.0) != func.coalesce(old_score.value, -1.0)
        compared = await self._count(outputs)
        scores_compared = await self._count(scores)
        missing = await self._count(
            select(func.count()).select_from(Output).where(Output.run_id == original_id)
        )
        missing_scores = await self._count(
            select(func.count()).select_from(Score).where(Score.run_id == original_id)
        )
        differing = await self._count(outputs.where(different)) + missing - compared
        differing_scores = (
            await self._count(scores.where(other_value)) + missing_scores - scores_compared
        )
        comparisons, differing_comparisons = await self._comparisons(run_id, original_id)
        return ReplayComparison(
            is_identical=not (differing or differing_scores or differing_comparisons),
            outputs_compared=compared,
            scores_compared=scores_compared,
            differing_outputs=differing,
            differing_scores=differing_scores,
            comparisons_compared=comparisons,
            differing_comparisons=differing_comparisons,
        )

    async def _comparisons(self, run_id: UUID, original_id: UUID) -> tuple[int, int]:
        """How many pairs both runs compared, and how many differ or are there once only."""
        new, old = aliased(Comparison), aliased(Comparison)
        same = [
            getattr(new, name) == getattr(old, name)
            for name in ("comparer_position", "case_position", "repeat", "variant_a", "variant_b")
        ]
        pairs = (
            select(func.count())
            .select_from(new)
            .join(old, and_(old.run_id == original_id, *same))
            .where(new.run_id == run_id)
        )
        other = [
            func.coalesce(getattr(new, name), "") != func.coalesce(getattr(old, name), "")
            for name in ("preference", "verdict_ab", "verdict_ba")
        ]
        compared = await self._count(pairs)
        originals = await self._count(
            select(func.count()).select_from(Comparison).where(Comparison.run_id == original_id)
        )
        return compared, await self._count(pairs.where(or_(*other))) + originals - compared

    async def _count(self, statement: Any) -> int:
        return int(await self._session.scalar(statement) or 0)
