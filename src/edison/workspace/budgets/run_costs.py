"""What charges add to the costs of runs."""

from collections.abc import Iterable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.hook import Hook
from edison.workspace.budgets.models import EntryState
from edison.workspace.budgets.repository.entries import EntrySnapshot, Payer
from edison.workspace.budgets.types import RunCharge

on_run_charged: Hook[[AsyncSession, Sequence[RunCharge]], None] = Hook(
    "After calls of runs were charged or corrected, in that transaction."
)


async def charge_runs(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    if charges:
        await on_run_charged.fire(session, charges)


def run_charges(charged: Iterable[tuple[EntrySnapshot, int]]) -> list[RunCharge]:
    """What charging entries these costs adds to their runs."""
    sums: dict[Payer, list[int]] = {}
    for entry, cost_nanos in charged:
        was_unconfirmed = entry.cost_nanos if entry.state == EntryState.UNCONFIRMED else 0
        of_payer = sums.setdefault(entry.payer, [0, 0])
        of_payer[0] += cost_nanos - entry.cost_nanos
        of_payer[1] -= was_unconfirmed
    return [
        RunCharge(
            run_id=payer.run_id,
            purpose=payer.purpose,
            cost_nanos=cost_nanos,
            unconfirmed_nanos=unconfirmed_nanos,
        )
        for payer, (cost_nanos, unconfirmed_nanos) in sums.items()
        if payer.run_id is not None and (cost_nanos or unconfirmed_nanos)
    ]
