"""Routes for budgets, and for how much of them is used."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import PageParams, Slice
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.workspace.budgets import service, spending
from edison.workspace.budgets.ledger_schemas import SpendingBy, SpendingRead
from edison.workspace.budgets.schemas import (
    BudgetChange,
    BudgetRead,
    BudgetRequest,
    BudgetStateRead,
    BurnDownRead,
)
from edison.workspace.projects.access import Admin, Viewer

router = api_router("/projects/{project}/budgets", tag="budgets")

MOST_DAYS = 90


@router.get("", response_model=Page[BudgetRead])
async def list_budgets(member: Viewer, page: PageParams, session: Session) -> Slice[BudgetRead]:
    """The project's limits, and how much of them is used."""
    return await spending.list_budgets(session, project_id=member.project_id, page=page)


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_budget(body: BudgetRequest, member: Admin, session: Session) -> BudgetRead:
    """Limit what may be spent; one limit per scope and period. Counting begins now."""
    budget = await service.create_budget(session, project_id=member.project_id, wanted=body)
    return await spending.describe_budget(session, budget)


@router.get("/state")
async def read_budget_state(member: Viewer, session: Session) -> BudgetStateRead:
    """How the project stands with its money: the budget that would stop work first."""
    return await spending.read_state(session, project_id=member.project_id)


@router.get("/spending")
async def read_spending(
    member: Viewer,
    session: Session,
    days: Annotated[int, Query(ge=1, le=MOST_DAYS, description="How many, with today")] = 30,
    by: Annotated[SpendingBy, Query(description="What to tell apart")] = "day",
) -> SpendingRead:
    """What the last days cost, each day in UTC and by what it was spent on.

    A call counts on the day it was made. Of many models or purposes the dearest are told apart.
    """
    return await spending.sum_spending(session, project_id=member.project_id, day_count=days, by=by)


@router.get("/{budget_id}/burn-down")
async def read_burn_down(budget_id: UUID, member: Viewer, session: Session) -> BurnDownRead:
    """How a budget was used so far, and when it would be used up at the current rate."""
    return await spending.read_burn_down(session, project_id=member.project_id, budget_id=budget_id)


@router.patch("/{budget_id}")
async def change_budget(
    budget_id: UUID, body: BudgetChange, member: Admin, session: Session
) -> BudgetRead:
    """Raise or lower a limit. Calls under way end as they began."""
    budget = await service.change_budget(
        session, project_id=member.project_id, budget_id=budget_id, change=body
    )
    return await spending.describe_budget(session, budget)


@router.delete("/{budget_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_budget(budget_id: UUID, member: Admin, session: Session) -> None:
    """Lift a limit. The ledger keeps what was spent."""
    await service.delete_budget(session, project_id=member.project_id, budget_id=budget_id)
