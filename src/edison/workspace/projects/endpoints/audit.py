"""Endpoints of a project's audit log. Located here because the audit slice does not import
projects.
"""

from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse

from edison.api.downloads import dated, download, file_responses
from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.record_files import RecordFormat
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.workspace.audit import service as audit
from edison.workspace.audit.models import AuditEntry
from edison.workspace.audit.schemas import AuditEntryRead, AuditFilter
from edison.workspace.projects.access import Admin, AdminWithoutTransaction

router = api_router("/projects/{project}/audit", tag="audit")


@router.get("", response_model=Page[AuditEntryRead])
async def list_audit_entries(
    member: Admin,
    wanted: Annotated[AuditFilter, read_into(AuditFilter)],
    page: PageParams,
    session: Session,
) -> Slice[AuditEntry]:
    """Lists actions and refusals in the project, latest first."""
    return await audit.list_entries(session, project_id=member.project_id, wanted=wanted, page=page)


@router.get("/export", response_class=StreamingResponse, responses=file_responses("csv", "jsonl"))
async def export_audit_entries(
    member: AdminWithoutTransaction,
    wanted: Annotated[AuditFilter, read_into(AuditFilter)],
    database: CurrentDatabase,
    file_format: Annotated[RecordFormat, Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Downloads all matching entries as a file.

    In CSV, cells that a spreadsheet would run as a formula are prefixed with an apostrophe.
    """
    pieces = await audit.export_entries(
        database, project_id=member.project_id, wanted=wanted, file_format=file_format
    )
    name = dated(f"{member.project.slug}-audit")
    return download(pieces, name=name, file_format=file_format)
