"""What a run costs, as the ledger charges it: the sum of the run's own ledger entries, kept in the
transaction that changes them. Of this, `unconfirmed_nanos` are charges of calls lost in a crash.
"""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.engine.repository.runs import Runs
from edison.workspace.budgets.service import RunCharge

# Refining a prompt is booked with the run whose results it read, and is no part of its cost.
OWN_PURPOSES = frozenset({"answer", "judge"})


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
