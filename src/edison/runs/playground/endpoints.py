"""Routes of the playground. What comes of its runs is read where that of all runs is."""

from fastapi import status

from edison.api.routing import api_router
from edison.api.session import CurrentDatabase
from edison.library.calls.access import CurrentGateway
from edison.runs.engine import service as runs
from edison.runs.engine.schemas.reads import RunDetail
from edison.runs.playground import service
from edison.runs.playground.schemas import PlaygroundCheck, PlaygroundRequest
from edison.workspace.projects.access import EditorBriefly, ViewerBriefly

router = api_router("/projects/{project}/playground", tag="playground")


@router.post("/runs", status_code=status.HTTP_201_CREATED)
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


@router.post("/check")
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
