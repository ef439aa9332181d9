"""Endpoints of alerts."""

from typing import Annotated
from uuid import UUID

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.loops.monitors import alerts
from edison.loops.monitors.schemas.alerts import AlertFilter, AlertMute, AlertNote, AlertRead
from edison.workspace.projects.access import Editor, Viewer

router = api_router("/projects/{project}/alerts", tag="monitors")


@router.get("", response_model=Page[AlertRead])
async def list_alerts(
    member: Viewer,
    wanted: Annotated[AlertFilter, read_into(AlertFilter)],
    page: PageParams,
    session: Session,
) -> Slice[AlertRead]:
    """Returns the project's alerts, latest first."""
    return await alerts.list_alerts(session, project_id=member.project_id, wanted=wanted, page=page)


@router.get("/{alert_id}")
async def get_alert(alert_id: UUID, member: Viewer, session: Session) -> AlertRead:
    """Returns an alert with its evidence."""
    return await alerts.get_alert(session, project_id=member.project_id, alert_id=alert_id)


@router.post("/{alert_id}/acknowledge")
async def acknowledge_alert(
    alert_id: UUID, body: AlertNote, member: Editor, session: Session
) -> AlertRead:
    """Acknowledges an open alert: a member looks into it."""
    return await alerts.acknowledge_alert(
        session,
        project_id=member.project_id,
        alert_id=alert_id,
        wanted=body,
        user_id=member.user_id,
    )


@router.post("/{alert_id}/mute")
async def mute_alert(
    alert_id: UUID, body: AlertMute, member: Editor, session: Session
) -> AlertRead:
    """Sends no notifications about an alert until the given time."""
    return await alerts.mute_alert(
        session, project_id=member.project_id, alert_id=alert_id, wanted=body
    )


@router.post("/{alert_id}/resolve")
async def resolve_alert(
    alert_id: UUID, body: AlertNote, member: Editor, session: Session
) -> AlertRead:
    """Resolves an alert by hand."""
    return await alerts.resolve_alert(
        session,
        project_id=member.project_id,
        alert_id=alert_id,
        wanted=body,
        user_id=member.user_id,
    )
