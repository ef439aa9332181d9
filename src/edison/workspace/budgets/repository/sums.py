"""Replaces the ledger entries of a run by sums."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Text, case, cast, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.clock import midnight
from edison.workspace.budgets.models import EntryState, LedgerEntry

_KEYS = (
    LedgerEntry.project_id,
    LedgerEntry.run_id,
    LedgerEntry.purpose,
    LedgerEntry.provider,
    LedgerEntry.model,
    LedgerEntry.state,
    LedgerEntry.is_simulated,
    LedgerEntry.is_estimated,
    LedgerEntry.price_version,
    LedgerEntry.failure,
)
_BUDGETS = cast(LedgerEntry.budget_ids, Text).label("budgets")
# Calls without a price, and failed calls that cost nothing, are counted apart.
_PRICED = case((LedgerEntry.cost_nanos.is_(None), 0), (LedgerEntry.cost_nanos == 0, 1), else_=2)
_SUMS = (
    LedgerEntry.calls,
    LedgerEntry.reserved_nanos,
    LedgerEntry.cost_nanos,
    LedgerEntry.counted_tokens,
    LedgerEntry.input_tokens,
    LedgerEntry.output_tokens,
    LedgerEntry.cached_input_tokens,
    LedgerEntry.reasoning_tokens,
)
_TIMES = (
    func.min(LedgerEntry.created_at).label("created_at"),
    func.max(LedgerEntry.left_at).label("left_at"),
    func.max(LedgerEntry.settled_at).label("settled_at"),
)


async def replace_by_sums(session: AsyncSession, *, run_id: UUID) -> None:
    """One entry is left for each day, model and outcome. Calls that may still be changed, and those
    an administrator wrote a note about, stay as they are.
    """
    is_closed = (
        (LedgerEntry.run_id == run_id)
        & LedgerEntry.state.in_([EntryState.SETTLED, EntryState.RELEASED])
        & LedgerEntry.note.is_(None)
    )
    for day in await _days(session, is_closed):
        is_meant = is_closed & (LedgerEntry.created_at >= midnight(day))
        is_meant &= LedgerEntry.created_at < midnight(day + timedelta(days=1))
        found = await session.execute(
            select(
                *_KEYS, _BUDGETS, *_TIMES, *(func.sum(column).label(column.key) for column in _SUMS)
            )
            .where(is_meant)
            .group_by(*_KEYS, _BUDGETS, _PRICED)
        )
        sums = [_sum(row) for row in found.mappings()]
        await session.execute(delete(LedgerEntry).where(is_meant))
        session.add_all(sums)
        await session.flush()


async def _days(session: AsyncSession, is_closed: ColumnElement[bool]) -> Iterator[date]:
    found = await session.execute(
        select(func.min(LedgerEntry.created_at), func.max(LedgerEntry.created_at)).where(is_closed)
    )
    first, last = found.one()
    count = 0 if first is None else (last.date() - first.date()).days + 1
    return (first.date() + timedelta(days=number) for number in range(count))


def _sum(row: RowMapping) -> LedgerEntry:
    values: dict[str, Any] = dict(row)
    budget_ids = json.loads(values.pop("budgets"))
    # PostgreSQL sums integers to a Decimal.
    for column in _SUMS:
        values[column.key] = None if values[column.key] is None else int(values[column.key])
    return LedgerEntry(**values, budget_ids=budget_ids, attempt=1)
