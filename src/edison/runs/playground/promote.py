"""Saves results of a run to datasets: answers as expected answers, rows as cases."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.library.datasets import service as datasets
from edison.library.datasets.models import Case
from edison.library.datasets.schemas.datasets import CaseRead, CaseRequest
from edison.runs.playground.errors import AnotherAnswer, CaseChanged, CaseGone, KnownCase, NoAnswer
from edison.runs.playground.schemas import ExpectedRequest, RowCaseRequest
from edison.runs.read import service as runs
from edison.runs.store import service as run_scores
from edison.runs.store.models import Output, RunCase


async def save_expected(
    session: AsyncSession,
    *,
    project_id: UUID,
    output_id: UUID,
    wanted: ExpectedRequest,
    author_id: UUID,
) -> Case:
    """Saves an answer as the expected answer of its case. Raises NoAnswer, AnotherAnswer, CaseGone,
    and CaseChanged unless forced.
    """
    output = await run_scores.lock_output(session, project_id=project_id, output_id=output_id)
    if wanted.about not in (None, output.number):
        raise AnotherAnswer
    expected = _answer_of(output, is_parsed=wanted.is_parsed)
    row = await runs.get_case(
        session, project_id=project_id, run_id=output.run_id, position=output.case_position
    )
    case = await _find_case(session, project_id, output.run_id, row)
    is_changed = (case.inputs, case.expected) != (row.inputs, row.expected)
    if is_changed and case.expected != expected and not wanted.is_forced:
        raise CaseChanged(
            {
                "case_expected": case.expected,
                "run_expected": row.expected,
                "proposed": expected,
                "current": CaseRead.model_validate(case).model_dump(mode="json"),
            }
        )
    return await datasets.save_expected(
        session, project_id=project_id, case=case, expected=expected, author_id=author_id
    )


async def add_row(
    session: AsyncSession,
    *,
    project_id: UUID,
    place: tuple[UUID, int],
    wanted: RowCaseRequest,
    author_id: UUID,
) -> Case:
    """Creates a case from a row; `place` is the run and the position. Raises Invalid, KnownCase."""
    run_id, position = place
    row = await runs.get_case(session, project_id=project_id, run_id=run_id, position=position)
    request = CaseRequest(
        inputs=row.inputs,
        expected=await _expected_of(session, project_id, row, wanted),
        tags=row.tags if wanted.tags is None else wanted.tags,
        difficulty=row.difficulty,
    )
    if problems := datasets.find_problems(request):
        raise Invalid(*problems)
    (case_id,) = await datasets.add_cases(
        session,
        project_id=project_id,
        dataset_id=wanted.dataset_id,
        wanted=[request],
        author_id=author_id,
    )
    if case_id is None:
        raise KnownCase
    return await datasets.get_case(
        session, project_id=project_id, dataset_id=wanted.dataset_id, case_id=case_id
    )


async def _find_case(session: AsyncSession, project_id: UUID, run_id: UUID, row: RunCase) -> Case:
    run = await runs.get_run(session, project_id=project_id, run_id=run_id)
    if run.dataset_id is None or row.case_id is None:
        raise CaseGone
    try:
        return await datasets.get_case(
            session, project_id=project_id, dataset_id=run.dataset_id, case_id=row.case_id
        )
    except NotFound as gone:
        raise CaseGone from gone


async def _expected_of(
    session: AsyncSession, project_id: UUID, row: RunCase, wanted: RowCaseRequest
) -> str | None:
    if wanted.output_id is None:
        return wanted.expected
    output = await run_scores.lock_output(
        session, project_id=project_id, output_id=wanted.output_id
    )
    if (output.run_id, output.case_position) != (row.run_id, row.position):
        message = "This output belongs to another row."
        raise Invalid(FieldProblem(field="output_id", message=message, code="unknown_output"))
    return _answer_of(output, is_parsed=True)


def _answer_of(output: Output, *, is_parsed: bool) -> str:
    """The parsed part of the answer, or all of it. Raises NoAnswer."""
    if output.status == "error" or output.text is None:
        raise NoAnswer
    return output.parsed if is_parsed and output.parsed is not None else output.text
