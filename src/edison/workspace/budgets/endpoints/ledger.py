"""Routes to the ledger: every attempt to call a model, and what it cost."""

from typing import Annotated
from uuid import UUID

from fastapi import Query
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import PageParams
from edison.api.parameters import read_into
from edison.api.routing import api_router
from edison.api.schema import CleanText, Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.money import nanos_from_usd
from edison.workspace.budgets import ledger_export, resolving, spending
from edison.workspace.budgets.ledger_schemas import (
    ExportFormat,
    LedgerEntryRead,
    LedgerFacets,
    LedgerFilter,
    LedgerTotals,
    SettleRequest,
    VoidRequest,
)
from edison.workspace.budgets.resolving import Resolution
from edison.workspace.projects.access import Admin, Viewer, ViewerBriefly

router = api_router("/projects/{project}/ledger", tag="budgets")

Wanted = Annotated[LedgerFilter, read_into(LedgerFilter)]
Searched = Annotated[
    CleanText | None,
    Query(max_length=200, description="Part of a model, purpose, provider or failure"),
]


@router.get("")
async def list_ledger_entries(
    member: Viewer, wanted: Wanted, page: PageParams, session: Session
) -> Page[LedgerEntryRead]:
    """Every attempt to call a model and what it cost, the latest first.

    `sort` by `created_at` or `cost`. `q` finds parts of a model, purpose, provider or failure.
    """
    found = await spending.list_entries(
        session, project_id=member.project_id, wanted=wanted, page=page
    )
    items = [LedgerEntryRead.of(entry) for entry in found.items]
    return Page(items=items, next=found.next, total=found.total)


@router.get("/totals")
async def sum_ledger_entries(
    member: Viewer, wanted: Wanted, session: Session, q: Searched = None
) -> LedgerTotals:
    """What the chosen entries come to: calls, tokens and money."""
    return await spending.sum_entries(
        session, project_id=member.project_id, wanted=wanted, q=_text(q)
    )


@router.get("/facets")
async def list_ledger_facets(member: Viewer, session: Session) -> LedgerFacets:
    """The purposes, providers and models that there are entries of."""
    return await spending.list_facets(session, project_id=member.project_id)


@router.get("/export", response_class=StreamingResponse, responses=file_responses("csv", "jsonl"))
async def export_ledger_entries(
    member: ViewerBriefly,
    wanted: Wanted,
    database: CurrentDatabase,
    q: Searched = None,
    file_format: Annotated[ExportFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """The chosen entries as a file, however many.

    In CSV a cell that a spreadsheet would run as a formula begins with an apostrophe.
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


@router.post("/{entry_id}/settle")
async def settle_ledger_entry(
    entry_id: UUID, body: SettleRequest, member: Admin, session: Session
) -> LedgerEntryRead:
    """Enter what a call really cost that was lost in a crash and charged its whole reservation.

    Only for unconfirmed entries; budgets and the cost of the run change with it.
    """
    resolution = Resolution(
        cost_nanos=nanos_from_usd(body.amount_usd),
        note=body.note,
        is_above_allowed=body.is_above_reservation_confirmed,
    )
    entry = await resolving.resolve(
        session, project_id=member.project_id, entry_id=entry_id, resolution=resolution
    )
    return LedgerEntryRead.of(entry)


@router.post("/{entry_id}/void")
async def void_ledger_entry(
    entry_id: UUID, body: VoidRequest, member: Admin, session: Session
) -> LedgerEntryRead:
    """Take back the charge of a call that was lost in a crash and cost nothing.

    Only for unconfirmed entries; budgets and the cost of the run change with it.
    """
    entry = await resolving.resolve(
        session,
        project_id=member.project_id,
        entry_id=entry_id,
        resolution=Resolution(cost_nanos=None, note=body.note),
    )
    return LedgerEntryRead.of(entry)


def _text(q: str | None) -> str | None:
    return (q or "").strip() or None
