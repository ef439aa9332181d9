"""Alerts of a project: list, acknowledge, mute, resolve."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock
from edison.loops.monitors import view
from edison.loops.monitors.checks.alert import publish
from edison.loops.monitors.errors import AlreadyInState
from edison.loops.monitors.models import Alert
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.schemas.alerts import AlertFilter, AlertMute, AlertNote, AlertRead
from edison.loops.monitors.states import AlertResolution, AlertState
from edison.workspace.audit import service as audit

_NOUN = "alert"


async def list_alerts(
    session: AsyncSession, *, project_id: UUID, wanted: AlertFilter, page: PageRequest
) -> Slice[AlertRead]:
    found = await Alerts(session).page_of(project_id, wanted=wanted, page=page)
    return found.with_items([view.read_alert(row) for row in found.items])


async def get_alert(session: AsyncSession, *, project_id: UUID, alert_id: UUID) -> AlertRead:
    return view.read_alert(await Alerts(session).get(project_id, alert_id))


async def acknowledge_alert(
    session: AsyncSession, *, project_id: UUID, alert_id: UUID, wanted: AlertNote, user_id: UUID
) -> AlertRead:
    """A member looks into it. Raises AlreadyInState unless the alert is open."""
    alert = await _lock(session, project_id, alert_id)
    if alert.state != AlertState.OPEN:
        raise AlreadyInState(_NOUN, alert.state)
    values = {
        "state": AlertState.ACKNOWLEDGED,
        "acknowledged_at": clock.now(),
        "acknowledged_by_id": user_id,
    }
    return await _change(session, alert, "acknowledged", values, note=wanted.note)


async def mute_alert(
    session: AsyncSession, *, project_id: UUID, alert_id: UUID, wanted: AlertMute
) -> AlertRead:
    """Sends no notifications about it until then. Raises AlreadyInState when it is resolved."""
    alert = await _lock(session, project_id, alert_id)
    if alert.state == AlertState.RESOLVED:
        raise AlreadyInState(_NOUN, alert.state)
    action = "muted" if wanted.until is not None else "unmuted"
    values = {"muted_until": wanted.until}
    return await _change(session, alert, action, values, note=wanted.note)


async def resolve_alert(
    session: AsyncSession, *, project_id: UUID, alert_id: UUID, wanted: AlertNote, user_id: UUID
) -> AlertRead:
    """Ends it by hand; it opens again if the next check still shows the problem. Raises
    AlreadyInState when it is resolved.
    """
    alert = await _lock(session, project_id, alert_id)
    if alert.state == AlertState.RESOLVED:
        raise AlreadyInState(_NOUN, alert.state)
    values = {
        "state": AlertState.RESOLVED,
        "open_key": None,
        "resolved_at": clock.now(),
        "resolved_by_id": user_id,
        "resolution": AlertResolution.PERSON,
    }
    return await _change(session, alert, "resolved", values, note=wanted.note)


async def _lock(session: AsyncSession, project_id: UUID, alert_id: UUID) -> Alert:
    return (await Alerts(session).get(project_id, alert_id, to_change=True))[0]


async def _change(
    session: AsyncSession, alert: Alert, action: str, values: dict[str, Any], *, note: str | None
) -> AlertRead:
    if note is not None:
        values["note"] = note or None
    before = {"state": alert.state, "note": alert.note}
    await Alerts(session).change(alert.id, values)
    row = await Alerts(session).get(alert.project_id, alert.id)
    audit.record(
        session,
        f"alert.{action}",
        entity=(_NOUN, alert.id),
        project_id=alert.project_id,
        before=before,
        after={"state": row[0].state, "note": row[0].note},
    )
    await publish(session, row[0])
    return view.read_alert(row)
