"""Budgets: limits that no race can overspend; and the ledger of what calls cost."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.pipeline.generate.path.ports import Till
from edison.workspace.audit import service as audit
from edison.workspace.budgets import scopes, till
from edison.workspace.budgets.errors import BudgetExhausted, DuplicateBudget
from edison.workspace.budgets.models import Budget
from edison.workspace.budgets.repository import Budgets, Ledger
from edison.workspace.budgets.schemas import BudgetChange, BudgetRequest
from edison.workspace.events import service as events


def open_till(
    database: Database, *, project_id: UUID, purpose: str, scope_ids: tuple[UUID, ...] = ()
) -> Till:
    """Where calls are paid. `scope_ids` are what else than the project may have a budget."""
    return till.LedgerTill(
        database=database, project_id=project_id, purpose=purpose, scope_ids=scope_ids
    )


async def check_open(session: AsyncSession, *, project_id: UUID) -> None:
    """Refuse before anything begins when a budget is used up. Raises BudgetExhausted."""
    budgets = Budgets(session)
    budget_ids = await budgets.list_in_scope(project_id, [project_id])
    await budgets.bring_up_to(budget_ids, clock.now().date())
    if await budgets.find_exhausted(budget_ids) is not None:
        raise BudgetExhausted


async def create_budget(
    session: AsyncSession, *, project_id: UUID, wanted: BudgetRequest
) -> Budget:
    """Raises Invalid for something that is not there, DuplicateBudget for a second one."""
    scope_id = await scopes.resolve_scope(
        session, project_id=project_id, scope=wanted.scope, scope_id=wanted.scope_id
    )
    now = clock.now()
    budget = Budget(
        id=ids.new_id(),
        project_id=project_id,
        scope=wanted.scope,
        scope_id=scope_id,
        period=wanted.period,
        limit_nanos=nanos_from_usd(wanted.limit_usd),
        spent_nanos=0,
        reserved_nanos=0,
        window_day=now.date(),
        alert_threshold=wanted.alert_threshold,
        created_at=now,
        updated_at=now,
    )
    budgets = Budgets(session)
    if not await budgets.add(budget):
        raise DuplicateBudget
    await _note(session, budget, "budget.created", after=_described(budget))
    return await budgets.get(project_id, budget.id)


async def change_budget(
    session: AsyncSession, *, project_id: UUID, budget_id: UUID, change: BudgetChange
) -> Budget:
    budget = await Budgets(session).get(project_id, budget_id)
    before = _described(budget)
    if change.limit_usd is not None:
        budget.limit_nanos = nanos_from_usd(change.limit_usd)
        # Whoever raises a limit wants to hear when the new one comes near.
        budget.alerted_on = None
    if change.alert_threshold is not None:
        budget.alert_threshold = change.alert_threshold
        budget.alerted_on = None
    await session.flush()
    await _note(session, budget, "budget.changed", before=before, after=_described(budget))
    return budget


async def delete_budget(session: AsyncSession, *, project_id: UUID, budget_id: UUID) -> None:
    budgets = Budgets(session)
    budget = await budgets.get(project_id, budget_id)
    await budgets.remove(budget_id)
    await _note(session, budget, "budget.deleted", before=_described(budget))


async def give_up_on_unsettled(session: AsyncSession, *, made_before: datetime) -> None:
    """Count attempts whose process died as if they had cost all that was set aside."""
    for entry in await Ledger(session).give_up_on(made_before=made_before):
        reserved = entry.reserved_nanos or 0
        await till.move(session, entry, reserved_nanos=reserved, cost_nanos=reserved)


def _described(budget: Budget) -> dict[str, Any]:
    return {
        "scope": budget.scope,
        "period": budget.period,
        "limit_usd": f"{usd_from_nanos(budget.limit_nanos):f}",
        "alert_threshold": budget.alert_threshold,
    }


async def _note(
    session: AsyncSession, budget: Budget, action: str, **values: dict[str, Any]
) -> None:
    audit.record(
        session, action, entity=("budget", budget.id), project_id=budget.project_id, **values
    )
    await events.publish(
        session,
        stream=events.project_stream(budget.project_id),
        kind="budget.changed",
        data={"entity_id": str(budget.id)},
    )
