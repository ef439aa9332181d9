"""Budgets: check before work starts, open a ledger, create, change and delete, reap."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.batch_writer import BatchWriter
from edison.kit import clock, ids
from edison.kit.hook import Hook
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.pipeline.generate.path.ports import Ledger, WaveLedger
from edison.workspace.audit import service as audit
from edison.workspace.budgets import ledger, scopes
from edison.workspace.budgets.errors import (
    BudgetExhausted,
    DuplicateBudget,
    PriceUnknown,
    Shortage,
    budget_name,
)
from edison.workspace.budgets.models import Budget, Period, Scope
from edison.workspace.budgets.repository.budgets import WINDOW, Budgets
from edison.workspace.budgets.repository.entries import Entries
from edison.workspace.budgets.repository.reports import LedgerReports
from edison.workspace.budgets.repository.sums import replace_by_sums
from edison.workspace.budgets.schemas import BudgetChange, BudgetRequest, LedgerFilter
from edison.workspace.budgets.types import (
    BudgetLeft,
    CallUsage,
    LedgerAccount,
    Need,
    ScopeBalance,
    ScopeLimit,
)
from edison.workspace.budgets.wave_ledger import ProjectWaveLedger
from edison.workspace.events import service as events

ANY_CALL = Need()


async def check_open(
    session: AsyncSession,
    *,
    project_id: UUID,
    scope_ids: Collection[UUID] = (),
    need: Need = ANY_CALL,
) -> None:
    """Raises BudgetExhausted when a budget of the project or of a scope is used up or has less left
    than the work needs, and PriceUnknown when one applies to a model without a price. Reservations
    do not count, because calls in flight may release them. Read-only.
    """
    found = await Budgets(session).list_all(project_id, [project_id, *scope_ids])
    spent = await _spent_today(session, found)
    for budget in sorted(found, key=lambda each: each.limit_nanos - spent[each.id]):
        needed = need.from_budget(counts_simulated=budget.counts_simulated)
        if needed is None:
            continue
        left = budget.limit_nanos - spent[budget.id]
        if left <= 0 or needed > left:
            shortage = await _shortage(session, budget, left_nanos=left, needed_nanos=needed)
            raise BudgetExhausted(budget_id=budget.id, amount_nanos=needed, shortage=shortage)
        if need.unpriced:
            raise PriceUnknown(*need.unpriced)


async def list_left(
    session: AsyncSession, *, project_id: UUID, scope_ids: Collection[UUID] = ()
) -> list[BudgetLeft]:
    """Every budget in reach of work in the project and the scopes."""
    found = await Budgets(session).list_all(project_id, [project_id, *scope_ids])
    spent = await _spent_today(session, found)
    names = await scopes.find_scope_names(session, project_id=project_id, budgets=found)
    return [
        BudgetLeft(
            id=each.id,
            name=budget_name(each.scope, names.get(each.scope_id)),
            period=each.period,
            counts_simulated=each.counts_simulated,
            limit_nanos=each.limit_nanos,
            left_nanos=each.limit_nanos - spent[each.id],
        )
        for each in found
    ]


async def list_usage(
    session: AsyncSession,
    *,
    project_id: UUID,
    call: tuple[str, str, str],
    run_ids: Collection[UUID] | None,
    since: datetime,
    limit: int,
) -> list[CallUsage]:
    """The newest answered calls of a purpose, provider and model; of any run if `run_ids` is
    None.
    """
    return await LedgerReports(session).list_usage(
        project_id, call, run_ids=run_ids, since=since, limit=limit
    )


async def _spent_today(session: AsyncSession, budgets: Collection[Budget]) -> dict[UUID, int]:
    """Amounts that count today, also for budgets last written on an earlier day."""
    today = clock.now().date()
    stale = [each for each in budgets if each.window_day < today and each.period != Period.TOTAL]
    spent = {each.id: each.spent_nanos for each in budgets} | {each.id: 0 for each in stale}
    rolling = [each.id for each in stale if each.period == Period.ROLLING_30_DAYS]
    since = today - WINDOW + timedelta(days=1)
    return spent | dict(await LedgerReports(session).sum_since(rolling, since=since))


async def _shortage(
    session: AsyncSession, budget: Budget, *, left_nanos: int, needed_nanos: int
) -> Shortage:
    names = await scopes.find_scope_names(session, project_id=budget.project_id, budgets=[budget])
    return Shortage(
        budget=budget_name(budget.scope, names.get(budget.scope_id)),
        period=budget.period,
        scope=budget.scope,
        scope_id=budget.scope_id,
        limit_usd=usd_from_nanos(budget.limit_nanos),
        left_usd=usd_from_nanos(max(0, left_nanos)),
        needed_usd=usd_from_nanos(needed_nanos) if needed_nanos else None,
    )


on_limit_raised: Hook[[AsyncSession, UUID], None] = Hook(
    "After a budget was raised or deleted, or a project may spend more for another reason, in that "
    "transaction."
)


def open_ledger(batch_writer: BatchWriter, account: LedgerAccount) -> Ledger:
    """Ledger for calls."""
    return ledger.ProjectLedger(batch_writer=batch_writer, account=account)


def open_wave_ledger(batch_writer: BatchWriter, account: LedgerAccount) -> WaveLedger:
    """Ledger for many calls at a time."""
    return ProjectWaveLedger(batch_writer, account)


async def is_still_short(session: AsyncSession, exhausted: BudgetExhausted) -> bool:
    """Whether the money is still missing. Locks the budget row, so a concurrent top-up always sees
    the paused run.
    """
    budgets = Budgets(session)
    await budgets.bring_up_to([exhausted.budget_id], clock.now().date())
    budget = await budgets.lock(exhausted.budget_id)
    if budget is None:
        return False
    return budget.spent_nanos + exhausted.amount_nanos > budget.limit_nanos


async def has_any(session: AsyncSession, *, project_id: UUID) -> bool:
    """Whether the project has a budget, which requires models to have known prices."""
    return bool(await Budgets(session).list_in_scope(project_id, [project_id]))


async def create_budget(
    session: AsyncSession, *, project_id: UUID, wanted: BudgetRequest
) -> Budget:
    """Raises Invalid for an unknown scope, DuplicateBudget when one exists for scope and period."""
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
        counts_simulated=wanted.counts_simulated,
        created_at=now,
        updated_at=now,
    )
    budgets = Budgets(session)
    if not await budgets.add(budget):
        raise DuplicateBudget
    await _note(session, budget, "budget.created", after=_described(budget))
    return await budgets.get(project_id, budget.id)


async def set_scope_limit(
    session: AsyncSession,
    *,
    project_id: UUID,
    scope: tuple[Scope, UUID],
    limit: ScopeLimit,
) -> None:
    """Create or change the budget that limits the cost of a scope in a period; without a limit,
    delete it.
    """
    existing = await Budgets(session).find_of_scope(project_id, scope[1], limit.period)
    if limit.limit_usd is None:
        if existing is not None:
            await delete_budget(session, project_id=project_id, budget_id=existing.id)
        return
    values: dict[str, Any] = {
        "limit_usd": limit.limit_usd,
        "alert_threshold": limit.alert_threshold,
    }
    if limit.counts_simulated is not None:
        values["counts_simulated"] = limit.counts_simulated
    if existing is None:
        about = {"scope": scope[0], "scope_id": scope[1], "period": limit.period}
        wanted = BudgetRequest.model_validate(about | values)
        await create_budget(session, project_id=project_id, wanted=wanted)
    elif not _has_limit(existing, limit):
        change = BudgetChange.model_validate(values)
        await change_budget(session, project_id=project_id, budget_id=existing.id, change=change)


def _has_limit(budget: Budget, limit: ScopeLimit) -> bool:
    return (
        limit.limit_usd is not None
        and budget.limit_nanos == nanos_from_usd(limit.limit_usd)
        and budget.alert_threshold == limit.alert_threshold
        and limit.counts_simulated in (None, budget.counts_simulated)
    )


async def delete_scope_budgets(session: AsyncSession, *, project_id: UUID, scope_id: UUID) -> None:
    """Delete the budgets of a deleted scope. Ledger entries are kept."""
    budgets = Budgets(session)
    for budget_id in await budgets.list_in_scope(project_id, [scope_id]):
        await delete_budget(session, project_id=project_id, budget_id=budget_id)


async def list_scope_balances(
    session: AsyncSession, *, project_id: UUID, scope_ids: Collection[UUID], period: Period
) -> Mapping[UUID, ScopeBalance]:
    """The budgets of these scopes for one period, by scope. Scopes without one are left out."""
    found = await Budgets(session).list_all(project_id, scope_ids)
    chosen = [each for each in found if each.period == period]
    spent = await _spent_today(session, chosen)
    return {
        each.scope_id: ScopeBalance(limit_nanos=each.limit_nanos, spent_nanos=spent[each.id])
        for each in chosen
    }


async def find_scope_limit(
    session: AsyncSession, *, project_id: UUID, scope_id: UUID, period: Period = Period.TOTAL
) -> ScopeLimit:
    """What a scope may cost in a period, as `set_scope_limit` takes it."""
    found = await Budgets(session).find_of_scope(project_id, scope_id, period)
    if found is None:
        return ScopeLimit(limit_usd=None, period=period)
    return ScopeLimit(
        limit_usd=usd_from_nanos(found.limit_nanos),
        period=period,
        alert_threshold=found.alert_threshold,
        counts_simulated=found.counts_simulated,
    )


async def change_budget(
    session: AsyncSession, *, project_id: UUID, budget_id: UUID, change: BudgetChange
) -> Budget:
    budget = await Budgets(session).get(project_id, budget_id)
    before, limit_before = _described(budget), budget.limit_nanos
    if change.limit_usd is not None:
        budget.limit_nanos = nanos_from_usd(change.limit_usd)
        # Alert again when the new limit comes near.
        budget.alerted_on = None
    if change.alert_threshold is not None:
        budget.alert_threshold = change.alert_threshold
        budget.alerted_on = None
    is_freed = budget.counts_simulated and change.counts_simulated is False
    if change.counts_simulated is not None:
        budget.counts_simulated = change.counts_simulated
    await session.flush()
    if budget.limit_nanos > limit_before or is_freed:
        await on_limit_raised.fire(session, project_id)
    await _note(session, budget, "budget.changed", before=before, after=_described(budget))
    return budget


async def delete_budget(session: AsyncSession, *, project_id: UUID, budget_id: UUID) -> None:
    budgets = Budgets(session)
    budget = await budgets.get(project_id, budget_id)
    await budgets.remove(budget_id)
    await on_limit_raised.fire(session, project_id)
    await _note(session, budget, "budget.deleted", before=_described(budget))


async def sum_run(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, purpose: str
) -> tuple[int, int]:
    """Cost in nano-dollars and tokens of a run's calls for one purpose."""
    wanted = LedgerFilter(run_id=run_id, purpose=purpose)
    sums = await LedgerReports(session).sum_up(project_id, wanted=wanted, q=None)
    cost_nanos = sums["cost_nanos"] + sums["simulated_nanos"]
    return cost_nanos, sums["input_tokens"] + sums["output_tokens"]


async def sum_up_calls(session: AsyncSession, *, run_id: UUID) -> None:
    """Leaves one ledger entry for each day, model and outcome of the run, which was deleted."""
    await replace_by_sums(session, run_id=run_id)


async def reap_process(session: AsyncSession, process_id: UUID) -> None:
    """Resolve the reservations of a dead process: attempts that were sent are charged in full as
    unconfirmed, the others released.
    """
    entries = await Entries(session).reap_process(process_id, at=clock.now())
    await ledger.reap_entries(session, entries)


async def reap_orphans(session: AsyncSession) -> None:
    """`reap_process` for all processes that are no longer registered."""
    entries = await Entries(session).reap_orphans(at=clock.now())
    await ledger.reap_entries(session, entries)


def _described(budget: Budget) -> dict[str, Any]:
    return {
        "scope": budget.scope,
        "period": budget.period,
        "limit_usd": f"{usd_from_nanos(budget.limit_nanos):f}",
        "alert_threshold": budget.alert_threshold,
        "counts_simulated": budget.counts_simulated,
    }


async def _note(
    session: AsyncSession, budget: Budget, action: str, **values: dict[str, Any]
) -> None:
    audit.record(
        session, action, entity=("budget", budget.id), project_id=budget.project_id, **values
    )
    await publish_changes(session, budget.project_id, [budget.id])


async def publish_changes(
    session: AsyncSession, project_id: UUID, budget_ids: Collection[UUID]
) -> None:
    for budget_id in budget_ids:
        await events.publish(
            session,
            stream=events.project_stream(project_id),
            kind="budget.changed",
            data={"entity_id": str(budget_id)},
        )
