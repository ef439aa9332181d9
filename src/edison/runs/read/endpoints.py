"""Endpoints of runs and their results."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response, status
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, json_response, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.api.streams.sse import StartAfter
from edison.kit.errors import Conflict, Exhausted
from edison.library.calls.access import CurrentGateway
from edison.runs.fill import rescore
from edison.runs.plan import rescore as plan_rescore
from edison.runs.plan import scorers
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import (
    ComparerKindRead,
    RepeatRequest,
    RescoreRequest,
    RunChange,
    RunEstimate,
    RunRequest,
)
from edison.runs.plan.types import RunContext
from edison.runs.read import causes, comparisons, export
from edison.runs.read import service as runs
from edison.runs.read.causes import FailureCause
from edison.runs.read.export import ExportFormat
from edison.runs.read.feed import RunLog
from edison.runs.read.schemas import (
    CellRead,
    ComparisonRead,
    OutputDetail,
    ReplayComparison,
    RowPage,
    RunDetail,
    RunRead,
)
from edison.runs.store.live_text import LiveTexts
from edison.runs.store.schemas import OutputFilter, RowFilter, RowSpan, RunFilter
from edison.runs.store.states import QUESTIONS, RunCache
from edison.workspace.live.access import CurrentLive
from edison.workspace.projects.access import (
    Editor,
    EditorWithoutTransaction,
    StreamViewer,
    Viewer,
    ViewerWithoutTransaction,
)

runs_router = api_router("/projects/{project}/runs", tag="runs")


@runs_router.get("", response_model=Page[RunRead])
async def list_runs(
    member: Viewer,
    wanted: Annotated[RunFilter, read_into(RunFilter)],
    page: PageParams,
    session: Session,
) -> Slice[RunRead]:
    """Returns the project's runs, latest first."""
    return await runs.list_runs(session, project_id=member.project_id, wanted=wanted, page=page)


@runs_router.post("", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def create_run(
    body: RunRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunDetail:
    """Creates a run: every variant answers every case, and scorers score the answers. Errors list
    all problems of the request at once.
    """
    run_id = await run_plans.start_run(
        database,
        context=RunContext(
            project_id=member.project_id,
            origin=QUESTIONS if body.judges_questions else body.origin,
            author_id=member.user_id,
        ),
        wanted=body,
        at_once=gateway.calls_per_credential,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/estimate")
async def estimate_run(
    body: RunRequest,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunEstimate:
    """Estimates calls, tokens, cost and time of a run. No model is called."""
    return await run_plans.estimate_run(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@runs_router.get("/{run_id}")
async def get_run(run_id: UUID, member: Viewer, session: Session) -> RunDetail:
    """Returns a run with its variants, progress and available actions."""
    return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.patch("/{run_id}")
async def change_run(run_id: UUID, body: RunChange, member: Editor, session: Session) -> RunDetail:
    """Renames, keeps, archives or restores a run."""
    return await runs.change_run(session, project_id=member.project_id, run_id=run_id, change=body)


@runs_router.delete("/{run_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_run(run_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes a finished run with its outputs. Its ledger entries are kept."""
    await runs.delete_run(session, project_id=member.project_id, run_id=run_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@runs_router.post("/{run_id}/pause")
async def pause_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Pauses a run: calls in flight finish, no new ones start."""
    return await runs.pause_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/resume", openapi_extra=raises(Exhausted))
async def resume_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Resumes a run with its missing cells."""
    return await runs.resume_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/cancel")
async def cancel_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Cancels a run for good. Calls in flight are cut off; results so far are kept."""
    return await runs.cancel_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/retry", openapi_extra=raises(Exhausted))
async def retry_run(run_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Retries only the failed cells and the unreadable scores."""
    return await runs.retry_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/rescore", openapi_extra=raises(Exhausted))
async def rescore_run(
    run_id: UUID,
    body: RescoreRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunDetail:
    """Scores a completed run with further scorers or comparers. No model is asked for an answer
    again, and the scores the run has stay.
    """
    await rescore.rescore_run(
        database,
        project_id=member.project_id,
        run_id=run_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=run_id)


@runs_router.post("/{run_id}/rescore/estimate", openapi_extra=raises(Conflict))
async def estimate_rescore(
    run_id: UUID,
    body: RescoreRequest,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> RunEstimate:
    """Estimates calls, cost and time of scoring a run afterwards. No model is called."""
    return await plan_rescore.estimate_rescore(
        database,
        project_id=member.project_id,
        run_id=run_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@runs_router.post(
    "/{run_id}/again", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def run_again(
    run_id: UUID, body: RepeatRequest, member: EditorWithoutTransaction, database: CurrentDatabase
) -> RunDetail:
    """Starts a new run with the same variants, cases and scorers as the original."""
    new_id = await run_plans.repeat_run(
        database,
        project_id=member.project_id,
        run_id=run_id,
        author_id=member.user_id,
        cache_mode=RunCache.BYPASS if body.is_cache_bypassed else RunCache.USE,
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=new_id)


@runs_router.post(
    "/{run_id}/replay", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def replay_run(
    run_id: UUID, member: EditorWithoutTransaction, database: CurrentDatabase
) -> RunDetail:
    """Replays a run: recomputes it from its stored answers, without calling models."""
    new_id = await run_plans.start_replay(
        database, project_id=member.project_id, run_id=run_id, author_id=member.user_id
    )
    async with database.read() as session:
        return await runs.get_run(session, project_id=member.project_id, run_id=new_id)


@runs_router.get("/{run_id}/replay-comparison", openapi_extra=raises(Conflict))
async def compare_replay(run_id: UUID, member: Viewer, session: Session) -> ReplayComparison:
    """Compares a replay with the original run."""
    return await runs.compare_with_original(session, project_id=member.project_id, run_id=run_id)


async def _live_texts(request: Request) -> LiveTexts:
    found: LiveTexts = request.app.state.live_texts
    return found


CurrentLiveTexts = Annotated[LiveTexts, Depends(_live_texts)]

results_router = api_router("/projects/{project}", tag="runs")


@results_router.get("/runs/{run_id}/rows", response_model=RowPage)
async def list_rows(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[RowFilter, read_into(RowFilter)],
    span: Annotated[RowSpan, read_into(RowSpan)],
    session: Session,
) -> Response:
    """Returns cases of the run with their finished cells, by default in the order of the cases."""
    page = await runs.list_rows(
        session, project_id=member.project_id, run_id=run_id, wanted=wanted, span=span
    )
    return json_response(page)


@results_router.get(
    "/runs/{run_id}/export",
    response_class=StreamingResponse,
    responses=file_responses("csv", "json", "jsonl", "xml"),
)
async def export_run(
    run_id: UUID,
    member: ViewerWithoutTransaction,
    wanted: Annotated[RowFilter, read_into(RowFilter)],
    database: CurrentDatabase,
    file_format: Annotated[ExportFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Exports the finished cells of the matching rows as a file, without a limit.

    In CSV, texts that a spreadsheet would run as a formula begin with an apostrophe.
    """
    run = await export.begin_export(
        database,
        project_id=member.project_id,
        run_id=run_id,
        wanted=wanted,
        file_format=file_format,
    )
    return download(
        export.stream_cells(database, run=run, wanted=wanted, file_format=file_format),
        name=dated(run.name),
        file_format="xml" if file_format == "junit" else file_format,
    )


@results_router.get("/runs/{run_id}/outputs", response_model=Page[CellRead])
async def list_outputs(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[OutputFilter, read_into(OutputFilter)],
    page: PageParams,
    session: Session,
) -> Response:
    """Returns finished cells in the order they finished, or by score with `sort=score`."""
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
    run_id: UUID,
    member: StreamViewer,
    live: CurrentLive,
    texts: CurrentLiveTexts,
    start: StartAfter,
) -> Response:
    """Streams the run's events, from now on or after `Last-Event-ID`.

    `texts` carries the live text of cells in an interactive run: keep a cell's text up to `start`,
    then append `text`. Discard it when the cell's output arrives or the run ends.
    """
    run_log = RunLog(live.database, member.project_id, run_id, texts)
    return live.stream_events(run_log, member, after=start)


@results_router.get("/runs/{run_id}/comparisons", response_model=Page[ComparisonRead])
async def list_comparisons(
    run_id: UUID,
    member: Viewer,
    page: PageParams,
    session: Session,
    case_position: Annotated[int | None, Query(ge=0, description="Of this case only")] = None,
) -> Slice[ComparisonRead]:
    """Returns the pairwise comparisons, in the order they were made."""
    return await comparisons.list_comparisons(
        session,
        project_id=member.project_id,
        run_id=run_id,
        case_position=case_position,
        page=page,
    )


@results_router.get("/runs/{run_id}/failures")
async def list_failures(run_id: UUID, member: Viewer, session: Session) -> list[FailureCause]:
    """Returns why cells failed or are malformed, by cause, the most frequent first."""
    return await causes.list_causes(session, project_id=member.project_id, run_id=run_id)


@results_router.get("/outputs/{output_id}")
async def get_output(output_id: UUID, member: Viewer, session: Session) -> OutputDetail:
    """Returns one cell with the prompt sent, the answer and its scores."""
    return await runs.get_output(session, project_id=member.project_id, output_id=output_id)


@results_router.post("/outputs/{output_id}/rerun", openapi_extra=raises(Exhausted))
async def rerun_output(output_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Retries one cell, bypassing the cache. The old answer stays until the new one is stored."""
    return await runs.rerun_output(session, project_id=member.project_id, output_id=output_id)


@results_router.get("/comparers/kinds")
async def list_comparer_kinds(member: Viewer) -> list[ComparerKindRead]:
    """Returns all kinds of comparers with the JSON Schemas of their options."""
    return scorers.list_comparer_kinds()
