"""`edison worker`: runs the jobs of an installation on PostgreSQL."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import typer

from edison.cli.context import context_of, fail
from edison.kit.event_loop import run

if TYPE_CHECKING:
    from edison.settings import Settings


def start(typer_context: typer.Context) -> None:
    """Run jobs until stopped. Start any number of workers, on any machines."""
    context = context_of(typer_context)
    settings = context.settings()
    if settings.is_embedded:
        fail(
            "Workers require PostgreSQL: set EDISON_DATABASE_URL. "
            "With SQLite, the server runs the jobs."
        )
    context.usable_data_dir(settings)
    announce = partial(
        context.report, "The worker is running. Press Ctrl+C to stop.", state="running"
    )
    run(_work(settings, announce))


async def _work(settings: "Settings", announce: Callable[[], None]) -> None:
    from edison.kit.startup import loading_modules

    with loading_modules():
        from edison.app.hooks import install_hooks
        from edison.app.logs import configure_logs
        from edison.app.sealed_secrets import require_keys
        from edison.app.work import run_worker
        from edison.app.worker import worker_tools
        from edison.cli.offline import offline_database

    configure_logs(settings)
    install_hooks()
    is_stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, is_stopping.set)
    async with offline_database(settings, pooled=True) as database:
        async with database.read() as session:
            await require_keys(session, settings)
        announce()
        async with worker_tools(settings, database, is_stopping=is_stopping) as tools:
            await run_worker(tools, sweep_seconds=settings.sweep_seconds)
