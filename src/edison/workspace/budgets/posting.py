"""Posts reservations and settlements of many calls to the ledger and the budgets, in one
transaction of the recorder.

Settlements go first, as they free money. Budgets are locked once for all of them, in one order, so
that processes which post for the same projects wait for each other and never in a circle.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.recorder import Batch
from edison.pipeline.generate.path.ports import Intent, Settlement
from edison.workspace.budgets.entries import Entries, Posted
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted, PriceUnknown
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.permits import Check, Permit
from edison.workspace.budgets.purses import Purse, Purses, open_purses


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Set money aside for an attempt, from every budget in scope or from none."""

    entry_id: UUID
    process_id: UUID
    project_id: UUID
    scope_ids: tuple[UUID, ...]
    purpose: str
    run_id: UUID | None
    permit: Permit | None
    intent: Intent
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Say what an attempt came to. Settling again changes nothing."""

    entry_id: UUID
    settlement: Settlement
    made_at: datetime


class _Ledger(Batch[Reserve | Settle, None]):
    order = 0

    def needs_presence(self, item: Reserve | Settle) -> bool:
        return isinstance(item, Reserve)

    async def apply(
        self, session: AsyncSession, items: Sequence[Reserve | Settle]
    ) -> Sequence[Exception | None]:
        settles = [item for item in items if isinstance(item, Settle)]
        reserves = [item for item in items if isinstance(item, Reserve)]
        entries = Entries(session)
        posted = await entries.lock([item.entry_id for item in settles]) if settles else {}
        purses = await open_purses(
            session,
            budget_ids={each for entry in posted.values() for each in entry.budget_ids},
            scope_ids={each for item in reserves for each in (item.project_id, *item.scope_ids)},
        )
        if settled := _settle_all(settles, posted, purses):
            await entries.settle(settled)
        permitted = await _ask_permits(session, reserves)
        answers = {item.entry_id: _reserve(item, purses, permitted) for item in reserves}
        if rows := [row for row in answers.values() if not isinstance(row, Exception)]:
            await entries.add(rows)
        await purses.save()
        return [_refusal(answers.get(item.entry_id)) for item in items]


LEDGER = _Ledger()


def _settle_all(
    items: Sequence[Settle], posted: dict[UUID, Posted], purses: Purses
) -> Mapping[UUID, Mapping[str, Any]]:
    """New values of the entries by their id. Some may be gone, with their project."""
    changes = {}
    for item in items:
        entry = posted.get(item.entry_id)
        if entry is None or entry.state == EntryState.SETTLED:
            continue
        purses.settle(entry, item.settlement.cost_nanos or 0)
        entry.state = EntryState.SETTLED
        changes[item.entry_id] = _settled_values(item)
    return changes


def _settled_values(item: Settle) -> Mapping[str, Any]:
    settlement, usage = item.settlement, item.settlement.usage
    return {
        "cost_nanos": settlement.cost_nanos,
        "failure": settlement.failure,
        "settled_at": item.made_at,
        "input_tokens": None if usage is None else usage.input_tokens,
        "output_tokens": None if usage is None else usage.output_tokens,
        "cached_input_tokens": None if usage is None else usage.cached_input_tokens,
        "reasoning_tokens": None if usage is None else usage.reasoning_tokens,
        "is_estimated": usage is not None and usage.is_estimated,
    }


async def _ask_permits(
    session: AsyncSession, items: Sequence[Reserve]
) -> Mapping[Check, Collection[UUID]]:
    subjects: dict[Check, set[UUID]] = defaultdict(set)
    for item in items:
        if item.permit is not None:
            subjects[item.permit.check].add(item.permit.subject_id)
    return {check: await check(session, ids) for check, ids in subjects.items()}


def _reserve(
    item: Reserve, purses: Purses, permitted: Mapping[Check, Collection[UUID]]
) -> Mapping[str, Any] | Exception:
    """The row of the new entry, or why there is none."""
    permit = item.permit
    if permit is not None and permit.subject_id not in permitted[permit.check]:
        return NotPermitted()
    budgets = purses.in_scope(item.project_id, item.scope_ids)
    amount = item.intent.worst_case_nanos
    if budgets and amount is None:
        return PriceUnknown(item.intent.model)
    try:
        for purse in budgets:
            purse.check(amount or 0)
    except BudgetExhausted as exhausted:
        return exhausted
    for purse in budgets:
        purse.reserved_nanos += amount or 0
    return _row(item, budgets)


def _row(item: Reserve, budgets: Sequence[Purse]) -> Mapping[str, Any]:
    intent = item.intent
    return {
        "id": item.entry_id,
        "project_id": item.project_id,
        "purpose": item.purpose,
        "run_id": item.run_id,
        "process_id": item.process_id,
        "provider": intent.provider,
        "model": intent.model,
        "attempt": intent.attempt,
        "state": EntryState.RESERVED,
        "reserved_nanos": intent.worst_case_nanos,
        "budget_ids": [str(purse.id) for purse in budgets],
        "is_estimated": False,
        "price_version": intent.price_version,
        "created_at": item.made_at,
    }


def _refusal(answer: Mapping[str, Any] | Exception | None) -> Exception | None:
    return answer if isinstance(answer, Exception) else None


async def give_up_on(session: AsyncSession, entries: Sequence[Posted]) -> None:
    """Count attempts of which nobody can say what they came to as if they had cost all that was
    set aside.
    """
    if not entries:
        return
    budget_ids = {budget_id for entry in entries for budget_id in entry.budget_ids}
    purses = await open_purses(session, budget_ids=budget_ids)
    for entry in entries:
        purses.settle(entry, entry.reserved_nanos)
    await purses.save()
