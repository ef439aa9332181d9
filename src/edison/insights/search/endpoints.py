"""Endpoint of the search in a project."""

from typing import Annotated

from fastapi import Query

from edison.api.routing import api_router
from edison.api.schema import CleanText
from edison.api.session import Session
from edison.insights.search import service
from edison.insights.search.schemas import LONGEST_SEARCH, FoundRead
from edison.workspace.projects.access import Viewer

router = api_router("/projects/{project}/search", tag="projects")


@router.get("")
async def search_project(
    member: Viewer,
    session: Session,
    q: Annotated[CleanText, Query(max_length=LONGEST_SEARCH, description="Part of a name")] = "",
) -> list[FoundRead]:
    """Finds prompts, datasets, scorers, models, runs, experiments, optimizations, A/B tests and
    monitors by name, at most 20. Without `q`, returns the latest.
    """
    return await service.search(session, project_id=member.project_id, text=q)
