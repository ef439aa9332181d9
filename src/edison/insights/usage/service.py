"""How much an installation is used, over all projects."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from edison.insights.usage.repository import Usage
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass

ACTIVE_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageCounts:
    """`runs` and `suggestions` are counted by state. `highest_budget_use` is a share of 1."""

    runs: Mapping[str, int]
    cells: int
    failed_cells: int
    cached_cells: int
    scores: int
    cost_nanos: int
    suggestions: Mapping[str, int]
    active_users: int
    highest_budget_use: float


async def count_usage(session: AsyncSession) -> UsageCounts:
    usage, now = Usage(session), clock.now()
    cells, failed, cached, scores, cost = await usage.sum_runs()
    return UsageCounts(
        runs=await usage.count_runs(),
        cells=cells,
        failed_cells=failed,
        cached_cells=cached,
        scores=scores,
        cost_nanos=cost,
        suggestions=await usage.count_suggestions(),
        active_users=await usage.count_active_users(now - ACTIVE_FOR),
        highest_budget_use=await usage.find_highest_use(now.date()),
    )
