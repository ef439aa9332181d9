"""Resolves unconfirmed charges: an administrator enters the actual cost of a call that was lost in
a crash, or voids the charge. Updates budgets and the run's cost in the same transaction.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.balances import lock_balances
from edison.workspace.budgets.errors import NotUnconfirmed
from edison.workspace.budgets.models import EntryState, LedgerEntry
from edison.workspace.budgets.repository.entries import Entries, EntrySnapshot, Payer
from edison.workspace.budgets.run_costs import charge_runs, run_charges


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeResolution:
    """`cost_nanos` is None to void the charge. An amount above the reservation is refused unless
    `is_above_allowed`, because it is most likely a typing error.
    """

    cost_nanos: int | None
    note: str
    is_above_allowed: bool = False


async def resolve(
    session: AsyncSession, *, project_id: UUID, entry_id: UUID, resolution: ChargeResolution
) -> LedgerEntry:
    """Raises NotFound, NotUnconfirmed, or Invalid for an amount above the reservation."""
    entries = Entries(session)
    entry = await entries.find_in_project(project_id, entry_id)
    if entry is None:
        raise NotFound("There is no such ledger entry.")
    if entry.state != EntryState.UNCONFIRMED:
        raise NotUnconfirmed
    _check_amount(entry, resolution)
    before, snapshot = _described(entry), _snapshot(entry)
    charged_on = (entry.settled_at or entry.created_at).date()
    cost_nanos = resolution.cost_nanos or 0
    is_void = resolution.cost_nanos is None
    values = {
        "state": EntryState.RELEASED if is_void else EntryState.SETTLED,
        "cost_nanos": cost_nanos,
        "note": resolution.note,
        "settled_at": clock.now(),
    }
    if not await entries.resolve(entry_id, values):
        raise NotUnconfirmed
    balances = await lock_balances(session, budget_ids=snapshot.payer.budget_ids)
    balances.correct(snapshot, cost_nanos, charged_on=charged_on)
    await balances.save()
    await charge_runs(session, run_charges([(snapshot, cost_nanos)]))
    if cost_nanos < snapshot.cost_nanos:
        await budgets.on_limit_raised.fire(session, project_id)
    await session.refresh(entry)
    audit.record(
        session,
        "ledger.voided" if is_void else "ledger.settled",
        entity=("ledger_entry", entry_id),
        project_id=project_id,
        before=before,
        after=_described(entry) | {"note": resolution.note},
    )
    await budgets.publish_changes(session, project_id, snapshot.payer.budget_ids)
    return entry


def _check_amount(entry: LedgerEntry, resolution: ChargeResolution) -> None:
    amount, reserved = resolution.cost_nanos, entry.reserved_nanos
    if amount is None or reserved is None or amount <= reserved or resolution.is_above_allowed:
        return
    message = (
        f"The call could cost ${usd_from_nanos(reserved):f} at most by the prices of its time. "
        "Confirm that it cost more, or correct the amount."
    )
    raise Invalid(FieldProblem(field="amount_usd", message=message, code="above_reservation"))


def _snapshot(entry: LedgerEntry) -> EntrySnapshot:
    return EntrySnapshot(
        state=entry.state,
        reserved_nanos=entry.reserved_nanos or 0,
        cost_nanos=entry.cost_nanos or 0,
        payer=Payer(
            budget_ids=tuple(map(UUID, entry.budget_ids)),
            run_id=entry.run_id,
            purpose=entry.purpose,
        ),
    )


def _described(entry: LedgerEntry) -> dict[str, object]:
    cost = entry.cost_nanos
    return {
        "state": entry.state,
        "cost_usd": None if cost is None else f"{usd_from_nanos(cost):f}",
    }
