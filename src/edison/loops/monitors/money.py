"""The daily budget of a monitor: a budget of the scope `monitor` for a UTC day."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import usd_from_nanos
from edison.loops.monitors.models import Monitor
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import ScopeBalance

_ALERT_THRESHOLD = 0.8


async def set_daily_budget(
    session: AsyncSession, monitor: Monitor, limit_usd: Decimal | None
) -> None:
    """Creates, changes or deletes the budget. The monitor must be stored."""
    await budgets.set_scope_limit(
        session,
        project_id=monitor.project_id,
        scope=(Scope.MONITOR, monitor.id),
        period=Period.DAY,
        limit_usd=limit_usd,
        alert_threshold=_ALERT_THRESHOLD,
    )


async def find_daily_budget(session: AsyncSession, monitor: Monitor) -> Decimal | None:
    found = (await list_balances(session, [monitor])).get(monitor.id)
    return None if found is None else usd_from_nanos(found.limit_nanos)


async def list_balances(
    session: AsyncSession, monitors: Collection[Monitor]
) -> Mapping[UUID, ScopeBalance]:
    """Daily budgets by monitor, with what was spent today. All monitors are of one project."""
    first = next(iter(monitors), None)
    if first is None:
        return {}
    return await budgets.list_scope_balances(
        session,
        project_id=first.project_id,
        scope_ids=[each.id for each in monitors],
        period=Period.DAY,
    )


async def delete_budgets(session: AsyncSession, monitor: Monitor) -> None:
    await budgets.delete_scope_budgets(session, project_id=monitor.project_id, scope_id=monitor.id)


def scope_of(monitor: Monitor) -> tuple[UUID, ...]:
    return (monitor.id,)
