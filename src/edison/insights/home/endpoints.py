"""Endpoint of a project's home page."""

from edison.api.routing import api_router
from edison.api.session import Session
from edison.insights.home import service
from edison.insights.home.schemas import HomeRead
from edison.workspace.projects.access import Viewer
from edison.workspace.projects.models import Role

router = api_router("/projects/{project}/home", tag="projects")


@router.get("")
async def get_home(member: Viewer, session: Session) -> HomeRead:
    """Returns what waits for the reader (reviews, failed runs of the last week, votes, answers to
    score), the prompts in production with the trend of their monitor, and which first steps are
    done.
    """
    return await service.get_home(
        session,
        project_id=member.project_id,
        user_id=member.user_id,
        may_review=member.role.includes(Role.REVIEWER),
    )
