"""The call path's till: sets money aside before a call and settles after it.

Both are posted by the recorder together with what other calls do at the same moment, as nothing may
be held open during a call.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from edison.jobs.recorder import Recorder
from edison.kit import clock, ids
from edison.pipeline.generate.path.ports import Intent, Settlement
from edison.workspace.budgets.permits import Permit
from edison.workspace.budgets.posting import LEDGER, Leave, Reserve, Settle

UNUSED = Settlement(cost_nanos=0, usage=None, failure="cancelled", has_left=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTill:
    """For the calls one project makes for one purpose. `scope_ids` are what else than the project
    may have a budget of its own, such as an experiment.
    """

    recorder: Recorder
    project_id: UUID
    purpose: str
    scope_ids: tuple[UUID, ...] = ()
    run_id: UUID | None = None
    permit: Permit | None = None

    async def reserve(self, intent: Intent) -> "LedgerReservation":
        """Raises BudgetExhausted, PriceUnknown where a budget would have to be guarded,
        NotPermitted, or Replaced.
        """
        reservation = LedgerReservation(
            recorder=self.recorder,
            entry_id=ids.new_id(),
            process_id=self.recorder.presence.id,
            is_marked=intent.leaves_at_once,
        )
        reserving = self.recorder.submit(LEDGER, self._item(reservation, intent))
        try:
            await asyncio.shield(reserving)
        except asyncio.CancelledError:
            reserving.add_done_callback(reservation.give_back)
            raise
        return reservation

    def _item(self, reservation: "LedgerReservation", intent: Intent) -> Reserve:
        return Reserve(
            entry_id=reservation.entry_id,
            process_id=reservation.process_id,
            project_id=self.project_id,
            scope_ids=self.scope_ids,
            purpose=self.purpose,
            run_id=self.run_id,
            permit=self.permit,
            intent=intent,
            made_at=clock.now(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReservation:
    """`is_marked`: the entry was written with the mark that it left."""

    recorder: Recorder
    entry_id: UUID
    process_id: UUID
    is_marked: bool

    async def confirm(self) -> None:
        """Returns once the mark that the call leaves is committed. Raises Replaced when the money
        was set aside by a process that this one no longer is.
        """
        if not self.is_marked:
            leave = Leave(entry_id=self.entry_id, made_at=clock.now())
            await self.recorder.record(LEDGER, leave)
        await self.recorder.confirm(self.process_id)

    def settle(self, settlement: Settlement) -> None:
        self.recorder.submit(
            LEDGER, Settle(entry_id=self.entry_id, settlement=settlement, made_at=clock.now())
        )

    def give_back(self, reserving: "asyncio.Future[None]") -> None:
        """For whoever stopped waiting for the reservation: it is not needed any more."""
        if not reserving.cancelled() and reserving.exception() is None:
            self.settle(UNUSED)
