"""Routes for runs as a whole."""

from typing import Annotated
from uuid import UUID

from fastapi import Response, status

from edison.api.pagination import PageParams, Slice
from edison.api.parameters import read_into
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Conflict, Exhausted
from edison.library.calls.access import CurrentGateway
from edison.pipeline.generate.path.question import CacheMode
from edison.runs.engine import service, starting
from edison.runs.engine.freezing import Asker
from edison.runs.engine.schemas.reads import ReplayComparison, RunDetail, RunEstimate, RunRead
from edison.runs.engine.schemas.requests import AgainRequest, RunChange, RunFilter, RunRequest
from edison.workspace.projects.access import Editor, EditorBriefly, Viewer, ViewerBriefly

router = api_router("/projects/{project}/runs", tag="runs")

ORIGIN = "api"


@router.get("", response_model=Page[RunRead])
async def list_runs(
    member: Viewer,
    wanted: Annotated[RunFilter, read_into(RunFilter)],
    page: PageParams,
    session: Session,
) -> Slice[RunRead]:
    """The project's runs, the latest first."""
    return await service.list_runs(session, project_id=member.project_id, wanted=wanted, page=page)


@router.post("", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def create_run(
    body: RunRequest, member: EditorBriefly, database: CurrentDatabase, gateway: CurrentGateway
) -> RunDetail:
    """Ask variants about cases, and score what they answer. Everything wrong is told at once."""
    run_id = await starting.start_run(
        database,
        asker=Asker(project_id=member.project_id, origin=ORIGIN, author_id=member.user_id),
        wanted=body,
        at_once=gateway.calls_per_credential,
    )
    async with database.read() as session:
        return await service.get_run(session, project_id=member.project_id, run_id=run_id)


@router.post("/estimate")
async def estimate_run(
    body: RunRequest, member: ViewerBriefly, database: CurrentDatabase, gateway: CurrentGateway
) -> RunEstimate:
    """What a run would take in calls, tokens, money and time. Nothing is asked."""
    return await starting.estimate_run(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.get("/{run_id}")
async def get_run(run_id: UUID, member: Viewer, session: Session) -> RunDetail:
    """A run with its variants, how far it is and what can be done with it."""
    return await service.get_run(session, project_id=member.project_id, run_id=run_id)


@router.patch("/{run_id}")
async def rename_run(run_id: UUID, body: RunChange, member: Editor, session: Session) -> RunDetail:
    """Give a run another name."""
    return await service.rename_run(
        session, project_id=member.project_id, run_id=run_id, name=body.name
    )


@router.delete("/{run_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_run(run_id: UUID, member: Editor, session: Session) -> Response:
    """Delete a run that is over, with its outputs. What it cost stays in the ledger."""
    await service.delete_run(session, project_id=member.project_id, run_id=run_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{run_id}/pause")
async def pause_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Let calls under way come to their end, and start nothing new."""
    return await service.pause_run(session, project_id=member.project_id, run_id=run_id)


@router.post("/{run_id}/resume", openapi_extra=raises(Exhausted))
async def resume_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Go on with exactly the cells that are missing."""
    return await service.resume_run(session, project_id=member.project_id, run_id=run_id)


@router.post("/{run_id}/cancel")
async def cancel_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """End a run for good. Calls under way are cut off; results so far are kept."""
    return await service.cancel_run(session, project_id=member.project_id, run_id=run_id)


@router.post("/{run_id}/retry", openapi_extra=raises(Exhausted))
async def retry_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Make the cells that failed again, and the scores that could not be read, and only those."""
    return await service.retry_run(session, project_id=member.project_id, run_id=run_id)


@router.post(
    "/{run_id}/again", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def run_again(
    run_id: UUID, body: AgainRequest, member: EditorBriefly, database: CurrentDatabase
) -> RunDetail:
    """A new run of the same variants, cases and scorers, as they were then."""
    new_id = await starting.start_again(
        database,
        project_id=member.project_id,
        run_id=run_id,
        author_id=member.user_id,
        cache_mode=CacheMode.BYPASS if body.is_cache_bypassed else CacheMode.USE,
    )
    async with database.read() as session:
        return await service.get_run(session, project_id=member.project_id, run_id=new_id)


@router.post(
    "/{run_id}/replay", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def replay_run(run_id: UUID, member: EditorBriefly, database: CurrentDatabase) -> RunDetail:
    """Recompute a run from its stored answers, without asking any model."""
    new_id = await starting.start_replay(
        database, project_id=member.project_id, run_id=run_id, author_id=member.user_id
    )
    async with database.read() as session:
        return await service.get_run(session, project_id=member.project_id, run_id=new_id)


@router.get("/{run_id}/replay-comparison", openapi_extra=raises(Conflict))
async def compare_replay(run_id: UUID, member: Viewer, session: Session) -> ReplayComparison:
    """Whether a replay gave what the run it replays gave."""
    return await service.compare_with_original(session, project_id=member.project_id, run_id=run_id)
