"""Queries for reports: search of the ledger and sums of spending.

Sums by day or hour are one subquery per step instead of a `GROUP BY` on the time: each subquery
reads one range of an index, and the ledger is never sorted as a whole.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit.clock import midnight
from edison.workspace.budgets.models import Budget, BudgetDay, EntryState, LedgerEntry, Scope
from edison.workspace.budgets.schemas import LedgerFilter, SpendingBy
from edison.workspace.budgets.types import CallUsage

MOST_FACETS = 500

# An entry counts its cost, or else its reservation.
_AMOUNT = func.coalesce(LedgerEntry.cost_nanos, LedgerEntry.reserved_nanos, 0)
_SORTING = Sorting(
    columns={"created_at": LedgerEntry.created_at, "cost": _AMOUNT},
    default="-created_at",
    id=LedgerEntry.id,
)
_GROUPS: Mapping[SpendingBy, ColumnElement[Any]] = {
    "day": null(),
    "model": LedgerEntry.model.expression,
    "purpose": LedgerEntry.purpose.expression,
    "run": LedgerEntry.run_id.expression,
    "origin": LedgerEntry.run_id.expression,
}


class SpentSum(NamedTuple):
    """Sums of one day and group. `key` is a model, a purpose or the id of a run."""

    day: date
    key: str | UUID | None
    is_simulated: bool
    nanos: int
    calls: int
    input_tokens: int
    output_tokens: int


class LedgerReports:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(
        self, project_id: UUID, *, wanted: LedgerFilter, page: PageRequest
    ) -> Slice[LedgerEntry]:
        statement = select(LedgerEntry).where(*_conditions(project_id, wanted, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def list_older(
        self,
        project_id: UUID,
        *,
        wanted: LedgerFilter,
        q: str | None,
        than: LedgerEntry | None,
        limit: int,
    ) -> Sequence[LedgerEntry]:
        """The entries after `than`, latest first."""
        statement = select(LedgerEntry).where(*_conditions(project_id, wanted, q))
        if than is not None:
            at_once = and_(LedgerEntry.created_at == than.created_at, LedgerEntry.id < than.id)
            statement = statement.where(or_(LedgerEntry.created_at < than.created_at, at_once))
        newest_first = statement.order_by(LedgerEntry.created_at.desc(), LedgerEntry.id.desc())
        return (await self._session.scalars(newest_first.limit(limit))).all()

    async def sum_up(
        self, project_id: UUID, *, wanted: LedgerFilter, q: str | None
    ) -> Mapping[str, int]:
        is_open = LedgerEntry.state == EntryState.RESERVED
        is_unconfirmed = LedgerEntry.state == EntryState.UNCONFIRMED
        is_unpriced = and_(~is_open, LedgerEntry.cost_nanos.is_(None))
        is_unanswered = and_(
            LedgerEntry.state == EntryState.SETTLED,
            LedgerEntry.failure.is_not(None),
            LedgerEntry.cost_nanos > 0,
        )
        sums = {
            "calls": LedgerEntry.calls,
            "failed_calls": case((LedgerEntry.failure.is_not(None), LedgerEntry.calls)),
            "unpriced_calls": case((is_unpriced, LedgerEntry.calls)),
            "cost_nanos": case((~LedgerEntry.is_simulated, LedgerEntry.cost_nanos)),
            "simulated_nanos": case((LedgerEntry.is_simulated, LedgerEntry.cost_nanos)),
            "unanswered_calls": case((is_unanswered, LedgerEntry.calls)),
            "unanswered_nanos": case((is_unanswered, LedgerEntry.cost_nanos)),
            "reserved_nanos": case((is_open, LedgerEntry.reserved_nanos)),
            "unconfirmed_calls": case((is_unconfirmed, LedgerEntry.calls)),
            "unconfirmed_nanos": case((is_unconfirmed, LedgerEntry.cost_nanos)),
            "input_tokens": LedgerEntry.input_tokens,
            "output_tokens": LedgerEntry.output_tokens,
        }
        columns = [func.sum(amount).label(name) for name, amount in sums.items()]
        found = await self._session.execute(
            select(*columns).where(*_conditions(project_id, wanted, q))
        )
        # PostgreSQL sums integers to a Decimal, and no rows to NULL.
        return {name: int(value or 0) for name, value in found.one()._mapping.items()}

    async def list_usage(
        self,
        project_id: UUID,
        call: tuple[str, str, str],
        *,
        run_ids: Collection[UUID] | None,
        since: datetime,
        limit: int,
    ) -> list[CallUsage]:
        purpose, provider, model = call
        statement = select(
            LedgerEntry.counted_tokens,
            LedgerEntry.input_tokens,
            LedgerEntry.output_tokens,
            LedgerEntry.cached_input_tokens,
            LedgerEntry.left_at,
            LedgerEntry.settled_at,
        ).where(
            LedgerEntry.project_id == project_id,
            LedgerEntry.created_at >= since,
            LedgerEntry.purpose == purpose,
            LedgerEntry.provider == provider,
            LedgerEntry.model == model,
            LedgerEntry.state == EntryState.SETTLED,
            LedgerEntry.failure.is_(None),
            LedgerEntry.output_tokens.is_not(None),
            LedgerEntry.calls == 1,
        )
        if run_ids is not None:
            statement = statement.where(LedgerEntry.run_id.in_(run_ids))
        found = await self._session.execute(
            statement.order_by(LedgerEntry.created_at.desc()).limit(limit)
        )
        return [
            CallUsage(
                counted_tokens=entry.counted_tokens,
                input_tokens=entry.input_tokens,
                output_tokens=entry.output_tokens,
                cached_input_tokens=entry.cached_input_tokens,
                seconds=max(0.0, (entry.settled_at - entry.left_at).total_seconds())
                if entry.settled_at and entry.left_at
                else 0.0,
            )
            for entry in found
        ]

    async def list_facets(self, project_id: UUID) -> Sequence[tuple[str, str, str]]:
        """Every combination of purpose, provider and model in the ledger."""
        statement = (
            select(LedgerEntry.purpose, LedgerEntry.provider, LedgerEntry.model)
            .where(LedgerEntry.project_id == project_id)
            .distinct()
            .limit(MOST_FACETS)
        )
        return (await self._session.execute(statement)).all()

    async def sum_spending(
        self, project_id: UUID, *, days: Sequence[date], by: SpendingBy
    ) -> list[SpentSum]:
        """Cost, calls and tokens per day, group, and whether they are simulated."""
        group = _GROUPS[by]
        branches = [
            _sum_between(midnight(day), midnight(day + timedelta(days=1)), step=step, group=group)
            .add_columns(
                LedgerEntry.is_simulated,
                func.sum(LedgerEntry.calls),
                func.sum(LedgerEntry.input_tokens),
                func.sum(LedgerEntry.output_tokens),
            )
            .where(LedgerEntry.project_id == project_id)
            for step, day in enumerate(days)
        ]
        groups = [LedgerEntry.is_simulated.expression, *([] if by == "day" else [group])]
        found = await self._session.execute(
            union_all(*(branch.group_by(*groups) for branch in branches))
        )
        return [
            SpentSum(
                day=days[step],
                key=key,
                is_simulated=bool(simulated),
                nanos=int(nanos or 0),
                calls=int(calls),
                input_tokens=int(read or 0),
                output_tokens=int(written or 0),
            )
            for step, key, nanos, simulated, calls, read, written in found
        ]

    async def sum_hours(self, budget: Budget, *, hours: Sequence[datetime]) -> Sequence[int]:
        """Amount charged to a budget in each hour; `hours` are the starts."""
        is_charged = LedgerEntry.project_id == budget.project_id
        if budget.scope != Scope.PROJECT:
            is_charged &= cast(LedgerEntry.budget_ids, Text).contains(str(budget.id))
        elif not budget.counts_simulated:
            is_charged &= ~LedgerEntry.is_simulated
        branches = [
            _sum_between(
                max(hour, budget.created_at), hour + timedelta(hours=1), step=step, group=null()
            ).where(is_charged)
            for step, hour in enumerate(hours)
        ]
        found = await self._session.execute(union_all(*branches))
        sums = {step: int(nanos or 0) for step, _, nanos in found}
        return [sums[step] for step in range(len(hours))]

    async def sum_by_day(self, budget_id: UUID, *, since: date) -> Mapping[date, int]:
        found = await self._session.execute(
            select(BudgetDay.day, BudgetDay.spent_nanos).where(
                BudgetDay.budget_id == budget_id, BudgetDay.day >= since
            )
        )
        return {day: nanos for day, nanos in found}

    async def sum_since(self, budget_ids: Collection[UUID], *, since: date) -> Mapping[UUID, int]:
        """Amount spent since a day. Budgets without spending are left out."""
        found = await self._session.execute(
            select(BudgetDay.budget_id, func.sum(BudgetDay.spent_nanos))
            .where(BudgetDay.budget_id.in_(budget_ids), BudgetDay.day >= since)
            .group_by(BudgetDay.budget_id)
        )
        return {budget_id: int(nanos) for budget_id, nanos in found}

    async def list_budgets(self, project_id: UUID) -> Sequence[Budget]:
        found = await self._session.scalars(
            select(Budget).where(Budget.project_id == project_id).order_by(Budget.created_at)
        )
        return found.all()


def _sum_between(
    begin: datetime, end: datetime, *, step: int, group: ColumnElement[Any]
) -> Select[Any]:
    return select(
        literal(step).label("step"), group.label("name"), func.sum(LedgerEntry.cost_nanos)
    ).where(LedgerEntry.created_at >= begin, LedgerEntry.created_at < end)


def _conditions(project_id: UUID, wanted: LedgerFilter, q: str | None) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [LedgerEntry.project_id == project_id]
    for column, value in (
        (LedgerEntry.purpose, wanted.purpose),
        (LedgerEntry.provider, wanted.provider),
        (LedgerEntry.model, wanted.model),
        (LedgerEntry.run_id, wanted.run_id),
        (LedgerEntry.state, wanted.state),
    ):
        if value is not None:
            conditions.append(column == value)
    if wanted.first_day is not None:
        conditions.append(LedgerEntry.created_at >= midnight(wanted.first_day))
    if wanted.last_day is not None:
        conditions.append(LedgerEntry.created_at < midnight(wanted.last_day + timedelta(days=1)))
    if q is not None:
        searched = (
            LedgerEntry.model,
            LedgerEntry.purpose,
            LedgerEntry.provider,
            LedgerEntry.failure,
        )
        conditions.append(or_(*(contains(column, q) for column in searched)))
    return conditions
