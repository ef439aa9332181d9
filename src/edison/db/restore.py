"""Restores a backup of either database into either database.

One transaction creates the schema at the backup's revision, loads all rows and upgrades to the
program's schema, so a failed or killed restore leaves the database unchanged.
"""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    ColumnClause,
    Connection,
    MetaData,
    Text,
    bindparam,
    cast,
    exists,
    insert,
    inspect,
    select,
    table,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import AddConstraint, DropConstraint

from edison.db import migrate
from edison.db.archive import Archive, ArchiveManifest, TableEntry, UnusableBackup, open_archive
from edison.db.backup import VERSION_TABLE, read_tables
from edison.db.engine import open_engine
from edison.db.portable import codec_for
from edison.kit.errors import Conflict

ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 4 * 1024 * 1024


async def restore(
    source: Path,
    url: str,
    *,
    replace: bool = False,
    script: ScriptDirectory | None = None,
    finish: Callable[[AsyncConnection], Awaitable[None]] | None = None,
) -> ArchiveManifest:
    """Loads a backup. `finish` changes the restored rows in the same transaction. Raises Conflict
    if the database has rows, unless `replace` is set.
    """
    script = script or migrate.revisions()
    engine = open_engine(url, pooled=False, foreign_keys=False)
    try:
        with open_archive(source) as archive:
            manifest = archive.manifest
            if not migrate.is_known(script, manifest.revision):
                raise UnusableBackup(
                    f"The backup was written by another version of Edison (schema "
                    f"{manifest.revision}). Install that version to restore it.",
                    code="other_version",
                )
            async with migrate.changing_schema(engine) as connection:
                await connection.run_sync(_make_room, replace=replace)
                await connection.run_sync(migrate.apply, script, manifest.revision)
                await _load(connection, archive)
                await connection.run_sync(migrate.apply, script)
                if finish is not None:
                    await finish(connection)
        return manifest
    finally:
        await engine.dispose()


def _make_room(connection: Connection, *, replace: bool) -> None:
    """Drops Edison's tables if they are empty or `replace` is set."""
    names = inspect(connection).get_table_names()
    if not names:
        return
    if VERSION_TABLE not in names:
        raise Conflict("This database holds tables that are not Edison's. Choose an empty one.")
    for name in names:
        has_rows = connection.scalar(select(exists(select(1).select_from(table(name)))))
        if has_rows and name != VERSION_TABLE and not replace:
            raise Conflict("This database already holds data. Restore into an empty one.")
    quote = connection.dialect.identifier_preparer.quote
    if connection.dialect.name == "sqlite":
        for name in names:
            connection.execute(text(f"DROP TABLE {quote(name)}"))
    else:
        # In one statement, since they reference each other; CASCADE could drop other objects.
        connection.execute(text(f"DROP TABLE {', '.join(quote(name) for name in names)}"))


async def _load(connection: AsyncConnection, archive: Archive) -> None:
    tables = await connection.run_sync(read_tables)
    entries = {entry.name: entry for entry in archive.manifest.tables}
    if entries.keys() != tables.keys() or len(entries) != len(archive.manifest.tables):
        raise UnusableBackup("The backup's tables are not those of its schema.")
    references = await connection.run_sync(_drop_references)
    for name, columns in tables.items():
        try:
            loaded = await _load_table(connection, archive, entries[name], columns)
        except (ValueError, TypeError, DBAPIError) as wrong:
            raise UnusableBackup(
                f"A row of {name} in the backup does not fit into this database."
            ) from wrong
        if loaded != entries[name].rows:
            raise UnusableBackup(f"The backup holds only a part of {name}.")
    try:
        await connection.run_sync(_add_references, references)
    except DBAPIError as wrong:
        raise UnusableBackup("Rows in the backup refer to others that are missing.") from wrong


async def _load_table(
    connection: AsyncConnection,
    archive: Archive,
    entry: TableEntry,
    columns: list[ColumnClause[Any]],
) -> int:
    by_name = {column.name: column for column in columns}
    if sorted(by_name) != sorted(entry.columns):
        raise UnusableBackup(f"The columns of {entry.name} are not those of its schema.")
    ordered = [by_name[name] for name in entry.columns]
    is_sqlite = connection.dialect.name == "sqlite"
    statement = insert(table(entry.name, *ordered)).values(
        {column.name: _parameter(column, is_sqlite=is_sqlite) for column in ordered}
    )
    codecs = [codec_for(column.type) for column in ordered]
    count = 0
    for batch in _batches(archive, entry):
        await connection.execute(
            statement,
            [
                {
                    f"value_{column.name}": None if value is None else codec.decode(value)
                    for column, codec, value in zip(ordered, codecs, row, strict=True)
                }
                for row in batch
            ],
        )
        count += len(batch)
    return count


def _parameter(column: ColumnClause[Any], *, is_sqlite: bool) -> Any:
    name = f"value_{column.name}"
    if not isinstance(column.type, JSON):
        return bindparam(name, type_=column.type)
    raw = bindparam(name, type_=Text())
    return raw if is_sqlite else cast(raw, column.type)


def _batches(archive: Archive, entry: TableEntry) -> Iterator[list[list[Any]]]:
    """Batches bounded by rows and by bytes."""
    batch: list[list[Any]] = []
    size = 0
    for row, row_bytes in archive.rows(entry):
        batch.append(row)
        size += row_bytes
        if len(batch) >= ROWS_AT_ONCE or size >= BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _drop_references(connection: Connection) -> MetaData:
    """Drops foreign keys, so that rows load in any order. SQLite checks them at the end."""
    metadata = MetaData()
    if connection.dialect.name != "sqlite":
        metadata.reflect(connection)
        for found in metadata.tables.values():
            for constraint in found.foreign_key_constraints:
                connection.execute(DropConstraint(constraint))
    return metadata


def _add_references(connection: Connection, metadata: MetaData) -> None:
    for found in metadata.tables.values():
        for constraint in found.foreign_key_constraints:
            connection.execute(AddConstraint(constraint))
