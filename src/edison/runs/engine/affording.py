"""Whether there is money for a run that exists already: to go on with it, or to make it again."""

from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import nanos_from_usd
from edison.runs.engine.models import Run
from edison.workspace.budgets import service as budgets


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
    least = 0 if low_usd is None else nanos_from_usd(Decimal(low_usd))
    await budgets.check_open(
        session,
        project_id=run.project_id,
        scope_ids=[UUID(scope_id) for scope_id in run.scope_ids],
        needed_nanos=least * cell_count // max(1, run.cell_count),
    )
