"""All SQL about the score that counts for an output: what people say, or else its scorers. What is
malformed is worth nothing, also where nobody says so.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.membership import is_one_of
from edison.pipeline.score.registry import load_scorer, scorer_kinds
from edison.pipeline.score.scorer import CostClass
from edison.runs.engine.models import Output, RunScorer, Score
from edison.runs.engine.summaries import EffectiveScore, Grade, VariantScore

IDS_AT_ONCE = 500


def _automatic() -> ColumnElement[Any]:
    """The mean of an output's scores by the weights of their scorers; none without a value."""
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
    """Whether a scorer that asks a model has a say in an output's score."""
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


def giver() -> ColumnElement[Any]:
    """Who gave an output's score, as `Grade` names them."""
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

    async def find_grades(self, output_ids: Collection[UUID]) -> Mapping[UUID, Grade]:
        """By output; those without a score are not there."""
        found: dict[UUID, Grade] = {}
        ids = list(output_ids)
        for start in range(0, len(ids), IDS_AT_ONCE):
            some = is_one_of(self._session, Output.id, ids[start : start + IDS_AT_ONCE])
            rows = await self._session.execute(
                select(Output.id, effective_score, giver()).where(some)
            )
            for output_id, value, by in rows:
                if value is not None:
                    found[output_id] = Grade(value=value, by=by)
        return found

    async def get(self, output_id: UUID) -> EffectiveScore:
        found = await self._session.execute(_READ.where(Output.id == output_id))
        return _effective(*found.one())

    async def by_variant(
        self, run_id: UUID, *, only: int | None = None
    ) -> Mapping[int, VariantScore]:
        """By position; those without outputs are not there."""
        statement: Select[Any] = select(
            Output.variant_position,
            func.avg(effective_score),
            func.count(effective_score),
            func.count(Output.human_value),
        ).where(Output.run_id == run_id)
        if only is not None:
            statement = statement.where(Output.variant_position == only)
        found = await self._session.execute(statement.group_by(Output.variant_position))
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
