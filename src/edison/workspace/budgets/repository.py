"""All SQL about budgets and the ledger.

What several processes do at once to one budget is settled by one conditional statement: a
reservation is taken only where spent and reserved money together stay within the limit.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, case, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.kit.errors import NotFound
from edison.workspace.budgets.models import Budget, BudgetDay, EntryState, LedgerEntry, Period

WINDOW = timedelta(days=30)

_BUDGET_SORTING = Sorting(
    columns={"created_at": Budget.created_at}, default="created_at", id=Budget.id
)


class Budgets:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[Budget]:
        statement = select(Budget).where(Budget.project_id == project_id)
        return await paginate(self._session, statement, page=page, sorting=_BUDGET_SORTING)

    async def get(self, project_id: UUID, budget_id: UUID) -> Budget:
        found = await self._session.scalar(
            select(Budget).where(Budget.project_id == project_id, Budget.id == budget_id)
        )
        if found is None:
            raise NotFound("There is no such budget.")
        return found

    async def add(self, budget: Budget) -> bool:
        """False when there is one for this scope and period already."""
        values = {
            column.name: getattr(budget, column.name)
            for column in Budget.__table__.columns
            if getattr(budget, column.name) is not None
        }
        statement = upsert.insert(self._session, Budget).values(**values)
        added = await self._session.scalar(statement.on_conflict_do_nothing().returning(Budget.id))
        return added is not None

    async def remove(self, budget_id: UUID) -> None:
        await self._session.execute(delete(Budget).where(Budget.id == budget_id))

    async def list_in_scope(self, project_id: UUID, scope_ids: Collection[UUID]) -> Sequence[UUID]:
        """Always in the same order, so that two who lock several never wait for each other."""
        found = await self._session.scalars(
            select(Budget.id)
            .where(Budget.project_id == project_id, Budget.scope_id.in_(scope_ids))
            .order_by(Budget.id)
        )
        return found.all()

    async def bring_up_to(self, budget_ids: Collection[UUID], day: date) -> None:
        """Forget what no longer lies in the window."""
        in_window = (
            select(func.coalesce(func.sum(BudgetDay.spent_nanos), 0))
            .where(BudgetDay.budget_id == Budget.id, BudgetDay.day > day - WINDOW)
            .scalar_subquery()
        )
        await self._session.execute(
            update(Budget)
            .where(
                Budget.id.in_(budget_ids), Budget.window_day < day, Budget.period != Period.TOTAL
            )
            .values(
                window_day=day,
                spent_nanos=case((Budget.period == Period.DAY, 0), else_=in_window),
            )
            .execution_options(synchronize_session=False)
        )

    async def reserve(self, budget_id: UUID, amount_nanos: int) -> bool:
        """Set the amount aside if the limit allows it."""
        committed = Budget.spent_nanos + Budget.reserved_nanos
        reserved = await self._session.scalar(
            update(Budget)
            .where(Budget.id == budget_id, committed + amount_nanos <= Budget.limit_nanos)
            .values(reserved_nanos=Budget.reserved_nanos + amount_nanos)
            .returning(Budget.id)
        )
        return reserved is not None

    async def settle(
        self, budget_id: UUID, *, reserved_nanos: int, cost_nanos: int, day: date
    ) -> None:
        """Turn what was set aside into what was spent; less than nothing takes some of it back."""
        spent = Budget.spent_nanos + cost_nanos
        found = await self._session.scalar(
            update(Budget)
            .where(Budget.id == budget_id)
            .values(
                reserved_nanos=Budget.reserved_nanos - reserved_nanos,
                spent_nanos=case((spent < 0, 0), else_=spent),
            )
            .returning(Budget.id)
        )
        # Somebody may have deleted the budget during the call.
        if found is not None and cost_nanos:
            statement = upsert.insert(self._session, BudgetDay).values(
                budget_id=budget_id, day=day, spent_nanos=cost_nanos
            )
            await self._session.execute(
                statement.on_conflict_do_update(
                    index_elements=["budget_id", "day"],
                    set_={"spent_nanos": BudgetDay.spent_nanos + cost_nanos},
                )
            )

    async def find_exhausted(self, budget_ids: Collection[UUID]) -> Budget | None:
        return await self._session.scalar(
            select(Budget)
            .where(Budget.id.in_(budget_ids), Budget.spent_nanos >= Budget.limit_nanos)
            .limit(1)
        )

    async def mark_alerted(self, budget_ids: Collection[UUID], day: date) -> Sequence[Budget]:
        """Budgets that have just reached their threshold; each is returned once per window."""
        is_reached = Budget.spent_nanos >= Budget.alert_threshold * Budget.limit_nanos
        is_news = or_(
            Budget.alerted_on.is_(None),
            and_(Budget.period == Period.DAY, Budget.alerted_on < day),
            and_(Budget.period == Period.ROLLING_30_DAYS, Budget.alerted_on <= day - WINDOW),
        )
        found = await self._session.scalars(
            update(Budget)
            .where(Budget.id.in_(budget_ids), is_reached, is_news)
            .values(alerted_on=day)
            .returning(Budget)
        )
        return found.all()


class Ledger:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    def add(self, entry: LedgerEntry) -> None:
        self._session.add(entry)

    async def settle(self, entry_id: UUID, values: dict[str, Any]) -> LedgerEntry:
        """The entry as it was before, locked against others who would settle it."""
        entry = await self._session.get_one(LedgerEntry, entry_id, with_for_update=True)
        before = LedgerEntry(
            state=entry.state,
            reserved_nanos=entry.reserved_nanos,
            cost_nanos=entry.cost_nanos,
            budget_ids=entry.budget_ids,
        )
        for name, value in values.items():
            setattr(entry, name, value)
        entry.state = EntryState.SETTLED
        return before

    async def give_up_on(self, *, made_before: datetime) -> Sequence[LedgerEntry]:
        found = await self._session.scalars(
            update(LedgerEntry)
            .where(LedgerEntry.state == EntryState.RESERVED, LedgerEntry.created_at < made_before)
            .values(state=EntryState.UNCONFIRMED, cost_nanos=LedgerEntry.reserved_nanos)
            .returning(LedgerEntry)
        )
        return found.all()
