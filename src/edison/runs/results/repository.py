"""All SQL behind the statistics of runs: plain columns, page by page."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Row, Text, cast, func, select, type_coerce
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from edison.runs.scoring.models import (
    AnnotationItem,
    AnnotationQueue,
    AnnotationSeat,
    HumanScore,
    OutputFlag,
)
from edison.runs.scoring.states import SampleStrategy
from edison.runs.store.models import Comparison, Output, Run, RunCase, Score

Rows = Sequence[Row[*tuple[Any, ...]]]

# A run has up to a hundred thousand rows: columns of tables are read faster than those of classes.
_CASES, _OUTPUTS, _SCORES = RunCase.__table__.c, Output.__table__.c, Score.__table__.c


class ResultRows:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def get_number(self, run_id: UUID) -> int:
        """Changes whenever outputs, scores or human scores of the run change."""
        found = await self._session.execute(select(Run.last_number).where(Run.id == run_id))
        return found.scalar_one()

    async def find_number(self, project_id: UUID, run_id: UUID) -> tuple[int, str] | None:
        """The number with the run's state, which decides whether there are verdicts."""
        found = await self._session.execute(
            select(Run.last_number, Run.state).where(Run.project_id == project_id, Run.id == run_id)
        )
        row = found.one_or_none()
        return None if row is None else (row[0], row[1])

    async def list_cases(self, run_id: UUID, *, after: int, limit: int) -> Rows:
        """Position, tags, difficulty, expected answer and inputs, the last as unparsed JSON."""
        found = await self._session.execute(
            select(
                _CASES.position,
                _CASES.tags,
                _CASES.difficulty,
                _CASES.expected,
                _unread(_CASES.inputs),
            )
            .where(_CASES.run_id == run_id, _CASES.position > after)
            .order_by(_CASES.position)
            .limit(limit)
        )
        return found.all()

    async def list_outputs(
        self, run_id: UUID, *, after: int, upto: int, limit: int, has_usage: bool
    ) -> Rows:
        """In the order of the number, the first column. The id is a text. With `has_usage`, tokens,
        finish reason and the answer's length follow.
        """
        usage = (
            _OUTPUTS.input_tokens,
            _OUTPUTS.output_tokens,
            _OUTPUTS.finish_reason,
            func.length(func.coalesce(_OUTPUTS.parsed, _OUTPUTS.text)),
        )
        found = await self._session.execute(
            select(
                _OUTPUTS.number,
                _unread(_OUTPUTS.id),
                _OUTPUTS.case_position,
                _OUTPUTS.variant_position,
                _OUTPUTS.repeat,
                _OUTPUTS.status,
                _OUTPUTS.cost_nanos,
                _OUTPUTS.latency_seconds,
                *(usage if has_usage else ()),
            )
            .where(_OUTPUTS.run_id == run_id, _OUTPUTS.number > after, _OUTPUTS.number <= upto)
            .order_by(_OUTPUTS.number)
            .limit(limit)
        )
        return found.all()

    async def list_scores(self, run_id: UUID, *, after: int, upto: int, limit: int) -> Rows:
        """In the order of the number, the first column. The output's id is a text, criteria and
        judges are unparsed JSON.
        """
        found = await self._session.execute(
            select(
                _SCORES.number,
                _unread(_SCORES.output_id),
                _SCORES.scorer_position,
                _SCORES.value,
                type_coerce(_SCORES.is_passed, Integer),
                _SCORES.flag,
                _SCORES.cost_nanos,
                _unread(_SCORES.criteria),
                _unread(_SCORES.judges),
            )
            .where(_SCORES.run_id == run_id, _SCORES.number > after, _SCORES.number <= upto)
            .order_by(_SCORES.number)
            .limit(limit)
        )
        return found.all()

    async def list_comparisons(self, run_id: UUID, *, after: int, upto: int, limit: int) -> Rows:
        """In the order of the number, the first column."""
        found = await self._session.execute(
            select(
                Comparison.number,
                Comparison.comparer_position,
                Comparison.case_position,
                Comparison.variant_a,
                Comparison.variant_b,
                Comparison.preference,
                Comparison.verdict_ab,
                Comparison.verdict_ba,
                Comparison.cost_nanos,
            )
            .where(
                Comparison.run_id == run_id, Comparison.number > after, Comparison.number <= upto
            )
            .order_by(Comparison.number)
            .limit(limit)
        )
        return found.all()

    async def list_human_scores(self, run_id: UUID) -> Rows:
        """Human scores. The output's id is a text; the last column says whether the output was
        randomly sampled for that person.
        """
        drawn = (
            select(AnnotationSeat.id)
            .join(AnnotationItem, AnnotationItem.id == AnnotationSeat.item_id)
            .join(AnnotationQueue, AnnotationQueue.id == AnnotationItem.queue_id)
            .where(
                AnnotationItem.output_id == HumanScore.output_id,
                AnnotationSeat.user_id == HumanScore.user_id,
                AnnotationSeat.is_scored,
                AnnotationQueue.strategy == SampleStrategy.RANDOM,
            )
            .correlate(HumanScore)
        )
        found = await self._session.execute(
            select(
                _unread(HumanScore.output_id),
                HumanScore.user_id,
                HumanScore.question,
                HumanScore.value,
                HumanScore.criteria,
                drawn.exists(),
            )
            .join(Output, Output.id == HumanScore.output_id)
            .where(Output.run_id == run_id, HumanScore.value.is_not(None))
            .order_by(HumanScore.id)
        )
        return found.all()

    async def list_flagged(
        self, run_id: UUID, positions: Collection[int] | None = None
    ) -> frozenset[int]:
        """Positions of cases with a flagged output; restricted to `positions` if given."""
        statement = (
            select(Output.case_position)
            .join(OutputFlag, OutputFlag.output_id == Output.id)
            .where(Output.run_id == run_id)
        )
        if positions is not None:
            statement = statement.where(Output.case_position.in_(positions))
        return frozenset(await self._session.scalars(statement))

    async def find_inputs(
        self, run_id: UUID, positions: Collection[int]
    ) -> Mapping[int, dict[str, Any]]:
        found = await self._session.execute(
            select(RunCase.position, RunCase.inputs).where(
                RunCase.run_id == run_id, RunCase.position.in_(positions)
            )
        )
        return {position: inputs for position, inputs in found}

    async def find_outputs(
        self, run_id: UUID, variant: int, positions: Collection[int]
    ) -> Mapping[int, UUID]:
        """The first repeat's output of each case."""
        found = await self._session.execute(
            select(Output.case_position, Output.id)
            .where(
                Output.run_id == run_id,
                Output.variant_position == variant,
                Output.case_position.in_(positions),
            )
            .order_by(Output.repeat.desc())
        )
        return {position: id_ for position, id_ in found}


def _unread(column: InstrumentedAttribute[Any] | ColumnElement[Any]) -> Any:
    """A column as text: parsing JSON and ids here would block the event loop."""
    return cast(column, Text)
