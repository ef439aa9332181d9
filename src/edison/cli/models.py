"""`edison models`: a project's models and their prices."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from edison.cli.context import context_of, out

if TYPE_CHECKING:
    from edison.library.models.schemas import ModelRead
    from edison.settings import Settings

LONGEST_LIST = 10_000

Project = Annotated[
    str | None, typer.Option(help="Project slug. Optional if there is only one project.")
]


def show(typer_context: typer.Context, project: Project = None) -> None:
    """List a project's models with their prices per million tokens."""
    context = context_of(typer_context)
    models = asyncio.run(_list(context.settings(), project))
    if context.as_json:
        context.report("", models=[model.model_dump(mode="json") for model in models])
    elif not models:
        out.print("No models in this project yet. Add some under Models in the browser.")
    else:
        _print_table(models)


async def _list(settings: "Settings", slug: str | None) -> "list[ModelRead]":
    from edison.api.pagination import PageRequest
    from edison.cli.offline import offline_database
    from edison.library.models import service
    from edison.library.models.schemas import ModelFilter
    from edison.workspace.projects import service as projects

    async with offline_database(settings) as database, database.read() as session:
        project = await projects.get_project(session, slug=slug)
        everything = PageRequest(limit=LONGEST_LIST)
        found = await service.list_models(
            session, project_id=project.id, page=everything, wanted=ModelFilter()
        )
    return list(found.items)


def _print_table(models: "list[ModelRead]") -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Model")
    table.add_column("Provider")
    table.add_column("Provider model ID")
    table.add_column("In $/1M", justify="right")
    table.add_column("Out $/1M", justify="right")
    table.add_column("Context", justify="right")
    for model in models:
        table.add_row(
            model.display_name + (" (default)" if model.is_default else ""),
            model.provider_title,
            model.provider_model,
            _price(model.prices.input_usd_per_million),
            _price(model.prices.output_usd_per_million),
            "unknown" if model.context_window is None else f"{model.context_window:,}",
            style=None if model.is_enabled else "dim",
        )
    out.print(table)


def _price(amount: object) -> str:
    return "unknown" if amount is None else f"{amount:f}"
