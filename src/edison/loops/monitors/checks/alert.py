"""Opens, updates and resolves alerts by rule. At most one open alert per monitor and rule."""

from dataclasses import field
from datetime import timedelta
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.loops.monitors.notifications import notify_opened, notify_recovered
from edison.loops.monitors.repository.alerts import Alerts, open_key
from edison.loops.monitors.schemas.alerts import AlertEvidence
from edison.loops.monitors.states import AlertResolution, AlertRule, AlertState
from edison.workspace.events import service as events

# An alert that comes back within this time continues the earlier one.
SAME_WITHIN = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why a rule alerts. `is_quiet`: people are notified in another way."""

    rule: AlertRule
    title: str
    message: str
    severity: Literal["alert", "warning"] = "alert"
    evidence: AlertEvidence = field(default_factory=lambda: AlertEvidence(worst=[], figures={}))
    is_quiet: bool = False


async def open_or_update(
    session: AsyncSession, monitor: Monitor, check: MonitorCheck | None, finding: Finding
) -> None:
    """Opens an alert and notifies; updates the one that is open; reopens one that was resolved
    within a day.
    """
    alerts, now = Alerts(session), clock.now()
    check_id = None if check is None else check.id
    current = (await alerts.list_open(monitor.id)).get(finding.rule)
    values = {
        "title": finding.title[:200],
        "message": finding.message,
        "severity": finding.severity,
        "last_check_id": check_id,
        "seen_at": now,
        "details": finding.evidence.model_dump(mode="json"),
    }
    if current is not None:
        await alerts.change(current.id, values)
        await publish(session, current)
        return
    earlier = await alerts.find_resolved_since(monitor.id, finding.rule, now - SAME_WITHIN)
    if earlier is not None:
        reopened = values | {
            "state": AlertState.OPEN,
            "open_key": open_key(monitor.id, finding.rule),
            "resolved_at": None,
            "resolved_by_id": None,
            "resolution": None,
            "reopened_count": earlier.reopened_count + 1,
        }
        await alerts.change(earlier.id, reopened)
        opened = earlier
    else:
        opened = Alert(
            id=ids.new_id(),
            project_id=monitor.project_id,
            monitor_id=monitor.id,
            rule=finding.rule,
            state=AlertState.OPEN,
            open_key=open_key(monitor.id, finding.rule),
            check_id=check_id,
            opened_at=now,
            reopened_count=0,
            **values,
        )
        if not await alerts.add(opened):
            return
    if not finding.is_quiet and not is_muted(monitor, opened):
        await notify_opened(session, monitor, opened, title=finding.title, body=finding.message)
    await publish(session, opened)


async def recover(session: AsyncSession, monitor: Monitor, opened: Alert, *, message: str) -> None:
    """Resolves the alert because its cause is gone, and notifies."""
    await resolve(session, opened, resolution=AlertResolution.RECOVERED)
    if not is_muted(monitor, opened):
        await notify_recovered(session, monitor, opened, body=message)
    await publish(session, opened)


async def resolve(session: AsyncSession, opened: Alert, *, resolution: AlertResolution) -> None:
    await Alerts(session).change(
        opened.id,
        {
            "state": AlertState.RESOLVED,
            "open_key": None,
            "resolved_at": clock.now(),
            "resolution": resolution,
        },
    )


def is_muted(monitor: Monitor, alert: Alert) -> bool:
    now = clock.now()
    ends = [each for each in (monitor.muted_until, alert.muted_until) if each is not None]
    return any(until > now for until in ends)


async def publish(session: AsyncSession, alert: Alert) -> None:
    """Call it last: locks the project's event stream."""
    await events.publish(
        session,
        stream=events.project_stream(alert.project_id),
        kind="alert.changed",
        data={"entity_id": str(alert.id), "monitor_id": str(alert.monitor_id)},
    )
