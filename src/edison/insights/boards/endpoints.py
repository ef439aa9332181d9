"""Endpoints of boards."""

from typing import Annotated

from edison.api.parameters import read_into
from edison.api.routing import api_router
from edison.api.session import CurrentDatabase, Session
from edison.insights.boards import service
from edison.insights.boards.schemas import BoardDatasetRead, BoardFilter, BoardRead
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
