"""`edison view`: opens an evaluation in the browser."""

import asyncio
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from edison.cli import serve
from edison.cli.context import Context, context_of, fail
from edison.cli.server_lock import find_server

if TYPE_CHECKING:
    from edison.settings import Settings


def show(
    typer_context: typer.Context,
    evaluation: Annotated[
        str | None, typer.Argument(help="Evaluation or run. Default: the latest evaluation.")
    ] = None,
    open_browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open it in a browser.")
    ] = None,
) -> None:
    """Open an evaluation in the browser. Starts the server unless it is running."""
    context = context_of(typer_context)
    settings = context.settings()
    context.usable_data_dir(settings)
    path = asyncio.run(_find_page(settings, evaluation))
    if path is None:
        fail("There is no such evaluation. Make one with `edison eval`.")
    running = find_server(settings)
    if running is None:
        serve.start_server(context, settings, open_browser=open_browser, page=path)
        return
    _open(context, running + path, open_browser=open_browser)


def _open(context: Context, url: str, *, open_browser: bool | None) -> None:
    context.report(f"The evaluation is at {url}", url=url)
    if open_browser if open_browser is not None else serve.has_screen():
        webbrowser.open(url)


async def _find_page(settings: "Settings", evaluation: str | None) -> str | None:
    """The path of the page of the evaluation's first run."""
    from edison.cli.offline import offline_database
    from edison.evals.evaluations import read_id
    from edison.evals.repository import Evaluations

    path = settings.sqlite_path
    if path is not None and not path.exists():
        return None
    async with offline_database(settings) as database, database.read() as session:
        stored = Evaluations(session)
        if evaluation is None:
            found = await stored.find_latest()
        else:
            found = await stored.find(read_id(evaluation))
        if found is None:
            return None
        runs = await stored.list_runs(found.id)
        slug = await stored.find_slug(found.project_id)
    return f"/p/{slug}/runs/{runs[0].id}" if runs else None
