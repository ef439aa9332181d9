"""Notifications that a budget has reached its alert threshold."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.models import Budget
from edison.workspace.budgets.scopes import find_scope_names
from edison.workspace.budgets.types import BUDGET_ALERT, BudgetFacts
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationSource

NOTIFICATIONS = NotificationSource(
    entity_type="budget", path=lambda _: "/budgets", kinds=(BUDGET_ALERT,)
)

_PERIODS = {"total": "in all", "day": "today", "rolling_30_days": "in the last 30 days"}


async def notify_editors(session: AsyncSession, budget: Budget) -> None:
    """Notify every project member who may spend from the budget."""
    names = await find_scope_names(session, project_id=budget.project_id, budgets=[budget])
    name = names.get(budget.scope_id)
    what = "the project" if name is None else f"the {budget.scope} {name}"
    spent, limit = usd_from_nanos(budget.spent_nanos), usd_from_nanos(budget.limit_nanos)
    share = 1.0 if not budget.limit_nanos else budget.spent_nanos / budget.limit_nanos
    await notifications.notify_members(
        session,
        News(
            project_id=budget.project_id,
            kind=BUDGET_ALERT,
            entity=("budget", budget.id),
            title=f"{share:.0%} of the budget for {what} is spent",
            body=f"${spent:f} of ${limit:f} {_PERIODS[budget.period]}. At the limit, calls wait.",
            facts=BudgetFacts(
                scope=budget.scope,
                scope_name=name,
                period=budget.period,
                spent_usd=spent,
                limit_usd=limit,
            ),
        ),
    )
