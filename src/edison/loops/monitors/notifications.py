"""Notifications about a monitor: alert opened, recovered, monitor paused."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.monitors.models import Alert, Monitor
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.models import NotificationKind
from edison.workspace.notifications.schemas import News


async def notify_opened(
    session: AsyncSession, monitor: Monitor, alert: Alert, *, title: str, body: str
) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=monitor.project_id,
            kind=NotificationKind.ALERT_OPENED,
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
            kind=NotificationKind.ALERT_RECOVERED,
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
            kind=NotificationKind.MONITOR_PAUSED,
            entity=("monitor", monitor.id),
            title=f"{monitor.name} is paused",
            body=body,
        ),
    )
