"""Writes reservations and charges of many calls to the ledger and the budgets, in one transaction
of the batch writer.

Charges are applied first, because they free money. Budgets are locked once per transaction, in id
order, so processes that write for the same projects cannot deadlock; and as late as possible, so
that they wait for each other no longer than they must.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from itertools import islice, repeat
from typing import Any, TypeVar, cast
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.prepared import Columns
from edison.jobs.batch_writer import Batch, Results
from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import AttemptCost, Intent
from edison.workspace.budgets.balances import Balances, expect_balances
from edison.workspace.budgets.funds import Decision, Funds
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import Entries, EntrySnapshot, Payer
from edison.workspace.budgets.run_costs import charge_runs, run_charges
from edison.workspace.budgets.types import Check, LedgerAccount

Kind = TypeVar("Kind")


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Reserve money for an attempt, in every budget in scope or in none."""

    entry_id: UUID
    process_id: UUID
    account: LedgerAccount
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
    caller knows it: then it need not be read as long as it is reserved.
    """

    entry_id: UUID
    cost: AttemptCost
    made_at: datetime
    reserved: EntrySnapshot | None = None


# One item of the write batch; a list holds one kind only.
LedgerItem = Reserve | MarkSent | Charge | Sequence[Reserve] | Sequence[Charge]
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
        writing = _Writing(session, items)
        await writing.write_entries()

        async def end() -> Results[LedgerResult]:
            await writing.write_sums()
            return writing.results()

        return end


class _Writing:
    """The items of one transaction. Entries are written for what the budgets are expected to allow.
    What they do allow is decided when they are locked, as the last step before the commit.
    """

    def __init__(self, session: AsyncSession, items: Sequence[LedgerItem]) -> None:
        self._session = session
        self._entries = Entries(session)
        self._items = items
        self._reserves = _of_kind(Reserve, items)
        self._accounts = {item.account for item in self._reserves}
        # Charged entries as they were, with their costs.
        self._charged: Sequence[tuple[EntrySnapshot, int]] = []
        self._permitted: Mapping[Check, Collection[UUID]] = {}
        self._decisions: list[Decision] = []
        self._balances = Balances(session)

    def results(self) -> list[LedgerResult]:
        decisions = iter(self._decisions)
        results: list[LedgerResult] = []
        for item in self._items:
            count = len(_each(item))
            replies = islice(decisions, count) if _is_of(Reserve, item) else repeat(None, count)
            results.append(list(replies) if isinstance(item, Sequence) else next(replies))
        return results

    async def write_entries(self) -> None:
        self._charged = await _charge(self._entries, _of_kind(Charge, self._items))
        payers = {entry.payer for entry, _ in self._charged}
        self._balances = await expect_balances(
            self._session,
            budget_ids={each for payer in payers for each in payer.budget_ids},
            scope_ids={
                each
                for account in self._accounts
                for each in (account.project_id, *account.scope_ids)
            },
        )
        left = {item.entry_id: item.made_at for item in _of_kind(MarkSent, self._items)}
        if left:
            await self._entries.mark_sent(left)
        self._permitted = await _check_permits(self._session, self._accounts)
        self._decisions = self._decide()
        await self._add(self._reserves, self._decisions)

    async def write_sums(self) -> None:
        """Locks the budgets and changes them."""
        if not self._balances.is_locked and not self._balances.is_empty:
            await self._balances.lock()
            expected, self._decisions = self._decisions, self._decide()
            await self._correct(expected)
        await self._balances.save()
        await charge_runs(self._session, run_charges(self._charged))

    def _decide(self) -> list[Decision]:
        """Charges first, because they free money."""
        for entry, cost_nanos in self._charged:
            self._balances.charge(entry, cost_nanos)
        funds = Funds(self._balances, self._permitted)
        return [funds.reserve(item.account, item.intent) for item in self._reserves]

    async def _correct(self, expected: Sequence[Decision]) -> None:
        """Writes the entries again that the budgets, now locked, allow otherwise."""
        pairs = zip(self._reserves, expected, self._decisions, strict=True)
        changed = [(item, now) for item, before, now in pairs if not _is_same(before, now)]
        if changed:
            await self._entries.remove([item.entry_id for item, _ in changed])
            await self._add([item for item, _ in changed], [decision for _, decision in changed])

    async def _add(self, items: Sequence[Reserve], decisions: Sequence[Decision]) -> None:
        made = [
            (item, payer)
            for item, payer in zip(items, decisions, strict=True)
            if isinstance(payer, Payer)
        ]
        await self._entries.add(_columns(made))


LEDGER = _LedgerBatch()


def _each(item: LedgerItem) -> Sequence[Reserve | MarkSent | Charge]:
    return item if isinstance(item, Sequence) else (item,)


def _of_kind(kind: type[Kind], items: Sequence[LedgerItem]) -> list[Kind]:
    found: list[Kind] = []
    for item in items:
        if _is_of(kind, item):
            found += cast(Sequence[Kind], _each(item))
    return found


def _is_of(kind: type[Any], item: LedgerItem) -> bool:
    """The first element tells: a list holds one kind only."""
    return isinstance(_each(item)[0], kind)


async def _charge(entries: Entries, items: Sequence[Charge]) -> Sequence[tuple[EntrySnapshot, int]]:
    """Returns the charged entries as they were, with their costs. Skips those that were charged
    before, and those deleted with their project.
    """
    known = [item for item in items if item.reserved is not None]
    are_charged = iter(await entries.charge_reserved(list(map(_charged_values, known))))
    charged: list[tuple[Charge, EntrySnapshot]] = []
    others: list[Charge] = []
    for item in items:
        if item.reserved is not None and next(are_charged):
            charged.append((item, item.reserved))
        else:
            others.append(item)
    if others:
        charged += await _charge_locked(entries, others)
    return [(entry, item.cost.cost_nanos or 0) for item, entry in charged]


async def _charge_locked(
    entries: Entries, items: Sequence[Charge]
) -> Sequence[tuple[Charge, EntrySnapshot]]:
    found = await entries.lock([item.entry_id for item in items])
    charged = []
    for item in items:
        # Each entry once.
        entry = found.pop(item.entry_id, None)
        if entry is not None and entry.state != EntryState.SETTLED:
            charged.append((item, entry))
    await entries.charge([_charged_values(item) for item, _ in charged])
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
    session: AsyncSession, accounts: Collection[LedgerAccount]
) -> Mapping[Check, Collection[UUID]]:
    subjects: dict[Check, set[UUID]] = defaultdict(set)
    for account in accounts:
        if account.permit is not None:
            subjects[account.permit.check].add(account.permit.subject_id)
    return {check: await check(session, ids) for check, ids in subjects.items()}


def _is_same(decision: Decision, other: Decision) -> bool:
    """Whether both write the same entry."""
    if isinstance(decision, Exception) or isinstance(other, Exception):
        return isinstance(decision, Exception) and isinstance(other, Exception)
    return decision.budget_ids == other.budget_ids


def _columns(made: Sequence[tuple[Reserve, Payer]]) -> Columns:
    """Of new entries."""
    items = [item for item, _ in made]
    accounts = [item.account for item in items]
    intents = [item.intent for item in items]
    # One list for all entries of a payer: it is encoded once.
    texts = {payer: list(map(str, payer.budget_ids)) for payer in {payer for _, payer in made}}
    return {
        "id": [item.entry_id for item in items],
        "project_id": [account.project_id for account in accounts],
        "purpose": [account.purpose for account in accounts],
        "run_id": [account.run_id for account in accounts],
        "process_id": [item.process_id for item in items],
        "provider": [intent.provider for intent in intents],
        "model": [intent.model for intent in intents],
        "attempt": [intent.attempt for intent in intents],
        "state": [EntryState.RESERVED] * len(items),
        "reserved_nanos": [intent.worst_case_nanos for intent in intents],
        "budget_ids": [texts[payer] for _, payer in made],
        "is_simulated": [intent.is_simulated for intent in intents],
        "counted_tokens": [intent.counted_tokens for intent in intents],
        "is_estimated": [False] * len(items),
        "price_version": [intent.price_version for intent in intents],
        "created_at": [item.made_at for item in items],
        "left_at": [item.made_at if item.intent.leaves_at_once else None for item in items],
    }
