"""Export and import of bundles."""

import asyncio
import tempfile
from collections.abc import Iterable, Mapping
from typing import IO
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock
from edison.loops.bundles.archive import BundleReader, BundleWriter
from edison.loops.bundles.errors import NamesTaken, refusal
from edison.loops.bundles.manifest import BundleKind
from edison.loops.bundles.parts.context import Export, Import
from edison.loops.bundles.parts.datasets import read_datasets, write_datasets
from edison.loops.bundles.parts.experiments import read_experiments, write_experiments
from edison.loops.bundles.parts.models import read_models, write_models
from edison.loops.bundles.parts.monitors import read_monitors, write_monitors
from edison.loops.bundles.parts.prompts import read_prompts, write_prompts
from edison.loops.bundles.parts.runs import read_runs, write_runs
from edison.loops.bundles.parts.scorers import RUBRICS, SCORERS, read_saved, write_saved
from edison.loops.bundles.repository import Rows
from edison.loops.bundles.schemas import BundleImportRead, ImportedNames, OnExisting
from edison.loops.bundles.selection import BundleSelection, Selecting, Wanted
from edison.loops.experiments import service as experiments
from edison.loops.experiments.reports import export as reports
from edison.loops.monitors import service as monitors
from edison.runs.read import service as runs
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events

# Larger files are on disk, not in memory.
IN_MEMORY_BYTES = 8_000_000
# What open pages show and an import may change.
_CHANGED = ("prompt", "dataset", "model", "scorer", "rubric", "experiment", "monitor")


async def find_id(
    session: AsyncSession, *, project_id: UUID, kind: BundleKind, name: str | None
) -> UUID | None:
    """The id of a prompt, dataset, experiment or monitor by its name or id; None for the project.
    Raises NotFound.
    """
    if name is None or kind is BundleKind.PROJECT:
        return None
    return await Selecting(Rows(session), project_id).find_id(kind, name)


async def select(session: AsyncSession, *, project_id: UUID, wanted: Wanted) -> BundleSelection:
    """What belongs to an export. Raises NotFound."""
    return await Selecting(Rows(session), project_id).select(wanted)


async def export_bundle(
    database: Database, *, project_id: UUID, wanted: Wanted
) -> tuple[IO[bytes], str]:
    """A file that the caller closes, and the name of what it holds. Raises NotFound.

    The export is recorded in the audit log.
    """
    async with database.read() as session:
        selected = await select(session, project_id=project_id, wanted=wanted)
    written = {
        each: await reports.write_files(database, project_id=project_id, experiment_id=each)
        for each in selected.experiments
    }
    target = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115 - the caller closes it
    try:
        writer = BundleWriter(target)
        async with database.read() as session:
            selected = await select(session, project_id=project_id, wanted=wanted)
            await _write(
                Export(session=session, project_id=project_id, writer=writer), selected, written
            )
        writer.close(kind=wanted.kind, name=selected.name, at=clock.now())
        async with database.write() as session:
            audit.record(
                session,
                f"{wanted.kind}.bundled",
                entity=(wanted.kind, wanted.id or project_id),
                project_id=project_id,
                after={"name": selected.name, "runs": len(selected.runs)},
            )
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return target, selected.name


async def _write(
    export: Export, selected: BundleSelection, written: Mapping[UUID, Mapping[str, bytes]]
) -> None:
    await write_models(export, selected.models)
    await write_saved(export, RUBRICS, selected.rubrics)
    await write_saved(export, SCORERS, selected.scorers)
    await write_prompts(export, selected.prompts)
    await write_datasets(export, selected.datasets)
    await write_runs(export, selected.runs)
    await write_experiments(export, selected.experiments, written)
    await write_monitors(export, selected.monitors, with_checks=selected.with_checks)


async def import_bundle(
    database: Database,
    *,
    project_id: UUID,
    author_id: UUID | None,
    source: IO[bytes],
    existing: OnExisting = "refuse",
    is_preview: bool = False,
) -> BundleImportRead:
    """Add everything in the bundle to the project, or nothing; a preview does the same and undoes
    it. Raises BundleRefused, which names the part, and NamesTaken.
    """
    with await asyncio.to_thread(BundleReader, source) as bundle:
        async with database.rehearse() if is_preview else database.write() as session:
            into = Import(
                session=session,
                project_id=project_id,
                author_id=author_id,
                bundle=bundle,
                existing=existing,
            )
            await _read(into)
            await _check_readable(into)
            await _note(session, into)
        return BundleImportRead(
            kind=bundle.manifest.kind,
            name=bundle.manifest.name,
            created=_named(into.created),
            skipped=_named(into.skipped),
            runs=len(into.run_ids),
            needs_credential=into.needs_credential,
        )


async def _read(into: Import) -> None:
    """What is referred to comes before what refers to it."""
    await read_models(into)
    await read_saved(into, RUBRICS)
    await read_saved(into, SCORERS)
    await read_prompts(into)
    await read_datasets(into)
    if into.taken:
        raise NamesTaken(into.taken)
    await read_runs(into)
    await read_experiments(into)
    await read_monitors(into)
    if into.taken:
        raise NamesTaken(into.taken)


async def _check_readable(into: Import) -> None:
    """Read what pages will show, before it is committed. Raises BundleRefused."""
    project_id = into.project_id
    try:
        for run_id in into.run_ids:
            await runs.get_run(into.session, project_id=project_id, run_id=run_id)
        for experiment_id in into.experiment_ids:
            await experiments.get_experiment(
                into.session, project_id=project_id, experiment_id=experiment_id
            )
        for monitor_id in into.monitor_ids:
            await monitors.get_monitor(into.session, project_id=project_id, monitor_id=monitor_id)
    except ValidationError as wrong:
        raise refusal(wrong, "file") from wrong


async def _note(session: AsyncSession, into: Import) -> None:
    manifest = into.bundle.manifest
    audit.record(
        session,
        "bundle.imported",
        entity=("project", into.project_id),
        project_id=into.project_id,
        after={
            "kind": manifest.kind,
            "name": manifest.name,
            "created": into.created,
            "skipped": into.skipped,
            "runs": len(into.run_ids),
        },
    )
    for kind in _CHANGED:
        await events.publish(
            session,
            stream=events.project_stream(into.project_id),
            kind=f"{kind}.changed",
            data={"entity_id": str(into.project_id)},
        )


def _named(names: Mapping[str, Iterable[str]]) -> list[ImportedNames]:
    return [ImportedNames(kind=kind, names=list(found)) for kind, found in names.items()]
