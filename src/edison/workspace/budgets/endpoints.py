"""Endpoints for budgets, spending and the ledger."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.record_files import RecordFormat
from edison.api.routing import api_router
from edison.api.schema import CleanText, Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.money import nanos_from_usd
from edison.workspace.budgets import service, spending, spending_report, unconfirmed
from edison.workspace.budgets import spending as ledger_export
from edison.workspace.budgets.schemas import (
    BudgetChange,
    BudgetRead,
    BudgetRequest,
    BudgetStateRead,
    BurnDownRead,
    LedgerEntryRead,
    LedgerFacets,
    LedgerFilter,
    LedgerTotals,
    SettleRequest,
    SpendingBy,
    SpendingRead,
    VoidRequest,
)
from edison.workspace.budgets.unconfirmed import ChargeResolution
from edison.workspace.projects.access import Admin, Viewer, ViewerWithoutTransaction

budgets_router = api_router("/projects/{project}/budgets", tag="budgets")

MOST_DAYS = 90
SpendingDays = Annotated[int, Query(ge=1, le=MOST_DAYS, description="How many, with today")]


@budgets_router.get("", response_model=Page[BudgetRead])
async def list_budgets(member: Viewer, page: PageParams, session: Session) -> Slice[BudgetRead]:
    """Lists the project's budgets with their usage."""
    return await spending.list_budgets(session, project_id=member.project_id, page=page)


@budgets_router.post("", status_code=status.HTTP_201_CREATED)
async def create_budget(body: BudgetRequest, member: Admin, session: Session) -> BudgetRead:
    """Creates a budget. One budget per scope and period; counting starts now."""
    budget = await service.create_budget(session, project_id=member.project_id, wanted=body)
    return await spending.describe_budget(session, budget)


@budgets_router.get("/state")
async def read_budget_state(member: Viewer, session: Session) -> BudgetStateRead:
    """Returns the budget that is nearest to its limit."""
    return await spending.read_state(session, project_id=member.project_id)


@budgets_router.get("/spending")
async def read_spending(
    member: Viewer,
    session: Session,
    days: SpendingDays = 30,
    by: Annotated[SpendingBy, Query(description="What to tell apart")] = "day",
) -> SpendingRead:
    """Returns the cost of the last days, per UTC day and grouped by `by`.

    A call counts on the day it was made. Only the most expensive groups get a series of their own.
    `origin` groups by what started the run: an experiment, a monitor, the playground.
    """
    return await spending_report.sum_spending(
        session, project_id=member.project_id, day_count=days, by=by
    )


@budgets_router.get(
    "/spending/export", response_class=StreamingResponse, responses=file_responses("csv")
)
async def export_spending(
    member: Viewer,
    session: Session,
    days: SpendingDays = 30,
    by: Annotated[SpendingBy, Query(description="What to tell apart")] = "model",
) -> StreamingResponse:
    """Downloads calls, tokens and cost of each group as CSV."""
    content = await spending_report.write_spending(
        session, project_id=member.project_id, day_count=days, by=by
    )
    return download(iter([content]), name=dated(f"spending-by-{by}"), file_format="csv")


@budgets_router.get("/{budget_id}/burn-down")
async def read_burn_down(budget_id: UUID, member: Viewer, session: Session) -> BurnDownRead:
    """Returns a budget's usage over time and when it will be used up at the current rate."""
    return await spending.read_burn_down(session, project_id=member.project_id, budget_id=budget_id)


@budgets_router.patch("/{budget_id}")
async def change_budget(
    budget_id: UUID, body: BudgetChange, member: Admin, session: Session
) -> BudgetRead:
    """Raises or lowers a limit. Calls in flight are not affected."""
    budget = await service.change_budget(
        session, project_id=member.project_id, budget_id=budget_id, change=body
    )
    return await spending.describe_budget(session, budget)


@budgets_router.delete("/{budget_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_budget(budget_id: UUID, member: Admin, session: Session) -> None:
    """Deletes a budget. Ledger entries are kept."""
    await service.delete_budget(session, project_id=member.project_id, budget_id=budget_id)


ledger_router = api_router("/projects/{project}/ledger", tag="budgets")

Wanted = Annotated[LedgerFilter, read_into(LedgerFilter)]
Searched = Annotated[
    CleanText | None,
    Query(max_length=200, description="Part of a model, purpose, provider or failure"),
]


@ledger_router.get("")
async def list_ledger_entries(
    member: Viewer, wanted: Wanted, page: PageParams, session: Session
) -> Page[LedgerEntryRead]:
    """Lists every attempt to call a model with its cost, latest first.

    `sort` by `created_at` or `cost`. `q` matches parts of model, purpose, provider or failure.
    """
    found = await spending.list_entries(
        session, project_id=member.project_id, wanted=wanted, page=page
    )
    items = [LedgerEntryRead.of(entry) for entry in found.items]
    return Page(items=items, next=found.next, total=found.total)


@ledger_router.get("/totals")
async def sum_ledger_entries(
    member: Viewer, wanted: Wanted, session: Session, q: Searched = None
) -> LedgerTotals:
    """Returns sums over the matching entries: calls, tokens and cost."""
    return await spending.sum_entries(
        session, project_id=member.project_id, wanted=wanted, q=_text(q)
    )


@ledger_router.get("/facets")
async def list_ledger_facets(member: Viewer, session: Session) -> LedgerFacets:
    """Returns the purposes, providers and models that occur in the ledger."""
    return await spending.list_facets(session, project_id=member.project_id)


@ledger_router.get(
    "/export", response_class=StreamingResponse, responses=file_responses("csv", "jsonl")
)
async def export_ledger_entries(
    member: ViewerWithoutTransaction,
    wanted: Wanted,
    database: CurrentDatabase,
    q: Searched = None,
    file_format: Annotated[RecordFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Downloads all matching entries as a file.

    In CSV, cells that a spreadsheet would run as a formula are prefixed with an apostrophe.
    """
    pieces = await ledger_export.export_entries(
        database,
        project_id=member.project_id,
        wanted=wanted,
        q=_text(q),
        file_format=file_format,
    )
    name = dated(f"{member.project.slug}-ledger")
    return download(pieces, name=name, file_format=file_format)


@ledger_router.post("/{entry_id}/settle")
async def settle_ledger_entry(
    entry_id: UUID, body: SettleRequest, member: Admin, session: Session
) -> LedgerEntryRead:
    """Replaces an unconfirmed charge by the actual cost of the call.

    An entry is unconfirmed when its call was lost in a crash; it is charged its full reservation.
    Updates the budgets and the cost of the run.
    """
    resolution = ChargeResolution(
        cost_nanos=nanos_from_usd(body.amount_usd),
        note=body.note,
        is_above_allowed=body.is_above_reservation_confirmed,
    )
    entry = await unconfirmed.resolve(
        session, project_id=member.project_id, entry_id=entry_id, resolution=resolution
    )
    return LedgerEntryRead.of(entry)


@ledger_router.post("/{entry_id}/void")
async def void_ledger_entry(
    entry_id: UUID, body: VoidRequest, member: Admin, session: Session
) -> LedgerEntryRead:
    """Voids the charge of an unconfirmed call that cost nothing.

    Updates the budgets and the cost of the run.
    """
    entry = await unconfirmed.resolve(
        session,
        project_id=member.project_id,
        entry_id=entry_id,
        resolution=ChargeResolution(cost_nanos=None, note=body.note),
    )
    return LedgerEntryRead.of(entry)


def _text(q: str | None) -> str | None:
    return (q or "").strip() or None
