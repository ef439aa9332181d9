"""`edison export` and `edison import`: prompt systems, datasets, experiments, monitors and projects
as one file.
"""

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from edison.cli.context import context_of, fail

if TYPE_CHECKING:
    from edison.loops.bundles.schemas import BundleImportRead
    from edison.settings import Settings

Kind = Literal["prompt", "dataset", "experiment", "monitor", "project"]
Existing = Literal["refuse", "skip", "rename"]
Project = Annotated[
    str | None, typer.Option(help="Project slug. Optional if there is only one project.")
]


def save(
    typer_context: typer.Context,
    kind: Annotated[Kind, typer.Argument(help="What to export.")],
    name: Annotated[
        str | None, typer.Argument(help="Name or ID of the prompt, dataset, experiment or monitor.")
    ] = None,
    project: Project = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Output file.")] = None,
    runs: Annotated[bool, typer.Option(help="Add finished runs with their results.")] = False,
) -> None:
    """Export to one file. Credentials are never exported."""
    context = context_of(typer_context)
    if (name is None) != (kind == "project"):
        fail("Give the name of what to export; a project needs none.")
    target = output or Path(f"{kind}.bundle.zip")
    asyncio.run(_save(context.settings(), project, (kind, name), target, with_runs=runs))
    context.report(f"Exported to {target}.", exported=target)


async def _save(
    settings: "Settings",
    slug: str | None,
    what: tuple[Kind, str | None],
    target: Path,
    *,
    with_runs: bool,
) -> None:
    from edison.cli.offline import offline_database
    from edison.loops.bundles import service
    from edison.loops.bundles.manifest import BundleKind
    from edison.loops.bundles.selection import Wanted
    from edison.workspace.projects import service as projects

    kind = BundleKind(what[0])
    async with offline_database(settings) as database:
        async with database.read() as session:
            project = await projects.get_project(session, slug=slug)
            entity_id = await service.find_id(
                session, project_id=project.id, kind=kind, name=what[1]
            )
        wanted = Wanted(kind=kind, id=entity_id, with_runs=with_runs)
        content, _ = await service.export_bundle(database, project_id=project.id, wanted=wanted)
    with content, target.open("wb") as file:
        shutil.copyfileobj(content, file)


def load(
    typer_context: typer.Context,
    source: Annotated[Path, typer.Argument(help="File from `edison export`.")],
    project: Project = None,
    existing: Annotated[
        Existing, typer.Option(help="What to do with names that the project already has.")
    ] = "refuse",
) -> None:
    """Import a file into a project: everything in it, or nothing."""
    context = context_of(typer_context)
    if not source.is_file():
        fail(f"File not found: {source}.")
    made = asyncio.run(_load(context.settings(), project, source, existing))
    context.report(_told(made), **made.model_dump(mode="json"))


async def _load(
    settings: "Settings", slug: str | None, source: Path, existing: Existing
) -> "BundleImportRead":
    from edison.cli.offline import offline_database
    from edison.loops.bundles import service
    from edison.workspace.projects import service as projects

    async with offline_database(settings) as database:
        async with database.read() as session:
            project = await projects.get_project(session, slug=slug)
        with source.open("rb") as file:
            return await service.import_bundle(
                database, project_id=project.id, author_id=None, source=file, existing=existing
            )


def _told(made: "BundleImportRead") -> str:
    lines = [
        f"{verb} {each.kind}: {', '.join(each.names)}."
        for verb, group in (("Imported", made.created), ("Kept existing", made.skipped))
        for each in group
    ]
    if made.runs:
        lines.append(f"Imported runs: {made.runs}.")
    if made.needs_credential:
        lines.append(f"Models that need a credential: {', '.join(made.needs_credential)}.")
    return "\n".join(lines) or "The file is empty."
