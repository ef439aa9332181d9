"""File format of backups: a zip with a manifest and one JSON Lines file per table."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ValidationError

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass

FORMAT = 1
MANIFEST = "manifest.json"
LARGEST_MANIFEST_BYTES = 4 * 1024 * 1024
LARGEST_ROW_BYTES = 256 * 1024 * 1024
# Rows hold random ids, so a genuine backup compresses to about a fiftieth at best.
LARGEST_RATIO = 250
ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024


class UnusableBackup(Invalid):
    """The file is not a backup, is damaged, or was written by a newer Edison."""

    def __init__(self, message: str, *, code: str = "unusable_backup") -> None:
        super().__init__(FieldProblem(field="source", message=message, code=code))


class TableEntry(BaseModel):
    name: str
    columns: list[str]
    rows: int


class Head(BaseModel):
    """The field shared by all backup formats."""

    format: int


class ArchiveManifest(Head):
    edison_version: str
    revision: str
    dialect: str
    created_at: datetime
    tables: list[TableEntry]


def entry_name(table: str) -> str:
    return f"tables/{table}.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A backup open for reading. Never unpacked to disk."""

    manifest: ArchiveManifest
    zip_file: zipfile.ZipFile

    def rows(self, table: TableEntry) -> Iterator[tuple[list[Any], int]]:
        """Yields each row's values in the order of the entry's columns, and its size in bytes."""
        with self.zip_file.open(entry_name(table.name)) as lines:
            while line := lines.readline(LARGEST_ROW_BYTES + 1):
                yield _read_row(line, table), len(line)


def _read_row(line: bytes, table: TableEntry) -> list[Any]:
    # A line without a newline was truncated at the size limit.
    with suppress(orjson.JSONDecodeError):
        values = orjson.loads(line) if line.endswith(b"\n") else None
        if isinstance(values, list) and len(values) == len(table.columns):
            return values
    raise UnusableBackup(f"A row of {table.name} in the backup is damaged.")


@contextmanager
def open_archive(source: Path) -> Iterator[Archive]:
    """Opens a backup and validates everything but its rows."""
    try:
        with zipfile.ZipFile(source) as opened:
            _check_sizes(opened, source.stat().st_size)
            manifest = _read_manifest(opened)
            expected = {MANIFEST, *(entry_name(table.name) for table in manifest.tables)}
            names = opened.namelist()
            if set(names) != expected or len(names) != len(expected):
                raise UnusableBackup("The backup's files do not match its table of contents.")
            yield Archive(manifest=manifest, zip_file=opened)
    except (zipfile.BadZipFile, zlib.error, EOFError, orjson.JSONDecodeError) as damage:
        raise UnusableBackup(f"{source.name} is damaged or no backup of Edison.") from damage


def _check_sizes(opened: zipfile.ZipFile, archive_bytes: int) -> None:
    """Rejects zip bombs. `zipfile` never yields more than the declared sizes."""
    unpacked = sum(entry.file_size for entry in opened.infolist())
    if unpacked > max(ALWAYS_ALLOWED_BYTES, LARGEST_RATIO * archive_bytes):
        raise UnusableBackup("The backup would unpack to far more than a true one can hold.")


def _read_manifest(opened: zipfile.ZipFile) -> ArchiveManifest:
    try:
        entry = opened.getinfo(MANIFEST)
    except KeyError as missing:
        raise UnusableBackup("This zip file is no backup of Edison.") from missing
    if entry.file_size > LARGEST_MANIFEST_BYTES:
        raise UnusableBackup("The backup's table of contents is too large to be true.")
    content = orjson.loads(opened.read(entry))
    try:
        if Head.model_validate(content).format > FORMAT:
            raise UnusableBackup(
                "The backup was written by a newer Edison. Install that version to restore it.",
                code="newer_backup",
            )
        return ArchiveManifest.model_validate(content)
    except ValidationError as wrong:
        raise UnusableBackup("The backup's table of contents is not complete.") from wrong
