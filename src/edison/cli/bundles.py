"""`edison export`: prompt systems, datasets, experiments, monitors and projects as one file."""

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from edison.cli.context import context_of, fail

if TYPE_CHECKING:
    from edison.settings import Settings

Kind = Literal["prompt", "dataset", "experiment", "monitor", "project"]
Format = Literal["bundle", "promptfoo", "edison", "jsonl", "md", "txt", "json"]
_NAMES = {
    "bundle": "{kind}.bundle.zip",
    "promptfoo": "promptfooconfig.yaml",
    "edison": "edison.yaml",
}
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
    file_format: Annotated[
        Format,
        typer.Option(
            "--format",
            help="bundle; promptfoo or edison for a configuration; jsonl for the cases of a "
            "dataset; md, txt or json for a prompt.",
        ),
    ] = "bundle",
) -> None:
    """Export to one file. Credentials are never exported."""
    context = context_of(typer_context)
    if (name is None) != (kind == "project"):
        fail("Give the name of what to export; a project needs none.")
    if file_format == "jsonl" and kind != "dataset":
        fail("Only datasets are exported as jsonl.")
    target = output or Path(_NAMES.get(file_format, f"{kind}.{file_format}").format(kind=kind))
    settings, what = context.settings(), (kind, name)
    if file_format == "bundle":
        asyncio.run(_save(settings, project, what, target, with_runs=runs))
    else:
        asyncio.run(_save_file(settings, project, what, target, file_format))
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


async def _save_file(
    settings: "Settings",
    slug: str | None,
    what: tuple[Kind, str | None],
    target: Path,
    file_format: Format,
) -> None:
    from edison.cli.offline import offline_database
    from edison.exchange.exports import export_file
    from edison.library.datasets.export import begin_export, stream_cases
    from edison.loops.bundles import service
    from edison.loops.bundles.manifest import BundleKind
    from edison.loops.bundles.selection import Wanted
    from edison.workspace.projects import service as projects

    if what[0] not in {"prompt", "dataset", "project"}:
        fail(f"A {what[0]} is exported as a bundle only.")
    kind = BundleKind(what[0])
    async with offline_database(settings) as database:
        async with database.read() as session:
            project = await projects.get_project(session, slug=slug)
            entity_id = await service.find_id(
                session, project_id=project.id, kind=kind, name=what[1]
            )
        if file_format != "jsonl" and file_format != "bundle":  # noqa: PLR1714 - narrows
            content, _ = await export_file(
                database,
                project_id=project.id,
                wanted=Wanted(kind=kind, id=entity_id),
                file_format=file_format,
            )
            await asyncio.to_thread(target.write_bytes, content)
        elif entity_id is not None:
            await begin_export(
                database, project_id=project.id, dataset_id=entity_id, file_format="jsonl"
            )
            with target.open("wb") as file:
                async for block in stream_cases(
                    database, dataset_id=entity_id, file_format="jsonl"
                ):
                    file.write(block)
