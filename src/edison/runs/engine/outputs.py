"""What came of a run, as it is read: rows for a grid, outputs in a list, one with everything."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, SortedId, slice_sorted
from edison.db.session import briefly
from edison.kit.errors import NotFound
from edison.kit.memory import Memory
from edison.runs.engine.models import Run, RunCase
from edison.runs.engine.reading_cells import Cell, write_cell, write_row
from edison.runs.engine.reading_outputs import read_output
from edison.runs.engine.repository.effective import Effective
from edison.runs.engine.repository.grid import Grid, Rows
from edison.runs.engine.repository.reading import OUTPUT_SORTING, Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.reads import OutputDetail
from edison.runs.engine.schemas.requests import OutputFilter, RowFilter, RowSpan
from edison.runs.engine.states import OVER

Found = TypeVar("Found")

ALL_ROWS = RowFilter()
# Searching and sorting look at every cell of a run, and a page is seldom the only one.
_positions: Memory[Sequence[int]] = Memory(64)
# Forty thousand of them take seven megabytes.
_sorted: Memory[Sequence[SortedId]] = Memory(4)


async def list_rows(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, wanted: RowFilter, span: RowSpan
) -> dict[str, Any]:
    """What `RowPage` describes, as JSON has it."""
    run = await _find(session, project_id, run_id)
    positions: Sequence[int] = range(run.case_count)
    if wanted != ALL_ROWS or span.order is not None:
        positions = await _recall(
            _positions,
            run,
            (wanted, span.order),
            lambda: Reading(session).list_positions(run_id, wanted, span.order),
        )
    first = _place_after(positions, span)
    shown = positions[first : first + span.limit]
    async with briefly(session):
        cases = await Reading(session).list_at(run_id, shown)
        cells = await _write(session, await Grid(session).list_of_cases(run_id, shown))
    by_case: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_case[cell["case_position"]].append(cell)
    return {
        "items": [write_row(case, by_case[case.position]) for case in cases],
        "next": shown[-1] if len(positions) > first + span.limit else None,
        "total": len(positions),
    }


def _place_after(positions: Sequence[int], span: RowSpan) -> int:
    """Where in them the span begins. Out of order, a row that is gone since ends the list."""
    if span.order is None:
        return bisect_right(positions, span.after)
    if span.after < 0:
        return 0
    return positions.index(span.after) + 1 if span.after in positions else len(positions)


async def list_outputs(
    session: AsyncSession,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: OutputFilter,
    page: PageRequest,
) -> dict[str, Any]:
    """What a page of `CellRead` describes, as JSON has it."""
    run = await _find(session, project_id, run_id)
    reading = Reading(session)
    if run.state in OVER:
        rows = await _recall(
            _sorted,
            run,
            (wanted, page.q, page.sort),
            lambda: reading.list_sorted(run_id, wanted=wanted, page=page),
        )
        found = slice_sorted(rows, page=page, sorting=OUTPUT_SORTING)
    else:
        found = await reading.page_outputs(run_id, wanted=wanted, page=page)
    async with briefly(session):
        cells = await _write(session, await Grid(session).list_in_order(found.items))
    return {"items": cells, "next": found.next, "total": found.total}


async def _find(session: AsyncSession, project_id: UUID, run_id: UUID) -> Run:
    async with briefly(session):
        return await Runs(session).get(project_id, run_id)


async def _recall(
    memory: Memory[Found], run: Run, asked: Hashable, find: Callable[[], Awaitable[Found]]
) -> Found:
    """What was found before, of a run that is over. While it is at work, all is new each time."""
    if run.state not in OVER:
        return await find()
    return await memory.recall((run.id, run.last_number, asked), find)


async def _write(session: AsyncSession, outputs: Rows) -> list[Cell]:
    scores = await Grid(session).find_scores([output_id for output_id, *_ in outputs])
    return [write_cell(output, scores.get(output[0], ())) for output in outputs]


async def get_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> OutputDetail:
    reader, runs = Reading(session), Runs(session)
    output = await reader.get_output(project_id, output_id)
    run = await runs.get(project_id, output.run_id)
    variants = await runs.list_variants(run.id)
    grades = await Effective(session).find_grades([output.id])
    return read_output(
        output,
        run=run,
        variant=variants[output.variant_position],
        scores=await reader.list_scores([output.id]),
        grade=grades.get(output.id),
        sent=await reader.get_sent(project_id, output.prompt_digest),
    )


async def get_case(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, position: int
) -> RunCase:
    """A case as it was when the run was made."""
    await Runs(session).get(project_id, run_id)
    found = await Reading(session).list_cases(run_id, position, position + 1)
    if not found:
        raise NotFound("There is no such row.")
    return found[0]
