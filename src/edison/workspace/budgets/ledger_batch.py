"""Writes reservations and charges of many calls to the ledger and the budgets, in one transaction
of the batch writer.

Charges are applied first, because they free money. Budgets are locked once per transaction, in id
order, so processes that write for the same projects cannot deadlock; and as late as possible, so
that they wait for each other no longer than they must.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.batch_writer import Batch, Results
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import AttemptCost, Intent
from edison.workspace.budgets.balances import Balances, expect_balances
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted, PriceUnknown
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import Entries, EntrySnapshot
from edison.workspace.budgets.run_costs import charge_runs, run_charges
from edison.workspace.budgets.types import Check, Permit


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
# The budgets of a reservation, or why it was refused.
Decision = tuple[UUID, ...] | Exception
# Of a reservation, its decision; of a list, a list with one for each element.
Reply = Decision | None
LedgerResult = Reply | list[Reply]


class _LedgerBatch(Batch[LedgerItem, LedgerResult]):
    order = 0

    def needs_heartbeat(self, item: LedgerItem) -> bool:
        return not all(isinstance(each, Charge) for each in _each(item))

    async def begin(
        self, session: AsyncSession, items: Sequence[LedgerItem]
    ) -> Callable[[], Awaitable[Results[LedgerResult]]]:
        writing = _Writing(session, [each for item in items for each in _each(item)])
        await writing.write_entries()

        async def end() -> Results[LedgerResult]:
            await writing.write_sums()
            replies = iter(writing.replies())
            return [
                [next(replies) for _ in item] if isinstance(item, Sequence) else next(replies)
                for item in items
            ]

        return end


class _Writing:
    """The items of one transaction. Entries are written for what the budgets are expected to allow.
    What they do allow is decided when they are locked, as the last step before the commit.
    """

    def __init__(self, session: AsyncSession, items: Sequence[Reserve | MarkSent | Charge]) -> None:
        self._session = session
        self._entries = Entries(session)
        self._items = items
        self._charges = [item for item in items if isinstance(item, Charge)]
        self._reserves = [item for item in items if isinstance(item, Reserve)]
        # Charged entries as they were, with their costs.
        self._charged: list[tuple[EntrySnapshot, int]] = []
        self._permitted: Mapping[Check, Collection[UUID]] = {}
        self._decisions: list[Decision] = []
        self._balances = Balances(session)

    def replies(self) -> Iterator[Reply]:
        decisions = iter(self._decisions)
        return (next(decisions) if isinstance(each, Reserve) else None for each in self._items)

    async def write_entries(self) -> None:
        found = await _entries_of(self._entries, self._charges) if self._charges else {}
        self._balances = await expect_balances(
            self._session,
            budget_ids={each for entry in found.values() for each in entry.budget_ids},
            scope_ids={
                each for item in self._reserves for each in (item.project_id, *item.scope_ids)
            },
        )
        if charged := _to_charge(self._charges, found):
            self._charged = [(entry, item.cost.cost_nanos or 0) for item, entry in charged]
            await self._entries.charge([_charged_values(item) for item, _ in charged])
        left = {item.entry_id: item.made_at for item in self._items if isinstance(item, MarkSent)}
        if left:
            await self._entries.mark_sent(left)
        self._permitted = await _check_permits(self._session, self._reserves)
        self._decisions = self._decide()
        await self._add(self._reserves, self._decisions)

    async def write_sums(self) -> None:
        """Locks the budgets and changes them."""
        if not self._balances.is_locked and not self._balances.is_empty:
            await self._balances.lock()
            expected, self._decisions = self._decisions, self._decide()
            await self._correct(expected)
        await self._balances.save()
        await charge_runs(
            self._session,
            [each for entry, cost in self._charged for each in run_charges(entry, cost)],
        )

    def _decide(self) -> list[Decision]:
        """Charges first, because they free money."""
        for entry, cost_nanos in self._charged:
            self._balances.charge(entry, cost_nanos)
        return [_reserve(item, self._balances, self._permitted) for item in self._reserves]

    async def _correct(self, expected: Sequence[Decision]) -> None:
        """Writes the entries again that the budgets, now locked, allow otherwise."""
        pairs = zip(self._reserves, expected, self._decisions, strict=True)
        changed = [(item, now) for item, before, now in pairs if not _is_same(before, now)]
        if changed:
            await self._entries.remove([item.entry_id for item, _ in changed])
            await self._add([item for item, _ in changed], [decision for _, decision in changed])

    async def _add(self, items: Sequence[Reserve], decisions: Sequence[Decision]) -> None:
        if rows := _rows(items, decisions):
            await self._entries.add(rows)


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


def _to_charge(
    items: Sequence[Charge], found: dict[UUID, EntrySnapshot]
) -> list[tuple[Charge, EntrySnapshot]]:
    """Takes the charged entries out of `found`. Skips those deleted with their project."""
    charged = []
    for item in items:
        entry = found.pop(item.entry_id, None)
        if entry is not None and entry.state != EntryState.SETTLED:
            charged.append((item, entry))
    return charged


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


def _is_same(decision: Decision, other: Decision) -> bool:
    """Whether both write the same entry."""
    if isinstance(decision, Exception) or isinstance(other, Exception):
        return isinstance(decision, Exception) and isinstance(other, Exception)
    return decision == other


def _reserve(
    item: Reserve, balances: Balances, permitted: Mapping[Check, Collection[UUID]]
) -> Decision:
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


def _rows(items: Sequence[Reserve], decisions: Sequence[Decision]) -> Sequence[Mapping[str, Any]]:
    rows = []
    # One list for all rows of a project: it is encoded once.
    texts: dict[tuple[UUID, ...], list[str]] = {}
    for item, budget_ids in zip(items, decisions, strict=True):
        if isinstance(budget_ids, Exception):
            continue
        if budget_ids not in texts:
            texts[budget_ids] = [str(budget_id) for budget_id in budget_ids]
        rows.append(_row(item, texts[budget_ids]))
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
