"""Builders of ledger entries."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.workspace.budgets.models import EntryState, LedgerEntry


def add_entry(
    session: AsyncSession, project_id: UUID, *, at: datetime | None = None, **over: Any
) -> LedgerEntry:
    """A charged call that cost a dollar."""
    made_at = at or clock.now()
    values: dict[str, Any] = {
        "purpose": "try",
        "provider": "openai",
        "model": "gpt-x",
        "attempt": 1,
        "state": EntryState.SETTLED,
        "reserved_nanos": 1_000_000_000,
        "cost_nanos": 1_000_000_000,
        "budget_ids": [],
        "is_estimated": False,
        "created_at": made_at,
        "left_at": made_at,
        "settled_at": made_at,
    }
    entry = LedgerEntry(id=ids.new_id(), project_id=project_id, **(values | over))
    session.add(entry)
    return entry
