"""A run's money: what it needs before it starts or goes on, and what its ledger entries add up to.

`unconfirmed_nanos` are the charges of calls lost in a crash.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import nanos_from_usd
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.workspace.budgets import service
from edison.workspace.budgets.types import Permit, RunCharge

# Refining a prompt is booked with the run whose results it read, and is no part of its cost.
OWN_PURPOSES = frozenset({"answer", "judge"})


def least_nanos(low_usd: Decimal | None) -> int:
    """What a run costs at least by its estimate; nothing while a price is unknown."""
    return 0 if low_usd is None else nanos_from_usd(low_usd)


async def check_money(session: AsyncSession, run: Run, *, cell_count: int = 0) -> None:
    """Raises BudgetExhausted when a budget in scope is used up, or has less left than so many of
    the run's cells cost at least by its estimate. A replay asks no model. Call it before the run is
    locked: calls lock budgets before runs.
    """
    if run.replay_of_id is not None:
        return
    low_usd = (run.estimate or {}).get("cost", {}).get("low_usd")
    least = least_nanos(None if low_usd is None else Decimal(low_usd))
    await service.check_open(
        session,
        project_id=run.project_id,
        scope_ids=[UUID(scope_id) for scope_id in run.scope_ids],
        needed_nanos=least * cell_count // max(1, run.cell_count),
    )


async def add_charges(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    """Updates the runs in the order of their ids, so that concurrent transactions never deadlock
    over them.
    """
    sums: dict[object, list[int]] = defaultdict(lambda: [0, 0])
    for charge in charges:
        if charge.purpose in OWN_PURPOSES:
            of_run = sums[charge.run_id]
            of_run[0] += charge.cost_nanos
            of_run[1] += charge.unconfirmed_nanos
    rows = [
        {"of_run": run_id, "add_cost": cost, "add_unconfirmed": unconfirmed}
        for run_id, (cost, unconfirmed) in sorted(sums.items(), key=lambda each: str(each[0]))
        if cost or unconfirmed
    ]
    if rows:
        await Runs(session).add_costs(rows)


async def _list_working(session: AsyncSession, run_ids: Collection[UUID]) -> set[UUID]:
    return await Runs(session).list_working(run_ids)


def permit_of(run_id: UUID) -> Permit:
    return Permit(check=_list_working, subject_id=run_id)
