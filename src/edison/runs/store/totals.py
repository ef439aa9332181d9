"""Aggregate queries over outputs and scores."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from sqlalchemy import Integer, cast, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.store.cells import TALLIED
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.effective_scores import ScoreSums
from edison.runs.store.models import Output, Run, RunVariant, Score

# Number of recent outputs per model behind an estimate.
RECENT = 200


class Totals:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_scores(self, run_id: UUID) -> list[ScoreSums]:
        found = await self._session.execute(
            select(
                Output.variant_position,
                Score.scorer_position,
                func.count(Score.value),
                func.coalesce(func.sum(Score.value), 0.0),
                func.count(Score.is_passed),
                func.coalesce(func.sum(cast(Score.is_passed, Integer)), 0),
            )
            .join(Output, Output.id == Score.output_id)
            .where(Score.run_id == run_id)
            .group_by(Output.variant_position, Score.scorer_position)
        )
        return [
            ScoreSums(
                variant=variant,
                scorer=scorer,
                count=count,
                total=float(total or 0),
                judged=judged,
                passed=int(passed),
            )
            for variant, scorer, count, total, judged, passed in found
        ]

    async def list_latencies(self, run_id: UUID) -> Sequence[tuple[int, float]]:
        """Variant and latency in seconds of every answer that did not come from the cache."""
        found = await self._session.execute(
            select(Output.variant_position, Output.latency_seconds).where(
                Output.run_id == run_id,
                Output.latency_seconds.is_not(None),
                Output.is_cached.is_(False),
            )
        )
        return [(variant, seconds or 0.0) for variant, seconds in found]

    async def recount(self, run_id: UUID) -> Run:
        """Recomputes the counts of the run and its variants from the rows. Costs stay: rows do not
        include the cost of replaced cells.
        """
        counts = await self._counts(run_id)
        total = dict.fromkeys(_COUNTED, 0)
        for variant, values in counts.items():
            await self._session.execute(
                update(RunVariant)
                .where(RunVariant.run_id == run_id, RunVariant.position == variant)
                .values(values)
                .execution_options(synchronize_session=False)
            )
            for name, value in values.items():
                total[name] += value
        compared = await Comparisons(self._session).count(run_id)
        run: Run = (
            await self._session.execute(
                update(Run)
                .where(Run.id == run_id)
                .values({**total, "comparison_count": compared})
                .returning(Run)
                .execution_options(populate_existing=True)
            )
        ).scalar_one()
        return run

    async def _counts(self, run_id: UUID) -> Mapping[int, dict[str, int]]:
        is_current = Output.is_wanted_again.is_(False)
        rows = await self._session.execute(
            select(
                Output.variant_position,
                func.count(),
                func.coalesce(func.sum(cast(Output.status == "error", Integer)), 0),
                func.coalesce(func.sum(cast(Output.status == "malformed", Integer)), 0),
                func.coalesce(func.sum(cast(Output.is_cached, Integer)), 0),
            )
            .where(Output.run_id == run_id, is_current)
            .group_by(Output.variant_position)
        )
        scores = await self._session.execute(
            select(Output.variant_position, func.count())
            .join(Score, Score.output_id == Output.id)
            .where(Output.run_id == run_id, is_current)
            .group_by(Output.variant_position)
        )
        scored: dict[int, int] = {variant: count for variant, count in scores}
        return {
            variant: {
                "done_count": done,
                "error_count": int(errors),
                "malformed_count": int(malformed),
                "cached_count": int(cached),
                "score_count": scored.get(variant, 0),
            }
            for variant, done, errors, malformed, cached in rows
        }

    async def list_runs_of_prompts(
        self, project_id: UUID, prompt_ids: Collection[UUID], *, limit: int
    ) -> list[UUID]:
        """The newest runs that called models for one of the prompts."""
        found = await self._session.scalars(
            select(Run.id)
            .where(
                Run.project_id == project_id,
                Run.replay_of_id.is_(None),
                Run.cost_nanos > 0,
                Run.id.in_(select(RunVariant.run_id).where(RunVariant.prompt_id.in_(prompt_ids))),
            )
            .order_by(Run.id.desc())
            .limit(limit)
        )
        return list(found.all())


_COUNTED = [name for name in TALLIED if name.endswith("_count") and name != "unpriced_count"]
