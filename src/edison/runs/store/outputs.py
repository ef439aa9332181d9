"""All SQL that reads cases, outputs and scores: filters, sort orders, pages."""

from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, bindparam, cast, func, or_, select
from sqlalchemy import Text as TextType
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, defer, load_only

from edison.api.pagination import (
    PageRequest,
    Slice,
    SortedId,
    Sorting,
    contains,
    list_sorted,
    paginate_ids,
)
from edison.db.membership import is_one_of
from edison.db.prepared import Prepared
from edison.kit.errors import NotFound
from edison.pipeline.generate.path.question import Answer
from edison.runs.store.effective_scores import effective_score
from edison.runs.store.models import Output, Run, RunCase, Score, SentPrompt
from edison.runs.store.rows import restore_answers
from edison.runs.store.schemas import OutputFilter, RowFilter, RowOrder
from edison.runs.store.types import StoredCase

_FIGURES: Mapping[str, ColumnElement[Any] | InstrumentedAttribute[Any]] = {
    "grade": effective_score,
    "tokens": Output.input_tokens + Output.output_tokens,
    "cost": Output.cost_nanos,
    "latency": Output.latency_seconds,
}


def in_order(run_id: UUID, order: RowOrder | None, conditions: Sequence[Any]) -> Select[int]:
    """Positions of the matching rows. Sorting by a variant's figure uses the mean over its repeats;
    rows without a value come last in both directions.
    """
    statement = select(RunCase.position).where(RunCase.run_id == run_id, *conditions)
    if order is None:
        return statement.order_by(RunCase.position)
    means = (
        select(Output.case_position, func.avg(_FIGURES[order.figure]).label("mean"))
        .where(Output.run_id == run_id, Output.variant_position == order.variant)
        .group_by(Output.case_position)
        .subquery()
    )
    mean = means.c.mean
    return statement.outerjoin(means, means.c.case_position == RunCase.position).order_by(
        mean.is_(None), mean.desc() if order.is_falling else mean, RunCase.position
    )


# Outputs without a score sort below the lowest score.
OUTPUT_SORTING = Sorting(
    columns={"number": Output.number, "score": func.coalesce(effective_score, -1.0)},
    default="number",
    id=Output.id,
)

# Without the long text columns.
_CELL_SCORE = load_only(
    Score.output_id, Score.scorer_position, Score.number, Score.value, Score.is_passed, Score.flag
)

_HAS_OUTPUTS = Prepared(
    lambda _: (
        select(Output.case_position)
        .where(
            Output.run_id == bindparam("of_run"),
            Output.case_position >= bindparam("first"),
            Output.case_position < bindparam("end"),
        )
        .limit(1)
    )
)


class Outputs:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_cases(self, run_id: UUID, first: int, end: int) -> Sequence[StoredCase]:
        found = await self._session.execute(
            select(
                RunCase.position,
                RunCase.expected,
                RunCase.inputs,
                RunCase.assertions,
                RunCase.tags,
            )
            .where(RunCase.run_id == run_id, RunCase.position >= first, RunCase.position < end)
            .order_by(RunCase.position)
        )
        return [StoredCase(*row) for row in found]

    async def has_outputs(self, run_id: UUID, first: int, end: int) -> bool:
        """Whether there are outputs in a range of cases."""
        return bool(await _HAS_OUTPUTS.fetch(self._session, of_run=run_id, first=first, end=end))

    async def list_outputs(self, run_id: UUID, first: int, end: int) -> Sequence[Output]:
        """The outputs in a range of cases, refreshed from the database."""
        found = await self._session.scalars(
            select(Output)
            .where(
                Output.run_id == run_id,
                Output.case_position >= first,
                Output.case_position < end,
            )
            .order_by(Output.case_position, Output.variant_position, Output.repeat)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def list_scored(self, run_id: UUID, first: int, end: int) -> set[tuple[UUID, int]]:
        """The (output id, scorer position) pairs that already have a score, in a range of cases."""
        found = await self._session.execute(
            select(Score.output_id, Score.scorer_position)
            .join(Output, Output.id == Score.output_id)
            .where(
                Output.run_id == run_id,
                Output.case_position >= first,
                Output.case_position < end,
            )
        )
        return {(output_id, position) for output_id, position in found}

    async def list_positions(
        self, run_id: UUID, wanted: RowFilter, order: RowOrder | None
    ) -> Sequence[int]:
        """The positions of all matching cases, in the given order. Scans every cell of the run."""
        found = await self._session.scalars(in_order(run_id, order, _conditions(run_id, wanted)))
        return array("l", found)

    async def list_at(self, run_id: UUID, positions: Sequence[int]) -> Sequence[RunCase]:
        """The cases at these positions, in the given order."""
        found = await self._session.scalars(
            select(RunCase).where(
                RunCase.run_id == run_id, is_one_of(self._session, RunCase.position, positions)
            )
        )
        cases = {case.position: case for case in found}
        return [cases[at] for at in positions if at in cases]

    async def list_next(
        self, run_id: UUID, wanted: RowFilter, after: int, limit: int
    ) -> Sequence[RunCase]:
        """The next matching cases after a position."""
        found = await self._session.scalars(
            select(RunCase)
            .where(RunCase.run_id == run_id, RunCase.position > after, *_conditions(run_id, wanted))
            .order_by(RunCase.position)
            .limit(limit)
        )
        return found.all()

    async def list_whole(self, run_id: UUID, positions: Collection[int]) -> Sequence[Output]:
        """The outputs of these cases, including long texts."""
        found = await self._session.scalars(
            select(Output)
            .where(Output.run_id == run_id, Output.case_position.in_(positions))
            .options(defer(Output.completion))
            .order_by(Output.case_position, Output.variant_position, Output.repeat)
        )
        return found.all()

    async def list_scores_after(
        self, run_id: UUID, after: int, upto: int
    ) -> Sequence[tuple[Score, int, int, int]]:
        """Scores in the order of their numbers, with case, variant and repeat."""
        found = await self._session.execute(
            select(Score, Output.case_position, Output.variant_position, Output.repeat)
            .join(Output, Output.id == Score.output_id)
            .where(Score.run_id == run_id, Score.number > after, Score.number <= upto)
            .options(_CELL_SCORE)
            .order_by(Score.number)
        )
        return [(score, case, variant, repeat) for score, case, variant, repeat in found]

    async def list_scores(self, output_ids: Collection[UUID]) -> Sequence[Score]:
        found: list[Score] = []
        ids = list(output_ids)
        for start in range(0, len(ids), 500):
            some = await self._session.scalars(
                select(Score)
                .where(Score.output_id.in_(ids[start : start + 500]))
                .order_by(Score.output_id, Score.scorer_position)
            )
            found += some.all()
        return found

    async def list_answers(self, run_id: UUID, first: int, end: int) -> dict[str, Answer]:
        """The judges' answers behind the scores in a range of cases, by digest."""
        found = await self._session.scalars(
            select(Score.answers)
            .join(Output, Output.id == Score.output_id)
            .where(
                Output.run_id == run_id,
                Output.case_position >= first,
                Output.case_position < end,
            )
            .order_by(Score.output_id, Score.scorer_position)
        )
        return restore_answers(found)

    async def page_outputs(
        self, run_id: UUID, *, wanted: OutputFilter, page: PageRequest
    ) -> Slice[UUID]:
        """One page of output ids."""
        statement = _matching(run_id, wanted, page.q)
        return await paginate_ids(
            self._session, statement, page=page, sorting=OUTPUT_SORTING, total=None
        )

    async def list_sorted(
        self, run_id: UUID, *, wanted: OutputFilter, page: PageRequest
    ) -> Sequence[SortedId]:
        """The ids of all matching outputs with their sort keys, in the page's sort order."""
        statement = _matching(run_id, wanted, page.q)
        return await list_sorted(self._session, statement, sort=page.sort, sorting=OUTPUT_SORTING)

    async def get_output(self, project_id: UUID, output_id: UUID) -> Output:
        found = await self._session.scalar(
            select(Output)
            .join(Run, Run.id == Output.run_id)
            .where(Output.id == output_id, Run.project_id == project_id)
            .execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound("There is no such output.")
        return found

    async def get_sent(self, project_id: UUID, digest: str) -> str | None:
        return await self._session.scalar(
            select(SentPrompt.content).where(
                SentPrompt.project_id == project_id, SentPrompt.digest == digest
            )
        )


def _matching(run_id: UUID, wanted: OutputFilter, text: str | None) -> Select[Any]:
    statement: Select[Any] = select(Output).where(Output.run_id == run_id)
    if wanted.status is not None:
        statement = statement.where(Output.status == wanted.status)
    if wanted.min_score is not None:
        statement = statement.where(effective_score >= wanted.min_score)
    if wanted.max_score is not None:
        statement = statement.where(effective_score <= wanted.max_score)
    if wanted.is_human is not None:
        is_human = Output.human_value.is_not(None)
        statement = statement.where(is_human if wanted.is_human else ~is_human)
    if text is not None:
        statement = statement.where(contains(Output.text, text))
    return statement


def _conditions(run_id: UUID, wanted: RowFilter) -> list[Any]:
    """Conditions on rows; different cells of a row may satisfy different conditions."""
    cells = select(Output.case_position).where(Output.run_id == run_id)
    conditions: list[Any] = []
    if wanted.statuses:
        conditions.append(RunCase.position.in_(cells.where(Output.status.in_(wanted.statuses))))
    if wanted.min_score is not None or wanted.max_score is not None:
        low, high = wanted.min_score, wanted.max_score
        if low is not None:
            cells = cells.where(effective_score >= low)
        if high is not None:
            cells = cells.where(effective_score <= high)
        conditions.append(RunCase.position.in_(cells))
    if wanted.q is not None and (text := wanted.q.strip()):
        conditions.append(_mentions(run_id, text))
    return conditions


def _mentions(run_id: UUID, text: str) -> ColumnElement[bool]:
    said = select(Output.case_position).where(
        Output.run_id == run_id, or_(contains(Output.text, text), contains(Output.message, text))
    )
    inputs = cast(RunCase.inputs, TextType)
    return or_(
        RunCase.position.in_(said),
        contains(inputs, text),
        contains(RunCase.expected, text),
    )
