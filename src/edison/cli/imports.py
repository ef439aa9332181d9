"""`edison import`: bundles, configurations and datasets of other tools, into a project."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from edison.cli.context import context_of, fail

if TYPE_CHECKING:
    from edison.exchange.schemas import FileImportRead, ImportOptions
    from edison.settings import Settings

Existing = Literal["refuse", "skip", "rename"]
Format = Literal[
    "bundle", "promptfoo", "openai_registry", "openai_evals", "openai_samples", "langfuse",
    "phoenix", "langsmith", "braintrust", "mlflow", "inspect", "deepeval",
]  # fmt: skip


def load(
    typer_context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            help="File from `edison export`, a promptfoo or Edison configuration, OpenAI evals, or "
            "a dataset of another tool."
        ),
    ],
    project: Annotated[
        str | None, typer.Option(help="Project slug. Optional if there is only one project.")
    ] = None,
    existing: Annotated[
        Existing, typer.Option(help="What to do with names that the project already has.")
    ] = "refuse",
    wanted_format: Annotated[
        Format | None, typer.Option("--format", help="Recognised from the content if left out.")
    ] = None,
    grader: Annotated[
        str | None,
        typer.Option(help="Model of the project that grades assertions which name none."),
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Show what would be imported.")] = False,
) -> None:
    """Import a file into a project: everything in it, or nothing."""
    from edison.exchange.schemas import ImportOptions
    from edison.kit.ids import new_id

    context = context_of(typer_context)
    if not source.is_file():
        fail(f"File not found: {source}.")
    options = ImportOptions(
        project_id=new_id(), format=wanted_format, existing=existing, is_preview=dry_run
    )
    made = asyncio.run(_load(context.settings(), project, source.resolve(), options, grader))
    context.report("\n".join(_told(made, dry_run=dry_run)), **made.model_dump(mode="json"))


async def _load(
    settings: "Settings",
    slug: str | None,
    source: Path,
    options: "ImportOptions",
    grader: str | None,
) -> "FileImportRead":
    from dataclasses import replace

    from edison.cli.offline import offline_database
    from edison.exchange.schemas import ImportFile
    from edison.exchange.service import import_file
    from edison.library.models import service as models
    from edison.workspace.projects import service as projects

    file = ImportFile(path=source, name=source.name, is_confined=False)
    async with offline_database(settings) as database:
        async with database.read() as session:
            project = await projects.get_project(session, slug=slug)
            options = replace(options, project_id=project.id)
            if grader is not None:
                found = await models.find_by_name(session, project_id=project.id, name=grader)
                if found is None:
                    fail(f"The project has no model “{grader}”. `edison models` lists them.")
                options = replace(options, grader_id=found.id)
        return await import_file(database, file=file, options=options, settings=settings)


def _told(made: "FileImportRead", *, dry_run: bool) -> Iterator[str]:
    verb = "Would import" if dry_run else "Imported"
    yield from (f"{verb} {each.kind}: {', '.join(each.names)}." for each in made.created)
    yield from (f"Kept existing {each.kind}: {', '.join(each.names)}." for each in made.skipped)
    for part in made.parts:
        if part.count is not None:
            noun = "cases" if part.kind == "dataset" else "assertions"
            yield f"{part.name}: {part.count:,} {noun}."
    facts = {
        "Cases that are in the file more than once": made.copies,
        "Runs": made.runs,
        "Grader of assertions that name none": made.grader if made.needs_grader else None,
        "Models that need a credential": ", ".join(made.needs_credential),
    }
    yield from (f"{name}: {value}." for name, value in facts.items() if value)
    for left in made.left_out:
        where = "" if left.place is None else f" ({left.place})"
        times = "" if left.count == 1 else f", {left.count:,} times"
        yield f"Not imported: {left.what}{where}{times}. {left.reason}"
    if not made.created and not made.skipped:
        yield "There is nothing to import in the file."
