"""Imports of files: recognised, previewed, stored as a whole or not at all."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

import orjson

from edison.db.session import Database
from edison.exchange.archive import is_bundle, is_zip, unpack
from edison.exchange.configurations import read_configuration
from edison.exchange.drafts import Draft
from edison.exchange.errors import ImportRefused
from edison.exchange.formats import CONFIGURATIONS, FormatName
from edison.exchange.recognise import Recognised, recognise, recognise_folder
from edison.exchange.records import read_records
from edison.exchange.schemas import (
    ExportKind,
    FileImportRead,
    ImportedPart,
    ImportFile,
    ImportOptions,
    NotImportedRead,
)
from edison.exchange.store import Storing
from edison.kit.errors import FieldProblem, Invalid
from edison.loops.bundles import service as bundles
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.schemas import ImportedNames
from edison.loops.bundles.selection import Wanted
from edison.settings import Settings
from edison.workspace.audit import service as audit

_MILLION = 1_000_000


async def import_file(
    database: Database, *, file: ImportFile, options: ImportOptions, settings: Settings
) -> FileImportRead:
    """Adds everything in the file to the project, or nothing; a preview does the same and undoes
    it. Raises Invalid with the field, and NamesTaken.
    """
    if options.format == "bundle" or (
        options.format is None and await asyncio.to_thread(is_bundle, file.path)
    ):
        return await _import_bundle(database, file, options)
    _check_size(file, settings)
    found, draft = await asyncio.to_thread(_read, file, options.format, settings)
    async with database.rehearse() if options.is_preview else database.write() as session:
        storing = Storing(
            session=session,
            project_id=options.project_id,
            author_id=options.author_id,
            existing=options.existing,
            grader_id=options.grader_id,
        )
        await storing.store(draft)
        audit.record(
            session,
            "file.imported",
            entity=("project", options.project_id),
            project_id=options.project_id,
            after={"format": found, "name": draft.name, "parts": _names(storing.parts, new=True)},
        )
    return FileImportRead(
        format=found,
        name=draft.name,
        parts=storing.parts,
        created=_listed(_names(storing.parts, new=True)),
        skipped=_listed(_names(storing.parts, new=False)),
        copies=storing.copies,
        needs_credential=storing.needs_credential,
        needs_grader=storing.needs_grader,
        grader=storing.grader,
        left_out=[
            NotImportedRead.model_validate(each) for each in draft.left_out + storing.left_out
        ],
    )


def _check_size(file: ImportFile, settings: Settings) -> None:
    size, most = file.path.stat().st_size, settings.import_max_bytes
    if size > most:
        raise ImportRefused(
            f"The file has {size / _MILLION:.1f} MB; at most {most / _MILLION:.1f} MB are possible "
            "(EDISON_IMPORT_MAX_BYTES).",
            code="too_large",
        )


def _read(
    file: ImportFile, chosen: FormatName | None, settings: Settings
) -> tuple[FormatName, Draft]:
    if not is_zip(file.path):
        return _draft_of(recognise(file.path, file.name, chosen), file, file.path.parent, settings)
    with tempfile.TemporaryDirectory(prefix="edison-import-") as place:
        folder = Path(place)
        unpack(file.path, folder, most_bytes=settings.bundle_max_bytes)
        return _draft_of(recognise_folder(folder), file, folder, settings)


def _draft_of(
    found: Recognised, file: ImportFile, folder: Path, settings: Settings
) -> tuple[FormatName, Draft]:
    name = Path(file.name).stem
    if found.format not in CONFIGURATIONS:
        return found.format, read_records(found, name=name, most_cases=settings.import_max_rows)
    with tempfile.TemporaryDirectory(prefix="edison-import-") as place:
        path = found.path
        if found.format == "openai_evals":
            # Its reader takes JSON lines, as the platform's API gives them.
            folder, path = Path(place), Path(place) / f"{name}.jsonl"
            path.write_bytes(b"\n".join(orjson.dumps(each) for each in found.records))
        elif path.suffix not in {".yaml", ".yml", ".json"}:
            folder, path = Path(place), Path(place) / f"{name}.yaml"
            shutil.copyfile(found.path, path)
        draft = read_configuration(
            path,
            folder=folder,
            name=name,
            is_confined=file.is_confined or is_zip(file.path),
            most_cases=settings.import_max_rows,
        )
    return found.format, draft


async def _import_bundle(
    database: Database, file: ImportFile, options: ImportOptions
) -> FileImportRead:
    with file.path.open("rb") as source:
        made = await bundles.import_bundle(
            database,
            project_id=options.project_id,
            author_id=options.author_id,
            source=source,
            existing=options.existing,
            is_preview=options.is_preview,
        )
    parts = [
        ImportedPart(source="bundle", kind=each.kind, name=name, is_existing=is_existing)
        for is_existing, group in ((False, made.created), (True, made.skipped))
        for each in group
        for name in each.names
    ]
    return FileImportRead(format="bundle", parts=parts, left_out=[], **made.model_dump())


def _names(parts: Sequence[ImportedPart], *, new: bool) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in parts:
        if each.is_existing is not new:
            found.setdefault(each.kind, []).append(each.name)
    return found


def _listed(names: Mapping[str, list[str]]) -> list[ImportedNames]:
    return [ImportedNames(kind=kind, names=found) for kind, found in names.items()]


def check_export(kind: ExportKind, entity_id: UUID | None) -> Wanted:
    """Raises Invalid when the id is missing, or is not needed."""
    if (entity_id is None) != (kind == "project"):
        message = "Give the id of what to export; the project itself needs none."
        raise Invalid(FieldProblem(field="id", message=message, code="id_needed"))
    return Wanted(kind=BundleKind(kind), id=entity_id)
