"""Routes for what was spent."""

from edison.api.pagination import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.workspace.budgets import service
from edison.workspace.budgets.schemas import LedgerEntryRead
from edison.workspace.projects.access import Viewer

router = api_router("/projects/{project}/ledger", tag="budgets")


@router.get("")
async def list_ledger_entries(
    member: Viewer, page: PageParams, session: Session
) -> Page[LedgerEntryRead]:
    """Every attempt to call a model and what it cost, the latest first."""
    found = await service.list_entries(session, project_id=member.project_id, page=page)
    items = [LedgerEntryRead.of(entry) for entry in found.items]
    return Page(items=items, next=found.next, total=found.total)
