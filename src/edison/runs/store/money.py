"""A run's money: the budget check before it starts or resumes, and the sum of its charges.

`unconfirmed_nanos` are charges for calls lost in a crash.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import nanos_from_usd
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.workspace.budgets import service
from edison.workspace.budgets.types import Need, Permit, RunCharge

# Refiner calls carry the id of the run they read, but are not part of its cost.
OWN_PURPOSES = frozenset({"answer", "judge"})


def low_nanos(cost: Mapping[str, Any] | None) -> int:
    """The low end of an estimated cost; 0 while a price is unknown."""
    low_usd = (cost or {}).get("low_usd")
    return 0 if low_usd is None else nanos_from_usd(Decimal(low_usd))


async def check_budget(session: AsyncSession, run: Run, *, cell_count: int = 0) -> None:
    """Raises BudgetExhausted when a budget in scope is exhausted, or has less left than the low
    estimate for `cell_count` of the run's cells. Skipped for a replay, which calls no model. Call
    it before locking the run: budgets are locked before runs.
    """
    if run.replay_of_id is not None:
        return
    estimate = run.estimate or {}
    simulated = low_nanos(estimate.get("simulated_cost"))
    real = low_nanos(estimate.get("known_cost") or estimate.get("cost")) - simulated
    kinds = {each.is_simulated for each in await Runs(session).list_variants(run.id)}
    share = Fraction(cell_count, max(1, run.cell_count))
    await service.check_open(
        session,
        project_id=run.project_id,
        scope_ids=[UUID(scope_id) for scope_id in run.scope_ids],
        need=Need(
            real_nanos=int(real * share) if real > 0 or False in kinds else None,
            simulated_nanos=int(simulated * share) if simulated or True in kinds else None,
        ),
    )


async def add_charges(session: AsyncSession, charges: Sequence[RunCharge]) -> None:
    """Adds charges to runs, in the order of the run ids to prevent deadlocks."""
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
