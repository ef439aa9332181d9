"""Routes for runs as a whole."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response, status
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import PageParams, Slice
from edison.api.parameters import read_into
from edison.api.routing import api_router, json_response, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.api.sse import StartAfter
from edison.kit.errors import Conflict, Exhausted
from edison.library.calls.access import CurrentGateway
from edison.pipeline.generate.path.question import CacheMode
from edison.runs.plan import scorers
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import (
    AgainRequest,
    ComparerKindRead,
    RunChange,
    RunEstimate,
    RunRequest,
)
from edison.runs.plan.types import RunContext
from edison.runs.read import comparisons, export
from edison.runs.read import service as runs
from edison.runs.read.export import ExportFormat
from edison.runs.read.feed import Feeds
from edison.runs.read.schemas import (
    CellRead,
    ComparisonRead,
    OutputDetail,
    ReplayComparison,
    RowPage,
    RunDetail,
    RunRead,
)
from edison.runs.store.schemas import OutputFilter, RowFilter, RowSpan, RunFilter
from edison.workspace.projects.access import (
    Editor,
    EditorBriefly,
    StreamViewer,
    Viewer,
    ViewerBriefly,
)

runs_router = api_router("/projects/{project}/runs", tag="runs")

ORIGIN = "api"


@runs_router.get("", response_model=Page[RunRead])
async def list_runs(
    member: Viewer,
    wanted: Annotated[RunFilter, read_into(RunFilter)],
    page: PageParams,
    session: Session,
) -> Slice[RunRead]:
    """The project's runs, the latest first."""
    return await runs.list_runs(session, project_id=member.project_id, wanted=wanted, page=page)


@runs_router.post("", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def create_run(
    body: RunRequest, member: EditorBriefly, database: CurrentDatabase, gateway: CurrentGateway
) -> RunDetail:
    """Ask variants about cases, and score what they answer. Everything wrong is told at once."""
    run_id = await run_plans.start_run(
        database,
        context=RunContext(project_id=member.project_id, origin=ORIGIN, author_id=member.user_id),
        wanted=body,
        at_once=gateway.calls_per_credential,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/estimate")
async def estimate_run(
    body: RunRequest, member: ViewerBriefly, database: CurrentDatabase, gateway: CurrentGateway
) -> RunEstimate:
    """What a run would take in calls, tokens, money and time. Nothing is asked."""
    return await run_plans.estimate_run(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@runs_router.get("/{run_id}")
async def get_run(run_id: UUID, member: Viewer, session: Session) -> RunDetail:
    """A run with its variants, how far it is and what can be done with it."""
    return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.patch("/{run_id}")
async def rename_run(run_id: UUID, body: RunChange, member: Editor, session: Session) -> RunDetail:
    """Give a run another name."""
    return await runs.rename_run(
        session, project_id=member.project_id, run_id=run_id, name=body.name
    )


@runs_router.delete("/{run_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_run(run_id: UUID, member: Editor, session: Session) -> Response:
    """Delete a run that is over, with its outputs. What it cost stays in the ledger."""
    await runs.delete_run(session, project_id=member.project_id, run_id=run_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@runs_router.post("/{run_id}/pause")
async def pause_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Let calls under way come to their end, and start nothing new."""
    return await runs.pause_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/resume", openapi_extra=raises(Exhausted))
async def resume_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Go on with exactly the cells that are missing."""
    return await runs.resume_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/cancel")
async def cancel_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """End a run for good. Calls under way are cut off; results so far are kept."""
    return await runs.cancel_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/retry", openapi_extra=raises(Exhausted))
async def retry_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Make the cells that failed again, and the scores that could not be read, and only those."""
    return await runs.retry_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post(
    "/{run_id}/again", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def run_again(
    run_id: UUID, body: AgainRequest, member: EditorBriefly, database: CurrentDatabase
) -> RunDetail:
    """A new run of the same variants, cases and scorers, as they were then."""
    new_id = await run_plans.start_again(
        database,
        project_id=member.project_id,
        run_id=run_id,
        author_id=member.user_id,
        cache_mode=CacheMode.BYPASS if body.is_cache_bypassed else CacheMode.USE,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=new_id)


@runs_router.post(
    "/{run_id}/replay", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def replay_run(run_id: UUID, member: EditorBriefly, database: CurrentDatabase) -> RunDetail:
    """Recompute a run from its stored answers, without asking any model."""
    new_id = await run_plans.start_replay(
        database, project_id=member.project_id, run_id=run_id, author_id=member.user_id
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=new_id)


@runs_router.get("/{run_id}/replay-comparison", openapi_extra=raises(Conflict))
async def compare_replay(run_id: UUID, member: Viewer, session: Session) -> ReplayComparison:
    """Whether a replay gave what the run it replays gave."""
    return await runs.compare_with_original(session, project_id=member.project_id, run_id=run_id)


async def _feeds(request: Request) -> Feeds:
    found: Feeds = request.app.state.run_feeds
    return found


CurrentFeeds = Annotated[Feeds, Depends(_feeds)]

results_router = api_router("/projects/{project}", tag="runs")


@results_router.get("/runs/{run_id}/rows", response_model=RowPage)
async def list_rows(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[RowFilter, read_into(RowFilter)],
    span: Annotated[RowSpan, read_into(RowSpan)],
    session: Session,
) -> Response:
    """Cases of the run with their finished cells, in the order of the cases."""
    page = await runs.list_rows(
        session, project_id=member.project_id, run_id=run_id, wanted=wanted, span=span
    )
    return json_response(page)


@results_router.get(
    "/runs/{run_id}/export",
    response_class=StreamingResponse,
    responses=file_responses("csv", "json", "jsonl"),
)
async def export_run(
    run_id: UUID,
    member: ViewerBriefly,
    wanted: Annotated[RowFilter, read_into(RowFilter)],
    database: CurrentDatabase,
    file_format: Annotated[ExportFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """The finished cells of the rows that match as a file, however many.

    In CSV a text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    run = await export.begin_export(
        database,
        project_id=member.project_id,
        run_id=run_id,
        wanted=wanted,
        file_format=file_format,
    )
    return download(
        export.stream_cells(database, run_id=run_id, wanted=wanted, file_format=file_format),
        name=dated(run.name),
        file_format=file_format,
    )


@results_router.get("/runs/{run_id}/outputs", response_model=Page[CellRead])
async def list_outputs(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[OutputFilter, read_into(OutputFilter)],
    page: PageParams,
    session: Session,
) -> Response:
    """Finished cells in the order they were finished, or by `sort=score`."""
    found = await runs.list_outputs(
        session, project_id=member.project_id, run_id=run_id, wanted=wanted, page=page
    )
    return json_response(found)


@results_router.get(
    "/runs/{run_id}/events",
    response_class=Response,
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "Events `cells`, `scores`, `comparisons`, `progress` and `texts`",
        }
    },
)
async def stream_run_events(
    run_id: UUID, member: StreamViewer, feeds: CurrentFeeds, start: StartAfter
) -> Response:
    """The run as it happens, from now on or after `Last-Event-ID`.

    `texts` has what models have said so far in cells of a run that somebody waits for: a cell's
    text is what was known of it up to `start`, and then `text`. It is void once the cell's output
    comes, or the run is over.
    """
    return feeds.stream(member, run_id, start=start)


@results_router.get("/runs/{run_id}/comparisons", response_model=Page[ComparisonRead])
async def list_comparisons(
    run_id: UUID,
    member: Viewer,
    page: PageParams,
    session: Session,
    case_position: Annotated[int | None, Query(ge=0, description="Of this case only")] = None,
) -> Slice[ComparisonRead]:
    """Which of two answers was found better, in the order they were compared."""
    return await comparisons.list_comparisons(
        session,
        project_id=member.project_id,
        run_id=run_id,
        case_position=case_position,
        page=page,
    )


@results_router.get("/outputs/{output_id}")
async def get_output(output_id: UUID, member: Viewer, session: Session) -> OutputDetail:
    """Everything about one cell: what was sent, what came back, how it was scored."""
    return await runs.get_output(session, project_id=member.project_id, output_id=output_id)


@results_router.post("/outputs/{output_id}/rerun", openapi_extra=raises(Exhausted))
async def rerun_output(output_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Make one cell again, asking the model anew. Its old answer stays until there is a new one."""
    return await runs.rerun_output(session, project_id=member.project_id, output_id=output_id)


@results_router.get("/comparers/kinds")
async def list_comparer_kinds(member: Viewer) -> list[ComparerKindRead]:
    """Every kind of comparer, with the form of its options."""
    return scorers.list_comparer_kinds()
