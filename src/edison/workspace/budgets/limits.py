"""Refuses work that no budget has money for, before anything of it is created."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets import scopes
from edison.workspace.budgets.errors import BudgetExhausted, Shortage
from edison.workspace.budgets.ledger_reading import LedgerReading
from edison.workspace.budgets.models import Budget, Period, Scope
from edison.workspace.budgets.repository import WINDOW, Budgets

_PERIODS = {
    Period.TOTAL: "in total",
    Period.DAY: "per day",
    Period.ROLLING_30_DAYS: "in 30 days",
}


async def check_open(
    session: AsyncSession,
    *,
    project_id: UUID,
    scope_ids: Collection[UUID] = (),
    needed_nanos: int = 0,
) -> None:
    """Raises BudgetExhausted when a budget of the project, or of one of the scopes in it, is used
    up, or has less left than the work needs at least. Reservations are not counted, as calls under
    way may give them back. Writes nothing.
    """
    found = await Budgets(session).list_all(project_id, [project_id, *scope_ids])
    spent = await _spent_today(session, found)
    for budget in sorted(found, key=lambda each: each.limit_nanos - spent[each.id]):
        left = budget.limit_nanos - spent[budget.id]
        if left <= 0 or needed_nanos > left:
            shortage = await _shortage(session, budget, left_nanos=left, needed_nanos=needed_nanos)
            raise BudgetExhausted(budget_id=budget.id, amount_nanos=needed_nanos, shortage=shortage)


async def _spent_today(session: AsyncSession, budgets: Collection[Budget]) -> dict[UUID, int]:
    """What counts today, also of budgets that no call has touched since an earlier day."""
    today = clock.now().date()
    stale = [each for each in budgets if each.window_day < today and each.period != Period.TOTAL]
    spent = {each.id: each.spent_nanos for each in budgets} | {each.id: 0 for each in stale}
    rolling = [each.id for each in stale if each.period == Period.ROLLING_30_DAYS]
    since = today - WINDOW + timedelta(days=1)
    return spent | dict(await LedgerReading(session).sum_since(rolling, since=since))


async def _shortage(
    session: AsyncSession, budget: Budget, *, left_nanos: int, needed_nanos: int
) -> Shortage:
    names = await scopes.find_scope_names(session, project_id=budget.project_id, budgets=[budget])
    name = names.get(budget.scope_id)
    of = "the project" if budget.scope == Scope.PROJECT else f"the {budget.scope} {name or ''}"
    return Shortage(
        budget=f"budget of {of.strip()}",
        period=Period(budget.period),
        sentence_period=_PERIODS[Period(budget.period)],
        scope=budget.scope,
        scope_id=budget.scope_id,
        limit_usd=usd_from_nanos(budget.limit_nanos),
        left_usd=usd_from_nanos(max(0, left_nanos)),
        needed_usd=usd_from_nanos(needed_nanos) if needed_nanos else None,
    )
