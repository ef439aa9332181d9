"""Streaming export of the audit log."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from edison.api.record_files import ROWS_AT_ONCE, RecordFormat, stream_records
from edison.db.session import Database
from edison.workspace.audit.models import AuditEntry
from edison.workspace.audit.repository import AuditLog
from edison.workspace.audit.schemas import AuditEntryRead, AuditFilter


def stream_entries(
    database: Database, *, project_id: UUID, wanted: AuditFilter, file_format: RecordFormat
) -> AsyncIterator[bytes]:
    """The file in chunks, latest entry first. Its pages are consistent because entries never change
    and new entries sort before those already read.
    """

    async def read_after(last: AuditEntry | None) -> Sequence[AuditEntry]:
        async with database.read() as session:
            return await AuditLog(session).list_older(
                project_id, wanted=wanted, than=last, limit=ROWS_AT_ONCE
            )

    return stream_records(
        read_after,
        schema=AuditEntryRead,
        describe=AuditEntryRead.model_validate,
        file_format=file_format,
    )
