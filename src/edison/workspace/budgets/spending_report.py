"""What was spent in the last days, by day, model, purpose, run or origin of the run."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.csv_text import encode_rows, guard
from edison.kit.hook import Hook
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.repository.reports import LedgerReports, SpentSum
from edison.workspace.budgets.schemas import (
    SpendingBy,
    SpendingGroup,
    SpendingRead,
    SpendingSeries,
)
from edison.workspace.budgets.types import RunFacts

# A listener returns what is known of the runs with these ids.
find_runs: Hook[[AsyncSession, UUID, Collection[UUID]], Mapping[UUID, RunFacts]] = Hook(
    "When spending is reported by run or origin. Says what the runs are."
)

DAY = timedelta(days=1)
# A chart cannot show more distinguishable colours.
MOST_SERIES = 6
MOST_GROUPS = 200
# Origins of calls that no run made, and of calls of deleted runs.
OUTSIDE, DELETED = "outside", "deleted"
HEADER = (
    "name",
    "run_id",
    "simulated",
    "calls",
    "input_tokens",
    "output_tokens",
    "cost_usd",
)


class _Group(NamedTuple):
    name: str | None
    run_id: UUID | None
    is_simulated: bool


async def sum_spending(
    session: AsyncSession, *, project_id: UUID, day_count: int, by: SpendingBy
) -> SpendingRead:
    """The last `day_count` days including today. The smallest groups share one series."""
    today = clock.now().date()
    days = [today - number * DAY for number in reversed(range(day_count))]
    sums = await LedgerReports(session).sum_spending(project_id, days=days, by=by)
    groups = await _group(session, project_id, sums, by)
    totals = {group: sum(each.nanos for each in spent) for group, spent in groups.items()}
    ranked = sorted(totals, key=lambda group: (-totals[group], group.name or "", str(group.run_id)))
    dearest = [group for group in ranked if totals[group]][:MOST_SERIES]
    rows: dict[_Group, Counter[date]] = {group: Counter() for group in dearest}
    for group, spent in groups.items():
        shown = group if group in rows else _Group(None, None, group.is_simulated)
        for each in spent:
            if each.nanos:
                rows.setdefault(shown, Counter())[each.day] += each.nanos
    simulated = sum(nanos for group, nanos in totals.items() if group.is_simulated)
    return SpendingRead(
        by=by,
        days=days,
        total_usd=usd_from_nanos(sum(totals.values()) - simulated),
        simulated_usd=usd_from_nanos(simulated),
        series=[_series(group, days, costs) for group, costs in rows.items()],
        groups=[_read(group, groups[group]) for group in ranked[:MOST_GROUPS]],
    )


async def write_spending(
    session: AsyncSession, *, project_id: UUID, day_count: int, by: SpendingBy
) -> bytes:
    """The groups as CSV."""
    report = await sum_spending(session, project_id=project_id, day_count=day_count, by=by)
    rows = [
        (
            guard(group.name or ""),
            group.run_id or "",
            group.is_simulated,
            group.calls,
            group.input_tokens,
            group.output_tokens,
            group.cost_usd,
        )
        for group in report.groups
    ]
    return encode_rows([HEADER, *rows])


async def _group(
    session: AsyncSession, project_id: UUID, sums: Sequence[SpentSum], by: SpendingBy
) -> dict[_Group, list[SpentSum]]:
    run_ids = {each.key for each in sums if isinstance(each.key, UUID)}
    runs = (await find_runs.first(session, project_id, run_ids) or {}) if run_ids else {}
    groups: dict[_Group, list[SpentSum]] = {}
    for each in sums:
        groups.setdefault(_group_of(each, runs, by), []).append(each)
    return groups


def _group_of(spent: SpentSum, runs: Mapping[UUID, RunFacts], by: SpendingBy) -> _Group:
    if not isinstance(spent.key, UUID):
        name = OUTSIDE if by == "origin" else spent.key
        return _Group(name, None, spent.is_simulated)
    facts = runs.get(spent.key)
    if by == "run":
        return _Group(None if facts is None else facts.name, spent.key, spent.is_simulated)
    return _Group(DELETED if facts is None else facts.origin, None, spent.is_simulated)


def _read(group: _Group, spent: Sequence[SpentSum]) -> SpendingGroup:
    return SpendingGroup(
        name=group.name,
        run_id=group.run_id,
        is_simulated=group.is_simulated,
        calls=sum(each.calls for each in spent),
        input_tokens=sum(each.input_tokens for each in spent),
        output_tokens=sum(each.output_tokens for each in spent),
        cost_usd=usd_from_nanos(sum(each.nanos for each in spent)),
    )


def _series(group: _Group, days: Sequence[date], costs: Counter[date]) -> SpendingSeries:
    return SpendingSeries(
        name=group.name,
        is_simulated=group.is_simulated,
        total_usd=usd_from_nanos(costs.total()),
        costs_usd=[usd_from_nanos(costs[day]) for day in days],
    )
