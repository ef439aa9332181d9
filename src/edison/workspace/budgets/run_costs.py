"""What charges add to the costs of runs."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.hook import Hook
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import EntrySnapshot
from edison.workspace.budgets.types import RunCharge

on_run_charged: Hook[[AsyncSession, Sequence[RunCharge]], None] = Hook(
    "After calls of runs were charged or corrected, in that transaction."
)


async def charge_runs(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    if charges:
        await on_run_charged.fire(session, charges)


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
