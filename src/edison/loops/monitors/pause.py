"""Pauses and resumes monitors."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from edison.jobs import cron
from edison.kit import clock
from edison.loops.monitors.checks import alert
from edison.loops.monitors.models import Monitor
from edison.loops.monitors.repository.alerts import Alerts
from edison.loops.monitors.repository.monitors import Monitors, pause_all
from edison.loops.monitors.states import AlertRule, MonitorState, PauseReason
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.models import Period
from edison.workspace.resources import service as resources


async def pause(
    session: AsyncSession, monitor: Monitor, *, reason: PauseReason, message: str | None = None
) -> None:
    """Pauses a locked monitor. A check in progress is finished."""
    values = {"state": MonitorState.PAUSED, "pause_reason": reason, "pause_message": message}
    await Monitors(session).change(monitor.id, values | {"resume_at": None, "next_run_at": None})
    await resources.note(session, monitor, "paused", after={"reason": reason})


async def pause_for_budget(
    session: AsyncSession, monitor: Monitor, *, message: str, waits_for_midnight: bool
) -> None:
    """Pauses until midnight UTC, or until a budget is raised."""
    resume_at = None
    if waits_for_midnight:
        resume_at = clock.midnight(clock.now().date() + timedelta(days=1))
    values: dict[str, Any] = {
        "state": MonitorState.PAUSED,
        "pause_reason": PauseReason.BUDGET,
        "pause_message": message,
        "resume_at": resume_at,
        "next_run_at": None,
    }
    await Monitors(session).change(monitor.id, values)
    resources.record(session, monitor, "paused", after={"reason": PauseReason.BUDGET})


def waits_for_midnight(exhausted: BudgetExhausted) -> bool:
    """Whether the budget that is used up resets by itself."""
    details = exhausted.details or {}
    return details.get("period") != Period.TOTAL


async def resume(session: AsyncSession, monitor: Monitor) -> None:
    """Resumes a locked monitor at its next time. Missed times are not made up for."""
    await Monitors(session).change(
        monitor.id,
        {
            "state": MonitorState.ACTIVE,
            "pause_reason": None,
            "pause_message": None,
            "resume_at": None,
            "next_run_at": cron.next_time(monitor.cron, after=clock.now()),
        },
    )
    opened = await Alerts(session).list_open(monitor.id)
    if AlertRule.BUDGET in opened:
        await alert.recover(
            session, monitor, opened[AlertRule.BUDGET], message="There is money again."
        )
    await resources.note(session, monitor, "resumed")


async def resume_after_reset(session: AsyncSession, monitor_id: UUID) -> None:
    """At midnight UTC. Idempotent."""
    monitor = await Monitors(session).find(monitor_id, is_locked=True)
    if monitor is None or monitor.state != MonitorState.PAUSED or monitor.archived_at is not None:
        return
    if monitor.resume_at is not None and monitor.resume_at <= clock.now():
        await resume(session, monitor)


async def resume_paused_by_budget(session: AsyncSession, project_id: UUID) -> None:
    """Hook of `workspace/budgets`: a budget was raised or deleted. A monitor that still has too
    little is paused again at its next check.
    """
    monitors = Monitors(session)
    for monitor_id in await monitors.list_paused_for(project_id, PauseReason.BUDGET):
        monitor = await monitors.find(monitor_id, is_locked=True)
        if monitor is not None and monitor.archived_at is None:
            await resume(session, monitor)


async def pause_all_restored(connection: AsyncConnection) -> int:
    """After a backup was restored: schedules of the past must not spend money until a member says
    so. Returns the number of monitors that were active.
    """
    return await pause_all(
        connection,
        reason=PauseReason.RESTORED,
        message="Restored from a backup. Resume it to check again.",
    )
