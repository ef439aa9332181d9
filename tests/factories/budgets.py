"""Exhausted budgets."""

from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import update

from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Budget
from edison.workspace.budgets.schemas import BudgetRequest


async def exhaust_budget(app: FastAPI, project_id: UUID) -> UUID:
    """A project budget that is spent completely, simulated dollars included."""
    wanted = BudgetRequest.model_validate(
        {"period": "total", "limit_usd": "1", "counts_simulated": True}
    )
    async with app.state.database.write() as session:
        made = await budgets.create_budget(session, project_id=project_id, wanted=wanted)
        await session.execute(
            update(Budget).where(Budget.id == made.id).values(spent_nanos=Budget.limit_nanos)
        )
    return made.id
