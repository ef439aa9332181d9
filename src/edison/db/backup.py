"""Online backup of a SQLite or PostgreSQL database to one file.

All tables are read in one snapshot and streamed, so memory use does not grow with their size. The
tables come from the database, not from the models: a backup is also made before an upgrade, of the
old schema.
"""

import asyncio
import os
import secrets
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from alembic.runtime.migration import MigrationContext
from sqlalchemy import JSON, ColumnClause, Connection, Text, cast, column, inspect, select, table
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from edison import __version__
from edison.db.archive import (
    FORMAT,
    LARGEST_ROW_BYTES,
    MANIFEST,
    ArchiveManifest,
    TableEntry,
    entry_name,
)
from edison.db.engine import open_engine
from edison.db.portable import Codec, codec_for
from edison.kit import clock
from edison.kit.errors import Conflict, TooLarge

VERSION_TABLE = "alembic_version"
ROWS_AT_ONCE = 500


async def save(url: str, target: Path) -> Path:
    """Writes a backup of the database to `target`. Atomic: no file is left on failure."""
    _check_places(url, target)
    async with _snapshot(url) as connection:
        revision = await connection.run_sync(
            lambda sync: MigrationContext.configure(sync).get_current_revision()
        )
        if revision is None:
            raise Conflict("This database holds nothing of Edison's to save.")
        with (
            _written_at_once(target) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            tables = await connection.run_sync(read_tables)
            entries = [
                await _save_table(connection, archive, name, columns)
                for name, columns in tables.items()
            ]
            manifest = ArchiveManifest(
                format=FORMAT,
                edison_version=__version__,
                revision=revision,
                dialect=connection.dialect.name,
                created_at=clock.now(),
                tables=entries,
            )
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
    return target


def _check_places(url: str, target: Path) -> None:
    if target.exists():
        raise Conflict(f"There is already a file {target}.")
    path = make_url(url).database
    if url.startswith("sqlite") and path is not None and not Path(path).exists():
        # Connecting would create an empty database.
        raise Conflict(f"There is no database at {path}.")


def read_tables(connection: Connection) -> dict[str, list[ColumnClause[Any]]]:
    """The current tables and columns of the database, without Alembic's table."""
    inspector = inspect(connection)
    return {
        name: [column(found["name"], found["type"]) for found in inspector.get_columns(name)]
        for name in sorted(inspector.get_table_names())
        if name != VERSION_TABLE
    }


@asynccontextmanager
async def _snapshot(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection whose reads all see one snapshot."""
    engine = open_engine(url, pooled=False)
    options: dict[str, Any] = (
        {"writes": False}
        if url.startswith("sqlite")
        else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    )
    try:
        async with engine.execution_options(**options).connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def _save_table(
    connection: AsyncConnection,
    archive: zipfile.ZipFile,
    name: str,
    columns: list[ColumnClause[Any]],
) -> TableEntry:
    codecs = [codec_for(column.type) for column in columns]
    wanted = [cast(column, Text) if isinstance(column.type, JSON) else column for column in columns]
    statement = select(*wanted).select_from(table(name, *columns))
    count = 0
    with archive.open(entry_name(name), "w", force_zip64=True) as file:
        result = await connection.stream(statement, execution_options={"yield_per": ROWS_AT_ONCE})
        async for rows in result.partitions():
            lines = [_line(name, codecs, row) for row in rows]
            count += len(lines)
            # Compression would block the event loop of a server.
            await asyncio.to_thread(file.write, b"".join(lines))
    return TableEntry(name=name, columns=[column.name for column in columns], rows=count)


def _line(name: str, codecs: list[Codec], row: Any) -> bytes:
    line = orjson.dumps(
        [
            None if value is None else codec.encode(value)
            for codec, value in zip(codecs, row, strict=True)
        ]
    )
    if len(line) >= LARGEST_ROW_BYTES:
        raise TooLarge(f"A row of {name} is too large for a backup.")
    return line + b"\n"


@contextmanager
def _written_at_once(target: Path) -> Iterator[BinaryIO]:
    """A file with mode 0600 that is renamed to `target` after it is complete and synced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
