"""Routes of the playground: its runs, and what is taken over from runs into datasets."""

from typing import Annotated
from uuid import UUID

from fastapi import Path, status

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.library.datasets.schemas import CaseRead
from edison.runs.playground import promote, service
from edison.runs.playground.schemas import (
    ExpectedRequest,
    PlaygroundCheck,
    PlaygroundRequest,
    RowCaseRequest,
)
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.workspace.projects.access import Editor, EditorBriefly, ViewerBriefly

router = api_router("/projects/{project}", tag="playground")

Position = Annotated[int, Path(ge=0, le=2**31 - 1)]


@router.post(
    "/playground/runs", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def create_playground_run(
    body: PlaygroundRequest,
    member: EditorBriefly,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunDetail:
    """Ask several models the same and watch them answer. Everything wrong is told at once.

    Each person has one such run under way in a project; a second one is refused with the first
    one's id in `details`.
    """
    run_id = await service.start_run(
        database,
        project_id=member.project_id,
        user_id=member.user_id,
        wanted=body,
        at_once=gateway.calls_per_credential,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@router.post("/playground/check")
async def check_playground_run(
    body: PlaygroundRequest,
    member: ViewerBriefly,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> PlaygroundCheck:
    """What stands in the way of a run, and what it would take. Nothing is asked."""
    return await service.check_run(
        database,
        project_id=member.project_id,
        user_id=member.user_id,
        wanted=body,
        at_once=gateway.calls_per_credential,
    )


@router.post("/outputs/{output_id}/expected")
async def save_expected(
    output_id: UUID, body: ExpectedRequest, member: Editor, session: Session
) -> CaseRead:
    """Make an answer the expected one of its case.

    Refused with both texts in `details` when the case was changed since the run.
    """
    case = await promote.save_expected(
        session,
        project_id=member.project_id,
        output_id=output_id,
        wanted=body,
        author_id=member.user_id,
    )
    return CaseRead.model_validate(case)


@router.post("/runs/{run_id}/rows/{position}/case", status_code=status.HTTP_201_CREATED)
async def add_row_to_dataset(
    run_id: UUID, position: Position, body: RowCaseRequest, member: Editor, session: Session
) -> CaseRead:
    """Add a row of a run to a dataset, with an answer as the expected one if wanted."""
    case = await promote.add_row(
        session,
        project_id=member.project_id,
        place=(run_id, position),
        wanted=body,
        author_id=member.user_id,
    )
    return CaseRead.model_validate(case)
