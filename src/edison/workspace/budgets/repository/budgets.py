"""Queries of budgets, except for the amounts that calls change; see `balances`."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from uuid import UUID

from sqlalchemy import and_, case, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.kit.errors import NotFound
from edison.workspace.budgets.models import Budget, BudgetDay, Period

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

    async def lock(self, budget_id: UUID) -> Budget | None:
        return await self._session.scalar(
            select(Budget)
            .where(Budget.id == budget_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def find_of_scope(
        self, project_id: UUID, scope_id: UUID, period: Period
    ) -> Budget | None:
        return await self._session.scalar(
            select(Budget).where(
                Budget.project_id == project_id,
                Budget.scope_id == scope_id,
                Budget.period == period,
            )
        )

    async def add(self, budget: Budget) -> bool:
        """False when the scope already has a budget for this period."""
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
        """In id order, so concurrent transactions that lock several cannot deadlock."""
        found = await self._session.scalars(
            select(Budget.id)
            .where(Budget.project_id == project_id, Budget.scope_id.in_(scope_ids))
            .order_by(Budget.id)
        )
        return found.all()

    async def list_all(self, project_id: UUID, scope_ids: Collection[UUID]) -> Sequence[Budget]:
        found = await self._session.scalars(
            select(Budget)
            .where(Budget.project_id == project_id, Budget.scope_id.in_(scope_ids))
            .order_by(Budget.id)
            .execution_options(populate_existing=True)
        )
        return found.all()

    async def bring_up_to(self, budget_ids: Collection[UUID], day: date) -> None:
        """Roll windows forward to `day`: amounts outside the window no longer count."""
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

    async def mark_alerted(self, budget_ids: Collection[UUID], day: date) -> Sequence[Budget]:
        """Budgets that just reached their threshold; each is returned once per window."""
        threshold_nanos = func.round(Budget.alert_threshold * Budget.limit_nanos)
        is_reached = Budget.spent_nanos >= threshold_nanos
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
