"""Applies reservations and charges of many calls to the ledger and the budgets, in one transaction
of the batch writer.

Charges are applied first, because they free money. Budgets are locked once per transaction, in id
order, so processes that write for the same projects cannot deadlock.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.batch_writer import Batch, BatchWriter
from edison.kit import clock, ids
from edison.kit.fast_frozen import fast_frozen
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import AttemptCost, Intent
from edison.workspace.budgets.balances import Balances, lock_balances
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted, PriceUnknown
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import Entries, EntrySnapshot
from edison.workspace.budgets.types import Check, Permit, RunCharge


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Reserve money for an attempt, in every budget in scope or in none."""

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
class MarkSent:
    """Mark an attempt as sent. Its request may be sent once this is committed."""

    entry_id: UUID
    made_at: datetime


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """Charge an attempt its cost. Idempotent. `reserved` is its entry as it was reserved, if the
    caller knows it: then it need not be read.
    """

    entry_id: UUID
    cost: AttemptCost
    made_at: datetime
    reserved: EntrySnapshot | None = None


# One item of the write batch; a list holds one kind only.
LedgerItem = Reserve | MarkSent | Charge | Sequence[Reserve] | Sequence[Charge]
# Of a reservation, its budgets or why it was refused; of a list, a list with one for each element.
Reply = tuple[UUID, ...] | Exception | None
LedgerResult = Reply | list[Reply]

on_run_charged: Hook[[AsyncSession, Sequence[RunCharge]], None] = Hook(
    "After calls of runs were charged or corrected, in that transaction."
)


async def charge_runs(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    if charges:
        await on_run_charged.fire(session, charges)


class _LedgerBatch(Batch[LedgerItem, LedgerResult]):
    order = 0

    def needs_heartbeat(self, item: LedgerItem) -> bool:
        return not all(isinstance(each, Charge) for each in _each(item))

    async def apply(
        self, session: AsyncSession, items: Sequence[LedgerItem]
    ) -> Sequence[LedgerResult]:
        elements = [each for item in items for each in _each(item)]
        reserving = iter(await self._apply(session, elements))
        replies = (next(reserving) if isinstance(each, Reserve) else None for each in elements)
        return [
            [next(replies) for _ in item] if isinstance(item, Sequence) else next(replies)
            for item in items
        ]

    async def _apply(
        self, session: AsyncSession, items: Sequence[Reserve | MarkSent | Charge]
    ) -> Sequence[tuple[UUID, ...] | Exception]:
        """Returns the replies to the reservations."""
        charges_due = [item for item in items if isinstance(item, Charge)]
        reserves = [item for item in items if isinstance(item, Reserve)]
        entries = Entries(session)
        entries_by_id = await _entries_of(entries, charges_due) if charges_due else {}
        balances = await lock_balances(
            session,
            budget_ids={each for entry in entries_by_id.values() for each in entry.budget_ids},
            scope_ids={each for item in reserves for each in (item.project_id, *item.scope_ids)},
        )
        charges: list[RunCharge] = []
        if settled := _charge_all(charges_due, entries_by_id, balances, charges):
            await entries.charge(settled)
        if left := {item.entry_id: item.made_at for item in items if isinstance(item, MarkSent)}:
            await entries.mark_sent(left)
        permitted = await _check_permits(session, reserves)
        replies = [_reserve(item, balances, permitted) for item in reserves]
        if rows := _rows(reserves, replies):
            await entries.add(rows)
        await balances.save()
        await charge_runs(session, charges)
        return replies


LEDGER = _LedgerBatch()


def _each(item: LedgerItem) -> Sequence[Reserve | MarkSent | Charge]:
    return item if isinstance(item, Sequence) else (item,)


async def _entries_of(entries: Entries, items: Sequence[Charge]) -> dict[UUID, EntrySnapshot]:
    """The entries to charge, locked."""
    entry_ids = [item.entry_id for item in items]
    known = {item.entry_id: item.reserved for item in items if item.reserved is not None}
    if len(known) == len(items) and await entries.are_untouched(entry_ids):
        return known
    return await entries.lock(entry_ids)


def _charge_all(
    items: Sequence[Charge],
    entries_by_id: dict[UUID, EntrySnapshot],
    balances: Balances,
    charges: list[RunCharge],
) -> Sequence[Mapping[str, Any]]:
    """Returns the changes, as `Entries.charge` takes them, and appends to `charges`. Takes the
    charged entries out of `entries_by_id`. Skips those deleted with their project.
    """
    changes = []
    for item in items:
        entry = entries_by_id.pop(item.entry_id, None)
        if entry is None or entry.state == EntryState.SETTLED:
            continue
        cost_nanos = item.cost.cost_nanos or 0
        balances.charge(entry, cost_nanos)
        charges += run_charges(entry, cost_nanos)
        changes.append(_charged_values(item))
    return changes


def run_charges(entry: EntrySnapshot, cost_nanos: int) -> list[RunCharge]:
    """What charging the entry this cost adds to its run: at most one charge."""
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


def _charged_values(item: Charge) -> Mapping[str, Any]:
    cost, usage = item.cost, item.cost.usage
    return {
        "entry_id": item.entry_id,
        "new_state": EntryState.SETTLED if cost.has_left else EntryState.RELEASED,
        "new_cost_nanos": cost.cost_nanos,
        "new_failure": cost.failure,
        "new_settled_at": item.made_at,
        "new_input_tokens": None if usage is None else usage.input_tokens,
        "new_output_tokens": None if usage is None else usage.output_tokens,
        "new_cached_input_tokens": None if usage is None else usage.cached_input_tokens,
        "new_reasoning_tokens": None if usage is None else usage.reasoning_tokens,
        "new_is_estimated": usage is not None and usage.is_estimated,
    }


async def _check_permits(
    session: AsyncSession, items: Sequence[Reserve]
) -> Mapping[Check, Collection[UUID]]:
    subjects: dict[Check, set[UUID]] = defaultdict(set)
    for item in items:
        if item.permit is not None:
            subjects[item.permit.check].add(item.permit.subject_id)
    return {check: await check(session, ids) for check, ids in subjects.items()}


def _reserve(
    item: Reserve, balances: Balances, permitted: Mapping[Check, Collection[UUID]]
) -> tuple[UUID, ...] | Exception:
    """The budgets in which the amount is reserved, or the reason for refusal."""
    permit = item.permit
    if permit is not None and permit.subject_id not in permitted[permit.check]:
        return NotPermitted()
    budgets = [
        balance
        for balance in balances.in_scope(item.project_id, item.scope_ids)
        if balance.counts_simulated or not item.intent.is_simulated
    ]
    amount = item.intent.worst_case_nanos
    if budgets and amount is None:
        return PriceUnknown(item.intent.model)
    try:
        for balance in budgets:
            balance.check(amount or 0)
    except BudgetExhausted as exhausted:
        return exhausted
    for balance in budgets:
        balance.reserved_nanos += amount or 0
    return tuple(balance.id for balance in budgets)


def _rows(
    items: Sequence[Reserve], replies: Sequence[tuple[UUID, ...] | Exception]
) -> Sequence[Mapping[str, Any]]:
    rows = []
    # One list for all rows of a project: it is encoded once.
    texts: dict[tuple[UUID, ...], list[str]] = {}
    for item, reply in zip(items, replies, strict=True):
        if isinstance(reply, Exception):
            continue
        if reply not in texts:
            texts[reply] = [str(budget_id) for budget_id in reply]
        rows.append(_row(item, texts[reply]))
    return rows


def _row(item: Reserve, budget_ids: Sequence[str]) -> Mapping[str, Any]:
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
        "budget_ids": budget_ids,
        "is_simulated": intent.is_simulated,
        "counted_tokens": intent.counted_tokens,
        "is_estimated": False,
        "price_version": intent.price_version,
        "created_at": item.made_at,
        "left_at": item.made_at if intent.leaves_at_once else None,
    }


async def reap_entries(session: AsyncSession, entries: Sequence[EntrySnapshot]) -> None:
    """Resolve the reservations of a dead process: charged for attempts that were sent, released for
    the others.
    """
    if not entries:
        return
    budget_ids = {budget_id for entry in entries for budget_id in entry.budget_ids}
    balances = await lock_balances(session, budget_ids=budget_ids)
    for entry in entries:
        balances.move_reservation(entry)
    await balances.save()
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


UNUSED = AttemptCost(cost_nanos=0, usage=None, failure="cancelled", has_left=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLedger:
    """Ledger for the calls of one project and purpose. `scope_ids` name further budgets to charge,
    such as an experiment's.
    """

    batch_writer: BatchWriter
    project_id: UUID
    purpose: str
    scope_ids: tuple[UUID, ...] = ()
    run_id: UUID | None = None
    permit: Permit | None = None

    async def reserve(self, intent: Intent) -> "LedgerReservation":
        """Raises BudgetExhausted, NotPermitted, Replaced, or PriceUnknown when a budget applies and
        the model has no price.
        """
        reservation = LedgerReservation(
            batch_writer=self.batch_writer,
            entry_id=ids.new_id(),
            process_id=self.batch_writer.heartbeat.id,
            is_marked=intent.leaves_at_once,
        )
        item = self.reserve_item(
            reservation.entry_id, reservation.process_id, intent, made_at=clock.now()
        )
        reserving = self.batch_writer.submit(LEDGER, item)
        try:
            await asyncio.shield(reserving)
        except asyncio.CancelledError:
            reserving.add_done_callback(reservation.release)
            raise
        return reservation

    def reserve_item(
        self, entry_id: UUID, process_id: UUID, intent: Intent, *, made_at: datetime
    ) -> Reserve:
        return Reserve(
            entry_id=entry_id,
            process_id=process_id,
            project_id=self.project_id,
            scope_ids=self.scope_ids,
            purpose=self.purpose,
            run_id=self.run_id,
            permit=self.permit,
            intent=intent,
            made_at=made_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReservation:
    """`is_marked`: the entry was written with `left_at` already set."""

    batch_writer: BatchWriter
    entry_id: UUID
    process_id: UUID
    is_marked: bool

    async def confirm(self) -> None:
        """Returns once the sent mark is committed. Raises Replaced when this process was replaced
        since the reservation.
        """
        if not self.is_marked:
            leave = MarkSent(entry_id=self.entry_id, made_at=clock.now())
            await self.batch_writer.record(LEDGER, leave)
        await self.batch_writer.confirm(self.process_id)

    def charge(self, cost: AttemptCost) -> None:
        self.batch_writer.submit(
            LEDGER, Charge(entry_id=self.entry_id, cost=cost, made_at=clock.now())
        )

    def release(self, reserving: "asyncio.Future[LedgerResult]") -> None:
        """Callback for a cancelled caller: gives the reservation back once it was made."""
        if not reserving.cancelled() and reserving.exception() is None:
            self.charge(UNUSED)
