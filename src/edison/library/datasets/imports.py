"""Imports of cases: upload, preview, change, then commit as a whole or abandon.

The file is stored in the database, in blocks. Rows are read again block by block, so memory use
does not grow with the file and any server process can continue. No transaction is open during
parsing, except in the commit, whose rows must appear together.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.errors import DatasetArchived, ImportEnded
from edison.library.datasets.files.encodings import EncodingGuess
from edison.library.datasets.files.mapping import ColumnMapping, check_mapping, guess_mapping
from edison.library.datasets.files.problems import Row
from edison.library.datasets.files.rows import Layout, LayoutChoice, RowReader, guess_layout
from edison.library.datasets.files.survey import ROWS_SHOWN, ShownRow, Survey, show
from edison.library.datasets.models import CaseImport
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.repository.imports import CaseImports
from edison.library.datasets.schemas.imports import (
    ImportChange,
    ImportPreview,
    ImportRead,
    MappedColumn,
    RowProblemRead,
    ShownRowRead,
)
from edison.workspace.audit import service as audit

BLOCK_BYTES = 262_144
KEPT_FOR = timedelta(hours=24)

FetchBlock = Callable[[int], Awaitable[bytes | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRef:
    """The target dataset and the uploading user."""

    project_id: UUID
    dataset_id: UUID
    author_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    filename: str
    pieces: AsyncIterator[bytes]
    chosen: LayoutChoice
    most_rows: int


async def receive(database: Database, *, place: ImportRef, upload: Upload) -> ImportRead:
    """Store an uploaded file and return a preview. Raises FileRefused and then stores nothing."""
    import_id = await _begin(database, place, upload.filename)
    is_kept = False
    try:
        guess = await _store(database, import_id, upload.pieces)
        layout = guess_layout(guess, filename=upload.filename, chosen=upload.chosen)
        preview = await _preview(database, place, import_id, layout, most_rows=upload.most_rows)
        kept = await _keep(database, place, import_id, preview, size_bytes=guess.size)
        is_kept = True
    finally:
        if not is_kept:
            async with database.write() as session:
                await CaseImports(session).remove(import_id)
    return kept


async def get_import(database: Database, *, place: ImportRef, import_id: UUID) -> ImportRead:
    return ImportRead.of(await _get(database, place, import_id))


async def change_import(
    database: Database, *, place: ImportRef, import_id: UUID, change: ImportChange, most_rows: int
) -> ImportRead:
    """Read the file with another layout or mapping and return a new preview."""
    current = ImportRead.of(await _get(database, place, import_id))
    if current.preview is None or current.state == "committed":
        raise ImportEnded
    chosen = change.layout(current.preview)
    layout = guess_layout(
        await _guess_again(database, import_id), filename=current.filename, chosen=chosen
    )
    mapping = None if change.mapping is None else [each.mapping() for each in change.mapping]
    if mapping is None and not change.changes_layout():
        mapping = [each.mapping() for each in current.preview.mapping]
    preview = await _preview(
        database, place, import_id, layout, most_rows=most_rows, mapping=mapping
    )
    async with database.write() as session:
        changed = await CaseImports(session).change(
            import_id, was="pending", preview=preview.model_dump(mode="json")
        )
        if changed is None:
            raise ImportEnded
        audit.record(
            session,
            "import.changed",
            entity=("import", import_id),
            project_id=place.project_id,
            after=change.model_dump(mode="json", exclude_unset=True),
        )
    return ImportRead.of(changed)


async def abandon_import(database: Database, *, place: ImportRef, import_id: UUID) -> None:
    """Delete an uploaded file. Cases imported from it are kept."""
    found = await _get(database, place, import_id)
    async with database.write() as session:
        await CaseImports(session).remove(import_id)
        audit.record(
            session,
            "import.abandoned",
            entity=("import", import_id),
            project_id=place.project_id,
            before={"filename": found.filename, "state": found.state},
        )


async def read_rows(fetch: FetchBlock, reader: RowReader) -> AsyncIterator[list[Row]]:
    """All rows of a file, one block at a time; parses in a thread."""
    number = 0
    while (block := await fetch(number)) is not None:
        yield await asyncio.to_thread(reader.feed, block)
        number += 1
    yield await asyncio.to_thread(reader.close)


def fetch_inline(database: Database, import_id: UUID) -> FetchBlock:
    """Reads each block in a transaction of its own. Raises ImportEnded or NotFound when the file
    was committed or deleted in the meantime, so that it is not taken for a shorter one.
    """

    async def fetch(number: int) -> bytes | None:
        async with database.read() as session:
            imports = CaseImports(session)
            block = await imports.find_block(import_id, number)
            if block is None and await imports.get_state(import_id) == "committed":
                raise ImportEnded
            return block

    return fetch


async def _begin(database: Database, place: ImportRef, filename: str) -> UUID:
    import_id = ids.new_id()
    async with database.write() as session:
        dataset = await Datasets(session).get(place.project_id, place.dataset_id)
        if dataset.archived_at is not None:
            raise DatasetArchived
        await CaseImports(session).add(
            CaseImport(
                id=import_id,
                dataset_id=place.dataset_id,
                author_id=place.author_id,
                filename=filename,
                state="uploading",
                size_bytes=0,
                created_at=clock.now(),
                expires_at=clock.now() + KEPT_FOR,
            )
        )
    return import_id


async def _store(
    database: Database, import_id: UUID, pieces: AsyncIterator[bytes]
) -> EncodingGuess:
    guess = EncodingGuess()
    number = 0
    async for block in _in_blocks(pieces):
        await asyncio.to_thread(guess.feed, block)
        async with database.write() as session:
            await CaseImports(session).add_block(import_id, number, block)
        number += 1
    return guess


async def _in_blocks(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    waiting = bytearray()
    async for piece in pieces:
        waiting += piece
        while len(waiting) >= BLOCK_BYTES:
            yield bytes(waiting[:BLOCK_BYTES])
            del waiting[:BLOCK_BYTES]
    if waiting:
        yield bytes(waiting)


async def _guess_again(database: Database, import_id: UUID) -> EncodingGuess:
    guess = EncodingGuess()
    fetch = fetch_inline(database, import_id)
    number = 0
    while (block := await fetch(number)) is not None:
        await asyncio.to_thread(guess.feed, block)
        number += 1
    return guess


async def _preview(
    database: Database,
    place: ImportRef,
    import_id: UUID,
    layout: Layout,
    *,
    most_rows: int,
    mapping: list[ColumnMapping] | None = None,
) -> ImportPreview:
    """Two passes: the columns of JSON are known only after all of it was read."""
    fetch = fetch_inline(database, import_id)
    reader = RowReader(layout, most_rows=most_rows)
    shown: list[ShownRow] = []
    async for rows in read_rows(fetch, reader):
        shown += [show(row) for row in rows[: ROWS_SHOWN - len(shown)]]
    columns, row_count = reader.columns, reader.rows_read
    if mapping is None:
        mapping = guess_mapping(columns)
    else:
        check_mapping(mapping, columns=columns)
    survey = Survey()
    copies_in_dataset = 0
    async for rows in read_rows(fetch, RowReader(layout, most_rows=most_rows)):
        candidates = await asyncio.to_thread(survey.examine, rows, mapping, more_tags=())
        hashes = [candidate.input_hash for candidate, _ in candidates]
        async with database.read() as session:
            known = await Cases(session).find_hashes(place.dataset_id, hashes)
        copies_in_dataset += sum(each in known for each in hashes)
    return ImportPreview(
        format=layout.format,
        encoding=layout.encoding,
        delimiter=layout.delimiter,
        columns=columns,
        mapping=[MappedColumn.model_validate(each) for each in mapping],
        rows=[ShownRowRead.model_validate(each) for each in shown],
        row_count=row_count,
        good_rows=survey.good,
        bad_rows=survey.bad,
        problem_count=survey.problem_count,
        problems=[RowProblemRead.model_validate(each) for each in survey.problems],
        copies_in_file=survey.copies,
        copies_in_dataset=copies_in_dataset,
    )


async def _keep(
    database: Database,
    place: ImportRef,
    import_id: UUID,
    preview: ImportPreview,
    *,
    size_bytes: int,
) -> ImportRead:
    async with database.write() as session:
        imports = CaseImports(session)
        kept = await imports.change(
            import_id,
            was="uploading",
            state="pending",
            size_bytes=size_bytes,
            preview=preview.model_dump(mode="json"),
        )
        if kept is None:
            raise NotFound("The dataset was deleted.")
        await imports.remove_others(kept)
        audit.record(
            session,
            "import.uploaded",
            entity=("import", import_id),
            project_id=place.project_id,
            after={
                "dataset_id": str(place.dataset_id),
                "filename": kept.filename,
                "row_count": preview.row_count,
            },
        )
    return ImportRead.of(kept)


async def _get(database: Database, place: ImportRef, import_id: UUID) -> CaseImport:
    async with database.read() as session:
        await Datasets(session).get(place.project_id, place.dataset_id)
        return await CaseImports(session).get(place.dataset_id, import_id)


async def delete_expired(session: AsyncSession) -> None:
    """Delete abandoned files and the remains of broken uploads."""
    await CaseImports(session).remove_expired(clock.now())
