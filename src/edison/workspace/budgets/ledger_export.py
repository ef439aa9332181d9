"""The ledger as a file, written while it is read so that its length does not matter."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import asdict
from uuid import UUID

import orjson

from edison.db.session import Database
from edison.kit import formulas
from edison.workspace.audit import service as audit
from edison.workspace.budgets.ledger_reading import LedgerReading
from edison.workspace.budgets.ledger_schemas import ExportFormat, LedgerEntryRead, LedgerFilter
from edison.workspace.budgets.models import LedgerEntry

ROWS_AT_ONCE = 500
COLUMNS = tuple(LedgerEntryRead.model_fields)


async def export_entries(
    database: Database,
    *,
    project_id: UUID,
    wanted: LedgerFilter,
    q: str | None,
    file_format: ExportFormat,
) -> AsyncIterator[bytes]:
    """Note that somebody takes the entries away, then give them piece by piece."""
    filters = {"q": q, **asdict(wanted)}
    async with database.write() as session:
        audit.record(
            session,
            "ledger.exported",
            entity=("ledger", project_id),
            project_id=project_id,
            after={"format": file_format}
            | {name: str(value) for name, value in filters.items() if value is not None},
        )
    return _stream(database, project_id=project_id, wanted=wanted, q=q, file_format=file_format)


async def _stream(
    database: Database,
    *,
    project_id: UUID,
    wanted: LedgerFilter,
    q: str | None,
    file_format: ExportFormat,
) -> AsyncIterator[bytes]:
    """The latest entry first. Each piece is a transaction of its own, so that a slow download holds
    none open; an attempt that ends meanwhile is in the file once, as it was when it was read.
    """
    write: Callable[[Iterable[LedgerEntryRead]], bytes] = _csv if file_format == "csv" else _jsonl
    if file_format == "csv":
        yield _rows([COLUMNS])
    last: LedgerEntry | None = None
    while True:
        async with database.read() as session:
            entries = await LedgerReading(session).list_older(
                project_id, wanted=wanted, q=q, than=last, limit=ROWS_AT_ONCE
            )
        if entries:
            last = entries[-1]
            yield write(LedgerEntryRead.of(entry) for entry in entries)
        if len(entries) < ROWS_AT_ONCE:
            return


def _jsonl(entries: Iterable[LedgerEntryRead]) -> bytes:
    return b"".join(orjson.dumps(entry.model_dump(mode="json")) + b"\n" for entry in entries)


def _csv(entries: Iterable[LedgerEntryRead]) -> bytes:
    return _rows(
        [_cell(value) for value in entry.model_dump(mode="json").values()] for entry in entries
    )


def _rows(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    # Names of models are what others typed.
    return formulas.guard(value if isinstance(value, str) else orjson.dumps(value).decode())
