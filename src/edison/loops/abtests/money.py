"""The budget of an A/B test: a budget of the scope `ab_test` for its whole life."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import usd_from_nanos
from edison.loops.abtests.models import AbTest
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import ScopeBalance

_ALERT_THRESHOLD = 0.8


async def set_budget(
    session: AsyncSession, test: AbTest, limit_usd: Decimal | None, *, is_simulated: bool
) -> None:
    """Creates, changes or deletes the budget. The test must be stored. Simulated dollars count if
    there are no others: the budget would never move otherwise.
    """
    await budgets.set_scope_limit(
        session,
        project_id=test.project_id,
        scope=(Scope.AB_TEST, test.id),
        period=Period.TOTAL,
        limit_usd=limit_usd,
        alert_threshold=_ALERT_THRESHOLD,
    )
    await budgets.set_counts_simulated(
        session, project_id=test.project_id, scope_id=test.id, counts_simulated=is_simulated
    )


async def find_budget(session: AsyncSession, test: AbTest) -> Decimal | None:
    found = (await list_balances(session, [test])).get(test.id)
    return None if found is None else usd_from_nanos(found.limit_nanos)


async def list_balances(
    session: AsyncSession, tests: Collection[AbTest]
) -> Mapping[UUID, ScopeBalance]:
    """Budgets by test, with what was spent. All tests are of one project."""
    first = next(iter(tests), None)
    if first is None:
        return {}
    return await budgets.list_scope_balances(
        session,
        project_id=first.project_id,
        scope_ids=[each.id for each in tests],
        period=Period.TOTAL,
    )


async def delete_budgets(session: AsyncSession, test: AbTest) -> None:
    await budgets.delete_scope_budgets(session, project_id=test.project_id, scope_id=test.id)
