"""Routes for what came of a run: its rows, outputs and live events."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import PageParams, Slice
from edison.api.parameters import read_into
from edison.api.routing import api_router, json_response, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.api.sse import StartAfter
from edison.kit.errors import Exhausted
from edison.runs.engine import comparers, export, service
from edison.runs.engine.feed import Feeds
from edison.runs.engine.files.writing import ExportFormat
from edison.runs.engine.schemas.comparisons import ComparerKindRead, ComparisonRead
from edison.runs.engine.schemas.reads import (
    CellRead,
    OutputDetail,
    RowPage,
    RunDetail,
)
from edison.runs.engine.schemas.requests import OutputFilter, RowFilter, RowSpan
from edison.workspace.projects.access import Editor, StreamViewer, Viewer, ViewerBriefly


async def _feeds(request: Request) -> Feeds:
    found: Feeds = request.app.state.run_feeds
    return found


CurrentFeeds = Annotated[Feeds, Depends(_feeds)]

router = api_router("/projects/{project}", tag="runs")


@router.get("/runs/{run_id}/rows", response_model=RowPage)
async def list_rows(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[RowFilter, read_into(RowFilter)],
    span: Annotated[RowSpan, read_into(RowSpan)],
    session: Session,
) -> Response:
    """Cases of the run with their finished cells, in the order of the cases."""
    page = await service.list_rows(
        session, project_id=member.project_id, run_id=run_id, wanted=wanted, span=span
    )
    return json_response(page)


@router.get(
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


@router.get("/runs/{run_id}/outputs", response_model=Page[CellRead])
async def list_outputs(
    run_id: UUID,
    member: Viewer,
    wanted: Annotated[OutputFilter, read_into(OutputFilter)],
    page: PageParams,
    session: Session,
) -> Response:
    """Finished cells in the order they were finished, or by `sort=score`."""
    found = await service.list_outputs(
        session, project_id=member.project_id, run_id=run_id, wanted=wanted, page=page
    )
    return json_response(found)


@router.get(
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


@router.get("/runs/{run_id}/comparisons", response_model=Page[ComparisonRead])
async def list_comparisons(
    run_id: UUID,
    member: Viewer,
    page: PageParams,
    session: Session,
    case_position: Annotated[int | None, Query(ge=0, description="Of this case only")] = None,
) -> Slice[ComparisonRead]:
    """Which of two answers was found better, in the order they were compared."""
    return await service.list_comparisons(
        session,
        project_id=member.project_id,
        run_id=run_id,
        case_position=case_position,
        page=page,
    )


@router.get("/outputs/{output_id}")
async def get_output(output_id: UUID, member: Viewer, session: Session) -> OutputDetail:
    """Everything about one cell: what was sent, what came back, how it was scored."""
    return await service.get_output(session, project_id=member.project_id, output_id=output_id)


@router.post("/outputs/{output_id}/rerun", openapi_extra=raises(Exhausted))
async def rerun_output(output_id: UUID, member: Editor, session: Session) -> RunDetail:
    """Make one cell again, asking the model anew. Its old answer stays until there is a new one."""
    return await service.rerun_output(session, project_id=member.project_id, output_id=output_id)


@router.get("/comparers/kinds")
async def list_comparer_kinds(member: Viewer) -> list[ComparerKindRead]:
    """Every kind of comparer, with the form of its options."""
    return comparers.list_kinds()
