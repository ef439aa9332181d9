"""What came of a run, as it is read: rows for a grid, outputs in a list, one with everything."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit.errors import NotFound
from edison.runs.engine.models import Output, RunCase, Score
from edison.runs.engine.reading_outputs import read_cell, read_output, read_row
from edison.runs.engine.repository.effective import Effective
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.reads import CellRead, OutputDetail, RowPage
from edison.runs.engine.schemas.requests import OutputFilter, RowFilter, RowSpan


async def list_rows(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, wanted: RowFilter, span: RowSpan
) -> RowPage:
    await Runs(session).get(project_id, run_id)
    reader = Reading(session)
    cases, following, total = await reader.list_rows(run_id, wanted, span)
    outputs = await reader.list_cells(run_id, [case.position for case in cases])
    by_case: dict[int, list[CellRead]] = defaultdict(list)
    for cell in await _cells(session, outputs):
        by_case[cell.case_position].append(cell)
    return RowPage(
        items=[read_row(case, by_case[case.position]) for case in cases],
        next=following,
        total=total,
    )


async def list_outputs(
    session: AsyncSession,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: OutputFilter,
    page: PageRequest,
) -> Slice[CellRead]:
    await Runs(session).get(project_id, run_id)
    reader = Reading(session)
    found = await reader.page_outputs(run_id, wanted=wanted, page=page)
    return Slice(items=await _cells(session, found.items), next=found.next, total=found.total)


async def _cells(session: AsyncSession, outputs: Sequence[Output]) -> list[CellRead]:
    output_ids = [output.id for output in outputs]
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in await Reading(session).list_cell_scores(output_ids):
        scores[score.output_id].append(score)
    grades = await Effective(session).find_grades(output_ids)
    return [read_cell(output, scores[output.id], grades.get(output.id)) for output in outputs]


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
