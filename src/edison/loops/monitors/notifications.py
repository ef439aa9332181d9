"""Notifications about a monitor: alert opened, recovered, monitor paused."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.monitors.models import Alert, Monitor
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource

ALERT_OPENED = NotificationKind(
    key="alert_opened",
    label="Alert",
    hint="A monitor confirmed a drop, or another of its rules applies.",
    tone="danger",
    icon="alert",
    by_email=True,
)
ALERT_RECOVERED = NotificationKind(
    key="alert_recovered",
    label="Alert recovered",
    hint="The value that a monitor alerted about is back to normal.",
    tone="success",
    icon="recovered",
    by_email=True,
)
MONITOR_PAUSED = NotificationKind(
    key="monitor_paused",
    label="Monitor paused",
    hint="A monitor stopped checking, with the reason.",
    tone="warning",
    icon="failure",
    by_email=True,
)
NOTIFICATIONS = NotificationSource(
    entity_type="monitor",
    path=lambda subject: f"/monitors/{subject.entity[1]}",
    kinds=(ALERT_OPENED, ALERT_RECOVERED, MONITOR_PAUSED),
)


async def notify_opened(
    session: AsyncSession, monitor: Monitor, alert: Alert, *, title: str, body: str
) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=monitor.project_id,
            kind=ALERT_OPENED,
            entity=("monitor", monitor.id),
            part=("alert", alert.id),
            title=title,
            body=body,
        ),
    )


async def notify_recovered(
    session: AsyncSession, monitor: Monitor, alert: Alert, *, body: str
) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=monitor.project_id,
            kind=ALERT_RECOVERED,
            entity=("monitor", monitor.id),
            part=("alert", alert.id),
            title=f"Recovered: {alert.title}",
            body=body,
        ),
    )


async def notify_paused(session: AsyncSession, monitor: Monitor, *, body: str) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=monitor.project_id,
            kind=MONITOR_PAUSED,
            entity=("monitor", monitor.id),
            title=f"{monitor.name} is paused",
            body=body,
        ),
    )
