"""Endpoints of boards."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.parameters import read_into
from edison.api.routing import api_router
from edison.api.session import CurrentDatabase, Session
from edison.insights.boards import service
from edison.insights.boards.schemas import BoardDatasetRead, BoardFilter, BoardFormat, BoardRead
from edison.workspace.projects.access import Viewer, ViewerWithoutTransaction

router = api_router("/projects/{project}/arena", tag="arena")


@router.get("/datasets")
async def list_board_datasets(member: Viewer, session: Session) -> list[BoardDatasetRead]:
    """Returns the datasets with completed runs, the one with the newest run first."""
    return await service.list_datasets(session, project_id=member.project_id)


@router.get("/board")
async def get_board(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[BoardFilter, read_into(BoardFilter)],
) -> BoardRead:
    """Returns the models ranked on one or several datasets, compared on the cases that all of them
    have. A rank is a range unless a corrected paired test separates the models.
    """
    return await service.get_board(database, project_id=member.project_id, wanted=wanted)


@router.get(
    "/board/export", response_class=StreamingResponse, responses=file_responses("csv", "md", "pdf")
)
async def export_board(
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[BoardFilter, read_into(BoardFilter)],
    file_format: Annotated[BoardFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Downloads the board as CSV, or as a report in Markdown or PDF. CSV cells that a spreadsheet
    would run as a formula are prefixed with an apostrophe.
    """
    content = await service.write_board(
        database, project=member.project, wanted=wanted, file_format=file_format
    )
    name = dated(f"{member.project.slug}-arena")
    return download(iter([content]), name=name, file_format=file_format)
