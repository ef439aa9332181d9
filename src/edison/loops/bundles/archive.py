"""The zip file of a bundle: written part by part, and read with bounds.

Nothing in an uploaded file is trusted: names, sizes and hashes are checked before a part is used,
and no part is ever written to the file system.
"""

import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from types import TracebackType
from typing import IO, Any, Self

import orjson

from edison import __version__
from edison.loops.bundles.errors import BundleRefused
from edison.loops.bundles.manifest import (
    FORMAT,
    LARGEST_MANIFEST,
    MANIFEST,
    VERSION,
    BundleFile,
    BundleKind,
    BundleManifest,
    read_manifest,
)
from edison.loops.bundles.yaml_text import read_yaml, write_yaml

MOST_FILES = 50_000
MOST_UNPACKED_BYTES = 1_000_000_000
LONGEST_LINE = 64_000_000
LONGEST_PATH = 300
FILE = "file"
_BLOCK = 1 << 20
# Zip has no dates before; a fixed one makes equal contents equal files.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_PATH = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, OSError)


def folder_name(number: int, name: str) -> str:
    """A unique, safe folder for a named thing: `02-Support-reply`."""
    plain = _UNSAFE.sub("-", name).strip("-")[:60]
    return f"{number:02}-{plain}" if plain else f"{number:02}"


class PartWriter:
    """One part while it is written."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, content: bytes) -> None:
        self._target.write(content)
        self._hash.update(content)
        self.size += len(content)

    def write_records(self, records: Any) -> None:
        self.write(
            b"".join(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in records)
        )

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class BundleWriter:
    def __init__(self, target: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED)
        self._files: list[BundleFile] = []

    @contextmanager
    def open(self, path: str) -> Iterator[PartWriter]:
        with self._archive.open(_entry(path), "w", force_zip64=True) as target:
            part = PartWriter(target)
            yield part
        self._files.append(BundleFile(path=path, size_bytes=part.size, sha256=part.sha256))

    def add(self, path: str, content: bytes) -> None:
        with self.open(path) as part:
            part.write(content)

    def add_yaml(self, path: str, value: Any) -> None:
        self.add(path, write_yaml(value))

    def add_json(self, path: str, value: Any) -> None:
        self.add(path, orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))

    def close(self, *, kind: BundleKind, name: str, at: datetime) -> None:
        """Write the manifest and end the file."""
        manifest = BundleManifest(
            format=FORMAT,
            version=VERSION,
            kind=kind,
            name=name,
            created_at=at,
            edison=__version__,
            files=self._files,
        )
        self._archive.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=2) + "\n")
        self._archive.close()


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


class BundleReader:
    """A bundle whose directory, manifest and hashes are correct."""

    def __init__(self, source: IO[bytes]) -> None:
        """Raises BundleRefused. Reads every part once, to check its hash."""
        try:
            self._archive = zipfile.ZipFile(source)
        except (*_BROKEN, ValueError) as wrong:
            raise BundleRefused(
                FILE, "This is not a complete zip file.", code="not_a_zip"
            ) from wrong
        self._entries = _entries_of(self._archive)
        self.manifest = self._read_manifest()
        self._check_parts()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._archive.close()

    @property
    def paths(self) -> list[str]:
        """In the order of the manifest, which is that of the export."""
        return [file.path for file in self.manifest.files]

    def matching(self, pattern: str) -> list[str]:
        return [path for path in self.paths if re.fullmatch(pattern, path)]

    def read(self, path: str) -> bytes:
        return b"".join(self._blocks(path))

    def yaml(self, path: str) -> dict[str, Any]:
        """A mapping. Raises BundleRefused."""
        value = read_yaml(self.read(path), part=path)
        if not isinstance(value, dict):
            raise BundleRefused(path, "This part must be a mapping.")
        return value

    def yaml_list(self, path: str) -> list[dict[str, Any]]:
        """A list of mappings; empty without the part. Raises BundleRefused."""
        if path not in self._entries:
            return []
        value = read_yaml(self.read(path), part=path)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise BundleRefused(path, "This part must be a list of mappings.")
        return value

    def json(self, path: str) -> dict[str, Any]:
        return _parse(self.read(path), path)

    def records(self, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Objects of a JSON lines part, each with its place; none without the part. Memory use does
        not grow with the part. Raises BundleRefused.
        """
        if path not in self._entries:
            return
        number = 0
        rest = b""
        for block in self._blocks(path):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                number += 1
                if line.strip():
                    yield f"{path}:{number}", _parse(line, f"{path}:{number}")
            if len(rest) > LONGEST_LINE:
                raise BundleRefused(f"{path}:{number + 1}", "This line is too long.")
        if rest.strip():
            yield f"{path}:{number + 1}", _parse(rest, f"{path}:{number + 1}")

    def _blocks(self, path: str) -> Iterator[bytes]:
        entry = self._entries.get(path)
        if entry is None:
            raise BundleRefused(path, "This part is missing.", code="missing_part")
        try:
            with self._archive.open(entry) as source:
                while block := source.read(_BLOCK):
                    yield block
        except _BROKEN as wrong:
            raise BundleRefused(
                path, "This part of the file is damaged.", code="damaged"
            ) from wrong

    def _read_manifest(self) -> BundleManifest:
        entry = self._entries.get(MANIFEST)
        if entry is None:
            raise BundleRefused(
                MANIFEST, "The file has no manifest, so it is no bundle.", code="missing_part"
            )
        if entry.file_size > LARGEST_MANIFEST:
            raise BundleRefused(MANIFEST, "The manifest is too large.", code="too_large")
        return read_manifest(self.read(MANIFEST))

    def _check_parts(self) -> None:
        listed = {file.path for file in self.manifest.files}
        if len(listed) != len(self.manifest.files):
            raise BundleRefused(MANIFEST, "The manifest lists a part twice.", code="duplicate")
        for path in self._entries.keys() - listed - {MANIFEST}:
            raise BundleRefused(path, "The manifest does not list this part.", code="unlisted_part")
        for file in self.manifest.files:
            found = hashlib.sha256()
            for block in self._blocks(file.path):
                found.update(block)
            if found.hexdigest() != file.sha256:
                raise BundleRefused(
                    file.path,
                    "This part was changed or damaged: its hash differs from the manifest.",
                    code="wrong_hash",
                )


def _entries_of(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise BundleRefused(FILE, f"A bundle may have {MOST_FILES:,} files.", code="too_many")
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED_BYTES:
        raise BundleRefused(
            FILE, f"A bundle may unpack to {MOST_UNPACKED_BYTES:,} bytes.", code="too_large"
        )
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.filename
        if len(name) > LONGEST_PATH or not _PATH.fullmatch(name):
            shown = ascii(name[:LONGEST_PATH])[1:-1]
            raise BundleRefused(shown, "This path is not allowed.", code="bad_path")
        if name in found:
            raise BundleRefused(name, "The file has this part twice.", code="duplicate")
        if entry.flag_bits & _ENCRYPTED:
            raise BundleRefused(name, "This part is encrypted.", code="encrypted")
        found[name] = entry
    return found


def _parse(content: bytes, place: str) -> dict[str, Any]:
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as wrong:
        raise BundleRefused(place, "This is not valid JSON.") from wrong
    if not isinstance(value, dict):
        raise BundleRefused(place, "This must be a JSON object.")
    return value
