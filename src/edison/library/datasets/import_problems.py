"""All problems of an import's rows, as a CSV report."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import PurePath
from uuid import UUID

from edison.db.session import Database
from edison.kit.csv_text import encode_rows, guard
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.errors import ImportEnded
from edison.library.datasets.files.cast import cast
from edison.library.datasets.files.mapping import ColumnMapping
from edison.library.datasets.files.problems import Row
from edison.library.datasets.files.rows import RowReader
from edison.library.datasets.imports import ImportRef, fetch_inline, get_import, read_rows
from edison.library.datasets.schemas.imports import ImportPreview

HEADER = ("line", "column", "problem", "code")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemReport:
    """Reads the uploaded file again while the report is streamed, so memory use is small."""

    name: str
    database: Database
    import_id: UUID
    preview: ImportPreview

    async def lines(self) -> AsyncIterator[bytes]:
        """CSV in chunks."""
        yield _csv([HEADER])
        mapping = [each.mapping() for each in self.preview.mapping]
        reader = RowReader(self.preview.layout(), most_rows=self.preview.row_count)
        async for rows in read_rows(fetch_inline(self.database, self.import_id), reader):
            if lines := await asyncio.to_thread(_describe, rows, mapping):
                yield lines


async def open_report(database: Database, *, place: ImportRef, import_id: UUID) -> ProblemReport:
    """Raises ImportEnded once the import was committed, because its contents are deleted then."""
    found = await get_import(database, place=place, import_id=import_id)
    if found.preview is None or found.state == "committed":
        raise ImportEnded
    return ProblemReport(
        name=f"{PurePath(found.filename).stem}-problems",
        database=database,
        import_id=import_id,
        preview=found.preview,
    )


def _describe(rows: Sequence[Row], mapping: Sequence[ColumnMapping]) -> bytes:
    """CSV lines for the problems of these rows."""
    checked = (cast(row, mapping, more_tags=()) for row in rows)
    problems = [problem for each in checked if isinstance(each, list) for problem in each]
    return _csv(
        (str(problem.line), problem.column or "", problem.message, problem.code)
        for problem in problems
    )


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    return encode_rows([guard(cell) for cell in row] for row in rows)
