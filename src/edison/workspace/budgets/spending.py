"""Reports of spending and forecasts of budgets."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.api.record_files import ROWS_AT_ONCE, RecordFormat, stream_records
from edison.db.session import Database
from edison.kit import clock
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.workspace.audit import service as audit
from edison.workspace.budgets import burn_down, scopes
from edison.workspace.budgets.models import Budget, LedgerEntry, Period
from edison.workspace.budgets.repository.budgets import WINDOW, Budgets
from edison.workspace.budgets.repository.reports import LedgerReports
from edison.workspace.budgets.schemas import (
    BudgetRead,
    BudgetState,
    BudgetStateRead,
    BurnDownRead,
    BurnPoint,
    LedgerEntryRead,
    LedgerFacets,
    LedgerFilter,
    LedgerTotals,
)

DAY = timedelta(days=1)
_SEVERITY: Mapping[BudgetState, int] = {"open": 0, "alert": 1, "exhausted": 2}


async def list_entries(
    session: AsyncSession, *, project_id: UUID, wanted: LedgerFilter, page: PageRequest
) -> Slice[LedgerEntry]:
    return await LedgerReports(session).list_of_project(project_id, wanted=wanted, page=page)


async def sum_entries(
    session: AsyncSession, *, project_id: UUID, wanted: LedgerFilter, q: str | None
) -> LedgerTotals:
    sums = await LedgerReports(session).sum_up(project_id, wanted=wanted, q=q)
    amounts = {
        name.replace("_nanos", "_usd"): usd_from_nanos(value) if name.endswith("_nanos") else value
        for name, value in sums.items()
    }
    return LedgerTotals.model_validate(amounts)


async def list_facets(session: AsyncSession, *, project_id: UUID) -> LedgerFacets:
    found = await LedgerReports(session).list_facets(project_id)
    purposes, providers, models = (sorted({row[column] for row in found}) for column in range(3))
    return LedgerFacets(purposes=purposes, providers=providers, models=models)


async def list_budgets(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[BudgetRead]:
    found = await Budgets(session).list_of_project(project_id, page=page)
    return found.with_items(await _describe(session, project_id, found.items))


async def describe_budget(session: AsyncSession, budget: Budget) -> BudgetRead:
    (described,) = await _describe(session, budget.project_id, [budget])
    return described


async def _describe(
    session: AsyncSession, project_id: UUID, budgets: Sequence[Budget]
) -> list[BudgetRead]:
    """Budgets as of today, also those last written on an earlier day."""
    today = clock.now().date()
    moved = [
        budget.id
        for budget in budgets
        if budget.period == Period.ROLLING_30_DAYS and budget.window_day < today
    ]
    sums = await LedgerReports(session).sum_since(moved, since=today - WINDOW + DAY)
    current = dict.fromkeys(moved, 0) | {
        budget.id: 0
        for budget in budgets
        if budget.period == Period.DAY and budget.window_day < today
    }
    current |= sums
    names = await scopes.find_scope_names(session, project_id=project_id, budgets=budgets)
    return [
        BudgetRead.of(
            budget,
            spent_nanos=current.get(budget.id, budget.spent_nanos),
            scope_name=names.get(budget.scope_id),
        )
        for budget in budgets
    ]


async def read_state(session: AsyncSession, *, project_id: UUID) -> BudgetStateRead:
    """The budget nearest to its limit, for the indicator on every page."""
    found = await LedgerReports(session).list_budgets(project_id)
    described = await _describe(session, project_id, found)
    if not described:
        return BudgetStateRead(state="unlimited", budget=None)
    nearest = max(described, key=lambda budget: (_SEVERITY[budget.state], _share(budget)))
    return BudgetStateRead(state=nearest.state, budget=nearest)


def _share(budget: BudgetRead) -> float:
    return float(budget.spent_usd / budget.limit_usd) if budget.limit_usd else 1.0


async def read_burn_down(
    session: AsyncSession, *, project_id: UUID, budget_id: UUID
) -> BurnDownRead:
    """Raises NotFound."""
    budget = await Budgets(session).get(project_id, budget_id)
    described = await describe_budget(session, budget)
    burn = await _burn_down(session, budget, described)
    return BurnDownRead(
        budget=described,
        step="hour" if budget.period == Period.DAY else "day",
        points=_points(burn.points),
        projection=_points(burn.projection),
        usd_per_day=usd_from_nanos(burn.nanos_per_day),
        used_up_at=burn.used_up_at,
    )


async def _burn_down(
    session: AsyncSession, budget: Budget, described: BudgetRead
) -> burn_down.BurnDown:
    reading = LedgerReports(session)
    now = clock.now()
    usage = burn_down.BudgetUsage(
        now=now,
        since=budget.created_at,
        limit_nanos=budget.limit_nanos,
        spent_nanos=nanos_from_usd(described.spent_usd),
    )
    if budget.period == Period.DAY:
        start = clock.midnight(now.date())
        hours = [start + timedelta(hours=number) for number in range(now.hour + 1)]
        return burn_down.burn_down_of_day(usage, await reading.sum_hours(budget, hours=hours))
    per_day = await reading.sum_by_day(budget.id, since=now.date() - burn_down.SHOWN_DAYS * DAY)
    if budget.period == Period.TOTAL:
        return burn_down.burn_down_of_total(usage, per_day)
    return burn_down.burn_down_of_window(usage, per_day)


def _points(points: Sequence[burn_down.Point]) -> list[BurnPoint]:
    return [BurnPoint(at=point.at, spent_usd=usd_from_nanos(point.spent_nanos)) for point in points]


async def export_entries(
    database: Database,
    *,
    project_id: UUID,
    wanted: LedgerFilter,
    q: str | None,
    file_format: RecordFormat,
) -> AsyncIterator[bytes]:
    """Write the audit entry, then stream the file, latest entry first. An attempt that ends
    meanwhile appears once, as it was when read.
    """
    filters = {"q": q, **asdict(wanted)}
    async with database.write() as session:
        audit.record(
            session,
            "ledger.exported",
            entity=("ledger", project_id),
            project_id=project_id,
            after={"format": file_format}
            | {name: str(value) for name, value in filters.items() if value is not None},
        )

    async def read_after(last: LedgerEntry | None) -> Sequence[LedgerEntry]:
        async with database.read() as session:
            return await LedgerReports(session).list_older(
                project_id, wanted=wanted, q=q, than=last, limit=ROWS_AT_ONCE
            )

    return stream_records(
        read_after, schema=LedgerEntryRead, describe=LedgerEntryRead.of, file_format=file_format
    )
