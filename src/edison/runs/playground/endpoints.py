"""Endpoints of the playground: its runs, and saving results to datasets."""

from typing import Annotated
from uuid import UUID

from fastapi import Path, status

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.library.datasets.schemas.datasets import CaseRead
from edison.runs.playground import promote, service
from edison.runs.playground.schemas import (
    ExpectedRequest,
    PlaygroundCheck,
    PlaygroundRequest,
    RowCaseRequest,
)
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.workspace.projects.access import (
    Editor,
    EditorWithoutTransaction,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}", tag="playground")

Position = Annotated[int, Path(ge=0, le=2**31 - 1)]


@router.post(
    "/playground/runs", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def create_playground_run(
    body: PlaygroundRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunDetail:
    """Starts a run of one prompt on several models. Errors list all problems at once.

    Each user may have one active playground run per project; a second one is refused with the first
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
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> PlaygroundCheck:
    """Validates and estimates a playground run. No model is called."""
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
    """Saves an answer as the expected answer of its case.

    Refused if the case has changed since the run; `details` holds both texts.
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
    """Adds a row of a run to a dataset as a case, optionally with an answer as the expected one."""
    case = await promote.add_row(
        session,
        project_id=member.project_id,
        place=(run_id, position),
        wanted=body,
        author_id=member.user_id,
    )
    return CaseRead.model_validate(case)
