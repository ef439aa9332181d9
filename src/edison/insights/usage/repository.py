"""Counts over all projects, for metrics."""

from collections.abc import Mapping
from datetime import date, datetime

from sqlalchemy import Float, cast, func, or_, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.models import Suggestion
from edison.runs.store.models import Run
from edison.workspace.accounts.models import AccessToken, UserSession
from edison.workspace.budgets.models import Budget, Period


class Usage:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count_runs(self) -> Mapping[str, int]:
        """Runs by state."""
        counted = select(Run.state, func.count()).group_by(Run.state)
        return {state: count for state, count in await self._session.execute(counted)}

    async def sum_runs(self) -> tuple[int, int, int, int, int]:
        """Cells, failed ones, those from the cache, scores, and cost in nanodollars."""
        columns = (
            Run.done_count, Run.error_count, Run.cached_count, Run.score_count, Run.cost_nanos,
        )  # fmt: skip
        summed = select(*(func.coalesce(func.sum(column), 0) for column in columns))
        found = (await self._session.execute(summed)).one()
        cells, failed, cached, scores, cost = map(int, found)
        return cells, failed, cached, scores, cost

    async def count_suggestions(self) -> Mapping[str, int]:
        """Suggestions by state."""
        counted = select(Suggestion.state, func.count()).group_by(Suggestion.state)
        return {state: count for state, count in await self._session.execute(counted)}

    async def count_active_users(self, since: datetime) -> int:
        """People with a browser session or an access token that was used since then."""
        seen = union(
            select(UserSession.user_id).where(UserSession.last_seen_at >= since),
            select(AccessToken.user_id).where(AccessToken.last_used_at >= since),
        ).subquery()
        return await self._session.scalar(select(func.count()).select_from(seen)) or 0

    async def find_highest_use(self, today: date) -> float:
        """The largest share of a budget that is spent or reserved, among budgets without a period
        and those that were used today. Older balances no longer count.
        """
        used = cast(Budget.spent_nanos + Budget.reserved_nanos, Float) / Budget.limit_nanos
        is_current = or_(Budget.period == Period.TOTAL, Budget.window_day >= today)
        return (
            await self._session.scalar(
                select(func.max(used)).where(Budget.limit_nanos > 0, is_current)
            )
            or 0.0
        )
