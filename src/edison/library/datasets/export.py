"""Export of a dataset to a file that can be imported without loss.

One statement reads all cases, as one snapshot, into a temporary file: a slow download holds no
transaction open, and the columns of a CSV file are known before its first line is written. Memory
use does not grow with the dataset.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from itertools import islice
from typing import IO
from uuid import UUID

import orjson

from edison.api.record_files import RecordFormat
from edison.db.session import Database
from edison.library.datasets.cases import contents_of
from edison.library.datasets.contents import CaseContents
from edison.library.datasets.files import write
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.workspace.audit import service as audit

CASES_AT_ONCE = 500


async def begin_export(
    database: Database, *, project_id: UUID, dataset_id: UUID, file_format: RecordFormat
) -> Dataset:
    """Write the audit entry. Raises NotFound."""
    async with database.write() as session:
        dataset = await Datasets(session).get(project_id, dataset_id)
        audit.record(
            session,
            "dataset.exported",
            entity=("dataset", dataset_id),
            project_id=project_id,
            after={"format": file_format, "case_count": dataset.case_count},
        )
    return dataset


async def stream_cases(
    database: Database, *, dataset_id: UUID, file_format: RecordFormat
) -> AsyncIterator[bytes]:
    """The file in chunks."""
    columns = write.Columns()
    with tempfile.TemporaryFile() as aside:
        async with (
            database.read() as session,
            aclosing(Cases(session).stream(dataset_id, at_once=CASES_AT_ONCE)) as pieces,
        ):
            async for cases in pieces:
                await asyncio.to_thread(_spool, aside, cases, columns)
        aside.seek(0)
        if file_format == "csv":
            yield write.csv_header(columns)
        while lines := await asyncio.to_thread(list, islice(aside, CASES_AT_ONCE)):
            if file_format == "jsonl":
                yield b"".join(lines)
            else:
                yield await asyncio.to_thread(_to_csv, lines, columns)


def _spool(aside: IO[bytes], cases: Sequence[Case], columns: write.Columns) -> None:
    contents = [contents_of(case) for case in cases]
    for each in contents:
        columns.add(each)
    aside.write(write.jsonl_lines(contents))


def _to_csv(lines: Sequence[bytes], columns: write.Columns) -> bytes:
    return write.csv_lines((CaseContents(**orjson.loads(line)) for line in lines), columns)
