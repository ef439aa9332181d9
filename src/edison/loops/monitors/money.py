"""The daily budget of a monitor: a budget of the scope `monitor` for a UTC day."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import usd_from_nanos
from edison.loops.monitors.models import Monitor
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope

_ALERT_THRESHOLD = 0.8


async def set_daily_budget(session: AsyncSession, monitor: Monitor) -> None:
    """Makes the budget row equal to the monitor's limit. The monitor must be stored."""
    if monitor.daily_budget_nanos is None:
        await delete_daily_budget(session, monitor)
        return
    await budgets.set_scope_limit(
        session,
        project_id=monitor.project_id,
        scope=(Scope.MONITOR, monitor.id),
        period=Period.DAY,
        limit_usd=usd_from_nanos(monitor.daily_budget_nanos),
        alert_threshold=_ALERT_THRESHOLD,
    )


async def delete_daily_budget(session: AsyncSession, monitor: Monitor) -> None:
    await budgets.delete_scope_budgets(session, project_id=monitor.project_id, scope_id=monitor.id)


def scope_of(monitor: Monitor) -> tuple[UUID, ...]:
    return (monitor.id,)
