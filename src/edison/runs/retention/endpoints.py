"""Endpoints of retention."""

from edison.api.routing import api_router
from edison.api.session import Session
from edison.runs.retention import service
from edison.runs.retention.schemas import RetentionRead
from edison.workspace.projects.access import Admin, Viewer

router = api_router("/projects/{project}/retention", tag="runs")


@router.get("")
async def preview_retention(member: Viewer, session: Session) -> RetentionRead:
    """Returns which old runs are archived and deleted the next time."""
    return await service.preview(session, project_id=member.project_id)


@router.post("/confirm")
async def confirm_retention(member: Admin, session: Session) -> RetentionRead:
    """Confirms that old runs of the project are archived and deleted from now on."""
    return await service.confirm(session, project_id=member.project_id)
