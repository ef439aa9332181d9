"""Routes for budgets and for what was spent."""

from uuid import UUID

from fastapi import status

from edison.api.pagination import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.workspace.budgets import service
from edison.workspace.budgets.schemas import (
    BudgetChange,
    BudgetRead,
    BudgetRequest,
    LedgerEntryRead,
)
from edison.workspace.projects.access import Admin, Viewer

router = api_router("/projects/{project}", tag="budgets")


@router.get("/budgets")
async def list_budgets(member: Viewer, page: PageParams, session: Session) -> Page[BudgetRead]:
    """The project's limits, and how much of them is used."""
    found = await service.list_budgets(session, project_id=member.project_id, page=page)
    items = [BudgetRead.of(budget) for budget in found.items]
    return Page(items=items, next=found.next, total=found.total)


@router.post("/budgets", status_code=status.HTTP_201_CREATED)
async def create_budget(body: BudgetRequest, member: Admin, session: Session) -> BudgetRead:
    """Limit what the project may spend; one limit per period. Counting begins now."""
    return BudgetRead.of(
        await service.create_budget(session, project_id=member.project_id, wanted=body)
    )


@router.patch("/budgets/{budget_id}")
async def change_budget(
    budget_id: UUID, body: BudgetChange, member: Admin, session: Session
) -> BudgetRead:
    """Raise or lower a limit. Calls under way end as they began."""
    return BudgetRead.of(
        await service.change_budget(
            session, project_id=member.project_id, budget_id=budget_id, change=body
        )
    )


@router.delete("/budgets/{budget_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_budget(budget_id: UUID, member: Admin, session: Session) -> None:
    """Lift a limit. The ledger keeps what was spent."""
    await service.delete_budget(session, project_id=member.project_id, budget_id=budget_id)


@router.get("/ledger")
async def list_ledger_entries(
    member: Viewer, page: PageParams, session: Session
) -> Page[LedgerEntryRead]:
    """Every attempt to call a model and what it cost, the latest first."""
    found = await service.list_entries(session, project_id=member.project_id, page=page)
    items = [LedgerEntryRead.of(entry) for entry in found.items]
    return Page(items=items, next=found.next, total=found.total)
