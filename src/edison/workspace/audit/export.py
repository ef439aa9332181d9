"""Streaming export of the audit log."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable
from uuid import UUID

import orjson

from edison.db.session import Database
from edison.kit import formulas
from edison.workspace.audit.models import AuditEntry
from edison.workspace.audit.repository import AuditLog
from edison.workspace.audit.schemas import AuditEntryRead, AuditFilter, ExportFormat

ROWS_AT_ONCE = 500
COLUMNS = tuple(AuditEntryRead.model_fields)


async def stream_entries(
    database: Database, *, project_id: UUID, wanted: AuditFilter, file_format: ExportFormat
) -> AsyncIterator[bytes]:
    """The file in chunks, latest entry first.

    Each page is read in its own transaction, so a slow download holds none open. Pages are
    consistent because entries never change and new entries sort before those already read.
    """
    write: Callable[[Iterable[AuditEntryRead]], bytes] = _csv if file_format == "csv" else _jsonl
    if file_format == "csv":
        yield _rows([COLUMNS])
    last: AuditEntry | None = None
    while True:
        async with database.read() as session:
            entries = await AuditLog(session).list_older(
                project_id, wanted=wanted, than=last, limit=ROWS_AT_ONCE
            )
        if entries:
            last = entries[-1]
            yield write(AuditEntryRead.model_validate(entry) for entry in entries)
        if len(entries) < ROWS_AT_ONCE:
            return


def _jsonl(entries: Iterable[AuditEntryRead]) -> bytes:
    return b"".join(orjson.dumps(entry.model_dump(mode="json")) + b"\n" for entry in entries)


def _csv(entries: Iterable[AuditEntryRead]) -> bytes:
    return _rows([_cell(value) for value in _values(entry)] for entry in entries)


def _values(entry: AuditEntryRead) -> Iterable[object]:
    return entry.model_dump(mode="json").values()


def _rows(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    # Entries contain user input.
    return formulas.guard(text)
