"""The ledger of one project for the call path, and the end of reservations of a dead process."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.batch_writer import BatchWriter
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.ports import AttemptCost, Intent
from edison.workspace.budgets.balances import lock_balances
from edison.workspace.budgets.ledger_batch import LEDGER, Charge, LedgerResult, MarkSent, Reserve
from edison.workspace.budgets.repository.entries import EntrySnapshot
from edison.workspace.budgets.run_costs import charge_runs
from edison.workspace.budgets.types import LedgerAccount, RunCharge

UNUSED = AttemptCost(cost_nanos=0, usage=None, failure="cancelled", has_left=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLedger:
    batch_writer: BatchWriter
    account: LedgerAccount

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
        item = Reserve(
            entry_id=reservation.entry_id,
            process_id=reservation.process_id,
            account=self.account,
            intent=intent,
            made_at=clock.now(),
        )
        reserving = self.batch_writer.submit(LEDGER, item)
        try:
            await asyncio.shield(reserving)
        except asyncio.CancelledError:
            reserving.add_done_callback(reservation.release)
            raise
        return reservation


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


async def reap_entries(session: AsyncSession, entries: Sequence[EntrySnapshot]) -> None:
    """Resolve the reservations of a dead process: charged for attempts that were sent, released for
    the others.
    """
    if not entries:
        return
    budget_ids = {budget_id for entry in entries for budget_id in entry.payer.budget_ids}
    balances = await lock_balances(session, budget_ids=budget_ids)
    for entry in entries:
        balances.move_reservation(entry)
    await balances.save()
    await charge_runs(
        session,
        [
            RunCharge(
                run_id=entry.payer.run_id,
                purpose=entry.payer.purpose,
                cost_nanos=entry.cost_nanos,
                unconfirmed_nanos=entry.cost_nanos,
            )
            for entry in entries
            if entry.payer.run_id is not None and entry.cost_nanos
        ],
    )
