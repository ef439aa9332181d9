"""Posts reservations and settlements of many calls to the ledger and the budgets, in one
transaction of the recorder.

Settlements go first, as they free money. Budgets are locked once for all of them, in one order, so
that processes which post for the same projects wait for each other and never in a circle.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
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
class Leave:
    """Mark that an attempt is about to leave. Its request may go out once this is committed."""

    entry_id: UUID
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Say what an attempt came to. Settling again changes nothing."""

    entry_id: UUID
    settlement: Settlement
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCharge:
    """What an entry adds to the cost of its run, less where a charge was corrected.
    `unconfirmed_nanos` is the part of it that nobody has confirmed.
    """

    run_id: UUID
    purpose: str
    cost_nanos: int
    unconfirmed_nanos: int


# Called in the transaction that charges the entries of runs; filled by a slice above.
on_run_charged: list[Callable[[AsyncSession, Sequence[RunCharge]], Awaitable[None]]] = []


async def charge_runs(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    for each in on_run_charged if charges else ():
        await each(session, charges)


class _Ledger(Batch[Reserve | Leave | Settle, None]):
    order = 0

    def needs_presence(self, item: Reserve | Leave | Settle) -> bool:
        return not isinstance(item, Settle)

    async def apply(
        self, session: AsyncSession, items: Sequence[Reserve | Leave | Settle]
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
        charges: list[RunCharge] = []
        if settled := _settle_all(settles, posted, purses, charges):
            await entries.settle(settled)
        if left := {item.entry_id: item.made_at for item in items if isinstance(item, Leave)}:
            await entries.mark_left(left)
        permitted = await _ask_permits(session, reserves)
        answers = {item.entry_id: _reserve(item, purses, permitted) for item in reserves}
        if rows := [row for row in answers.values() if not isinstance(row, Exception)]:
            await entries.add(rows)
        await purses.save()
        await charge_runs(session, charges)
        return [_refusal(answers.get(item.entry_id)) for item in items]


LEDGER = _Ledger()


def _settle_all(
    items: Sequence[Settle],
    posted: dict[UUID, Posted],
    purses: Purses,
    charges: list[RunCharge],
) -> Mapping[UUID, Mapping[str, Any]]:
    """New values of the entries by their id, and what they add to runs. Some may be gone, with
    their project.
    """
    changes = {}
    for item in items:
        entry = posted.get(item.entry_id)
        if entry is None or entry.state == EntryState.SETTLED:
            continue
        cost_nanos = item.settlement.cost_nanos or 0
        purses.settle(entry, cost_nanos)
        charges += run_charges(entry, cost_nanos)
        entry.state, entry.cost_nanos = EntryState.SETTLED, cost_nanos
        changes[item.entry_id] = _settled_values(item)
    return changes


def run_charges(entry: Posted, cost_nanos: int) -> list[RunCharge]:
    """What settling the entry at this cost adds to its run: one charge, or none."""
    was_unconfirmed = entry.cost_nanos if entry.state == EntryState.UNCONFIRMED else 0
    if entry.run_id is None or (cost_nanos == entry.cost_nanos and not was_unconfirmed):
        return []
    charge = RunCharge(
        run_id=entry.run_id,
        purpose=entry.purpose,
        cost_nanos=cost_nanos - entry.cost_nanos,
        unconfirmed_nanos=-was_unconfirmed,
    )
    return [charge]


def _settled_values(item: Settle) -> Mapping[str, Any]:
    settlement, usage = item.settlement, item.settlement.usage
    return {
        "state": EntryState.SETTLED if settlement.has_left else EntryState.RELEASED,
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
        "left_at": item.made_at if intent.leaves_at_once else None,
    }


def _refusal(answer: Mapping[str, Any] | Exception | None) -> Exception | None:
    return answer if isinstance(answer, Exception) else None


async def give_up_on(session: AsyncSession, entries: Sequence[Posted]) -> None:
    """Move the reservations of attempts that a dead process left behind: to what is spent for
    those that had left, and back for the others.
    """
    if not entries:
        return
    budget_ids = {budget_id for entry in entries for budget_id in entry.budget_ids}
    purses = await open_purses(session, budget_ids=budget_ids)
    for entry in entries:
        purses.move_reservation(entry)
    await purses.save()
    await charge_runs(
        session,
        [
            RunCharge(
                run_id=entry.run_id,
                purpose=entry.purpose,
                cost_nanos=entry.cost_nanos,
                unconfirmed_nanos=entry.cost_nanos,
            )
            for entry in entries
            if entry.run_id is not None and entry.cost_nanos
        ],
    )
