"""All SQL that reads the cases, outputs and scores of runs."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, cast, func, or_, select
from sqlalchemy import Text as TextType
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer, load_only
from sqlalchemy.sql.base import ExecutableOption

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit.errors import NotFound
from edison.runs.engine.models import Output, Run, RunCase, Score, SentPrompt
from edison.runs.engine.repository.effective import effective_score
from edison.runs.engine.repository.row_order import in_order
from edison.runs.engine.schemas.requests import OutputFilter, RowFilter, RowSpan

# What has no score comes before the worst, and behind the best.
_SORTING = Sorting(
    columns={"number": Output.number, "score": func.coalesce(effective_score, -1.0)},
    default="number",
    id=Output.id,
)

# Of long rows, what a grid shows: the rest of them takes longer to read than all of this.
_CELL = load_only(
    Output.number,
    Output.case_position,
    Output.variant_position,
    Output.repeat,
    Output.status,
    Output.error,
    Output.message,
    Output.text,
    Output.is_cached,
    Output.is_fallback,
    Output.is_wanted_again,
    Output.cost_nanos,
    Output.input_tokens,
    Output.output_tokens,
    Output.latency_seconds,
    Output.human_value,
)
_CELL_SCORE = load_only(
    Score.output_id, Score.scorer_position, Score.number, Score.value, Score.is_passed, Score.flag
)


class Reading:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_cases(self, run_id: UUID, first: int, end: int) -> Sequence[RunCase]:
        found = await self._session.scalars(
            select(RunCase)
            .where(RunCase.run_id == run_id, RunCase.position >= first, RunCase.position < end)
            .order_by(RunCase.position)
        )
        return found.all()

    async def list_outputs(self, run_id: UUID, first: int, end: int) -> Sequence[Output]:
        """Those of a range of cases, as they are now."""
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
        """Which outputs of a range of cases have which scores."""
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

    async def list_rows(
        self, run_id: UUID, wanted: RowFilter, span: RowSpan
    ) -> tuple[Sequence[RunCase], int | None, int]:
        """A page of cases, the position to go on after, and how many there are in all."""
        conditions = _conditions(run_id, wanted)
        if not conditions and span.order is None:
            rows = await self.list_next(run_id, wanted, span.after, span.limit + 1)
            following = rows[span.limit - 1].position if len(rows) > span.limit else None
            return rows[: span.limit], following, await self._count_cases(run_id)
        # Searching and sorting take long, so one pass finds all and counts them.
        matching = await self._session.scalars(in_order(run_id, span.order, conditions))
        positions = matching.all()
        first = _place_after(positions, span)
        shown = positions[first : first + span.limit]
        found = await self._session.scalars(
            select(RunCase).where(RunCase.run_id == run_id, RunCase.position.in_(shown))
        )
        cases = {case.position: case for case in found}
        has_more = len(positions) > first + span.limit
        return [cases[at] for at in shown], shown[-1] if has_more else None, len(positions)

    async def _count_cases(self, run_id: UUID) -> int:
        count = select(func.count()).select_from(RunCase).where(RunCase.run_id == run_id)
        return await self._session.scalar(count) or 0

    async def list_next(
        self, run_id: UUID, wanted: RowFilter, after: int, limit: int
    ) -> Sequence[RunCase]:
        """Cases that match, after a position."""
        found = await self._session.scalars(
            select(RunCase)
            .where(RunCase.run_id == run_id, RunCase.position > after, *_conditions(run_id, wanted))
            .order_by(RunCase.position)
            .limit(limit)
        )
        return found.all()

    async def list_whole(self, run_id: UUID, positions: Collection[int]) -> Sequence[Output]:
        """The outputs of these cases, with all that is long."""
        found = await self._session.scalars(
            select(Output)
            .where(Output.run_id == run_id, Output.case_position.in_(positions))
            .options(defer(Output.completion))
            .order_by(Output.case_position, Output.variant_position, Output.repeat)
        )
        return found.all()

    async def list_cells(self, run_id: UUID, positions: Collection[int]) -> Sequence[Output]:
        """For a grid: what is long is left out but for the answer itself."""
        found = await self._session.scalars(
            select(Output)
            .where(Output.run_id == run_id, Output.case_position.in_(positions))
            .options(_CELL)
            .order_by(Output.case_position, Output.variant_position, Output.repeat)
        )
        return found.all()

    async def list_after(self, run_id: UUID, after: int, upto: int) -> Sequence[Output]:
        """Outputs by their number, for streams."""
        found = await self._session.scalars(
            select(Output)
            .where(Output.run_id == run_id, Output.number > after, Output.number <= upto)
            .options(_CELL)
            .order_by(Output.number)
        )
        return found.all()

    async def list_scores_after(
        self, run_id: UUID, after: int, upto: int
    ) -> Sequence[tuple[Score, int, int, int]]:
        """Scores by their number, with case, variant and repeat."""
        found = await self._session.execute(
            select(Score, Output.case_position, Output.variant_position, Output.repeat)
            .join(Output, Output.id == Score.output_id)
            .where(Score.run_id == run_id, Score.number > after, Score.number <= upto)
            .options(_CELL_SCORE)
            .order_by(Score.number)
        )
        return [(score, case, variant, repeat) for score, case, variant, repeat in found]

    async def list_scores(self, output_ids: Collection[UUID]) -> Sequence[Score]:
        return await self._list_scores(output_ids)

    async def list_cell_scores(self, output_ids: Collection[UUID]) -> Sequence[Score]:
        """For a grid: without what is long."""
        return await self._list_scores(output_ids, _CELL_SCORE)

    async def _list_scores(
        self, output_ids: Collection[UUID], *options: ExecutableOption
    ) -> Sequence[Score]:
        found: list[Score] = []
        ids = list(output_ids)
        for start in range(0, len(ids), 500):
            some = await self._session.scalars(
                select(Score)
                .where(Score.output_id.in_(ids[start : start + 500]))
                .options(*options)
                .order_by(Score.output_id, Score.scorer_position)
            )
            found += some.all()
        return found

    async def page_outputs(
        self, run_id: UUID, *, wanted: OutputFilter, page: PageRequest
    ) -> Slice[Output]:
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
        if page.q is not None:
            statement = statement.where(contains(Output.text, page.q))
        return await paginate(self._session, statement.options(_CELL), page=page, sorting=_SORTING)

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


def _place_after(positions: Sequence[int], span: RowSpan) -> int:
    """Where in them the span begins. Out of order, a row that is gone since ends the list."""
    if span.order is None:
        return bisect_right(positions, span.after)
    if span.after < 0:
        return 0
    return positions.index(span.after) + 1 if span.after in positions else len(positions)


def _conditions(run_id: UUID, wanted: RowFilter) -> list[Any]:
    """Each may hold for another cell of the row."""
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
        inputs.icontains(text, autoescape=True),
        contains(RunCase.expected, text),
    )
