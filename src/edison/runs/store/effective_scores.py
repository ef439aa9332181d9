"""The effective score of outputs and variants, and the summary of a finished run."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.membership import is_one_of
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.registry import load_scorer, scorer_kinds
from edison.pipeline.score.scorer import CostClass
from edison.runs.store.models import Output, RunScorer, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSums:
    """Sums for one variant and one scorer, over scores with a value or a verdict."""

    variant: int
    scorer: int
    count: int
    total: float
    judged: int
    passed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveScore:
    """The score that counts for one output. `value` is None without a human or automatic score."""

    output_id: UUID
    case_position: int
    variant_position: int
    repeat: int
    value: float | None
    is_human: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveGrade:
    """The score that counts for an output, and its source: `human`, `grader`, `scorer`, or the
    `rule` that scores malformed answers 0.
    """

    value: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantScore:
    """The mean over a variant's scored outputs, their number, and how many have a human score."""

    mean: float | None
    count: int
    human_count: int

    def exchanged(self, old: EffectiveScore, new: EffectiveScore) -> "VariantScore":
        """Updates the mean for one changed output without reading the others."""
        count = self.count + (new.value is not None) - (old.value is not None)
        total = (self.mean or 0.0) * self.count + (new.value or 0.0) - (old.value or 0.0)
        return VariantScore(
            mean=total / count if count else None,
            count=count,
            human_count=self.human_count + new.is_human - old.is_human,
        )


NO_SCORE = VariantScore(mean=None, count=0, human_count=0)


def summarise(
    variant: int,
    scorers: Sequence[RunScorer],
    sums: Iterable[ScoreSums],
    *,
    effective: VariantScore,
    latencies: Sequence[float],
) -> dict[str, Any]:
    """The summary in the shape of `VariantSummary`. Scorers without a value are left out."""
    of_variant = {each.scorer: each for each in sums if each.variant == variant}
    means = {
        scorer.position: without_noise(each.total / each.count)
        for scorer in scorers
        if (each := of_variant.get(scorer.position)) is not None and each.count
    }
    judged = sum(each.judged for each in of_variant.values())
    ordered = sorted(latencies)
    return {
        **score_fields(effective),
        "pass_rate": sum(each.passed for each in of_variant.values()) / judged if judged else None,
        "scorers": {str(scorer.position): means.get(scorer.position) for scorer in scorers},
        "latency_p50_seconds": percentile(ordered, 0.50),
        "latency_p95_seconds": percentile(ordered, 0.95),
    }


def score_fields(effective: VariantScore) -> dict[str, Any]:
    return {
        "score": None if effective.mean is None else without_noise(effective.mean),
        "scored_count": effective.count,
        "human_count": effective.human_count,
    }


def overall(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scores = [each["score"] for each in summaries if each["score"] is not None]
    return {"score": without_noise(sum(scores) / len(scores)) if scores else None}


def without_noise(mean: float) -> float:
    """The same mean for the same scores: the last digits of a sum depend on its order."""
    return round(mean, 12)


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """Percentile of sorted values by linear interpolation; `share` is in 0..1."""
    if not ordered:
        return None
    place = (len(ordered) - 1) * share
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def group_latencies(rows: Iterable[tuple[int, float]]) -> Mapping[int, list[float]]:
    grouped: dict[int, list[float]] = defaultdict(list)
    for variant, seconds in rows:
        grouped[variant].append(seconds)
    return grouped


IDS_AT_ONCE = 500


def _automatic() -> ColumnElement[Any]:
    """The weighted mean of an output's scores; null without a score."""
    weight = func.sum(RunScorer.weight)
    return (
        select(func.sum(Score.value * RunScorer.weight) / func.nullif(weight, 0))
        .join(
            RunScorer,
            and_(RunScorer.run_id == Score.run_id, RunScorer.position == Score.scorer_position),
        )
        .where(Score.output_id == Output.id, Score.value.is_not(None))
        .correlate(Output)
        .scalar_subquery()
    )


def _judged() -> ColumnElement[Any]:
    """Whether a scorer that calls a model contributes to an output's score."""
    return (
        exists()
        .where(
            Score.output_id == Output.id,
            Score.value.is_not(None),
            RunScorer.run_id == Score.run_id,
            RunScorer.position == Score.scorer_position,
            RunScorer.weight > 0,
            or_(*(RunScorer.kind == kind for kind in _judge_kinds())),
        )
        .correlate(Output)
    )


def _scored() -> ColumnElement[Any]:
    return exists().where(Score.output_id == Output.id, Score.value.is_not(None)).correlate(Output)


def score_source() -> ColumnElement[Any]:
    """The source of an output's score, as in `EffectiveGrade`."""
    return case(
        (Output.human_value.is_not(None), "human"),
        (_judged(), "grader"),
        (_scored(), "scorer"),
        else_="rule",
    )


@cache
def _judge_kinds() -> tuple[str, ...]:
    return tuple(
        kind for kind in scorer_kinds() if load_scorer(kind).cost_class is CostClass.LLM_CALL
    )


_by_rule: ColumnElement[Any] = case((Output.status == "malformed", 0.0))

effective_score: ColumnElement[Any] = func.coalesce(Output.human_value, _automatic(), _by_rule)

_READ = select(
    Output.id,
    Output.case_position,
    Output.variant_position,
    Output.repeat,
    effective_score,
    Output.human_value.is_not(None),
)


class Effective:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_run(self, run_id: UUID) -> Sequence[EffectiveScore]:
        found = await self._session.execute(
            _READ.where(Output.run_id == run_id).order_by(
                Output.case_position, Output.variant_position, Output.repeat
            )
        )
        return [_effective(*row) for row in found]

    async def find_grades(self, output_ids: Collection[UUID]) -> Mapping[UUID, EffectiveGrade]:
        """Grades by output id, without outputs that have no score."""
        found: dict[UUID, EffectiveGrade] = {}
        ids = list(output_ids)
        for start in range(0, len(ids), IDS_AT_ONCE):
            some = is_one_of(self._session, Output.id, ids[start : start + IDS_AT_ONCE])
            rows = await self._session.execute(
                select(Output.id, effective_score, score_source()).where(some)
            )
            for output_id, value, by in rows:
                if value is not None:
                    found[output_id] = EffectiveGrade(value=value, by=by)
        return found

    async def get(self, output_id: UUID) -> EffectiveScore:
        found = await self._session.execute(_READ.where(Output.id == output_id))
        return _effective(*found.one())

    async def by_variant(
        self, run_id: UUID, *, only: int | None = None
    ) -> Mapping[int, VariantScore]:
        """Scores by variant position, without variants that have no outputs."""
        scored = select(
            Output.variant_position, effective_score.label("score"), Output.human_value
        ).where(Output.run_id == run_id)
        if only is not None:
            scored = scored.where(Output.variant_position == only)
        # Otherwise each score is computed for the mean and again for the count.
        each = scored.cte("scored").prefix_with("MATERIALIZED").c
        found = await self._session.execute(
            select(
                each.variant_position,
                func.avg(each.score),
                func.count(each.score),
                func.count(each.human_value),
            ).group_by(each.variant_position)
        )
        return {
            position: VariantScore(mean=mean, count=count, human_count=human)
            for position, mean, count, human in found
        }

    async def set_human_value(self, output_id: UUID, value: float | None) -> None:
        await self._session.execute(
            update(Output)
            .where(Output.id == output_id)
            .values(human_value=value)
            .execution_options(synchronize_session=False)
        )


def _effective(
    output_id: UUID, case: int, variant: int, repeat: int, value: float | None, is_human: bool
) -> EffectiveScore:
    return EffectiveScore(
        output_id=output_id,
        case_position=case,
        variant_position=variant,
        repeat=repeat,
        value=value,
        is_human=is_human,
    )
