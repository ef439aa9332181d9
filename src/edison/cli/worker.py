"""`edison worker`: runs the jobs of an installation on PostgreSQL."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import typer

from edison.cli.context import context_of, fail
from edison.cli.event_loop import leave_existing_objects_alone, run

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
    from edison.app.call_metrics import CallMetrics
    from edison.app.evaluation_events import sending_evaluations
    from edison.app.hooks import install_hooks
    from edison.app.logs import configure_logs
    from edison.app.run_tasks import TaskTools
    from edison.app.sealed_secrets import require_keys
    from edison.app.tracing import start_tracing
    from edison.app.work import run_worker
    from edison.cli.offline import offline_database
    from edison.jobs.lifecycle import process_lifecycle
    from edison.library.calls.gateway import Gateway
    from edison.workspace.credentials.vault import open_vault

    configure_logs(settings)
    install_hooks()
    tracing = start_tracing(settings)
    is_stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, is_stopping.set)
    async with offline_database(settings, pooled=True) as database:
        async with database.read() as session:
            await require_keys(session, settings)
        tracing.watch_database(database.engine)
        announce()
        async with process_lifecycle(
            database, kind="worker", silence_seconds=settings.worker_silence_seconds
        ) as batch_writer:
            vault = open_vault(settings)
            calls = CallMetrics(tracing.provider)
            gateway = Gateway(
                database,
                batch_writer=batch_writer,
                vault=vault,
                observer=calls,
                settings=settings,
            )
            tools = TaskTools(
                database=database,
                gateway=gateway,
                batch_writer=batch_writer,
                vault=vault,
                settings=settings,
                is_stopping=is_stopping,
            )
            # Receives pause and cancel requests of runs without polling.
            database.listen()
            leave_existing_objects_alone()
            async with sending_evaluations(
                tracing, tools, calls, is_explained=settings.otel_explanations
            ):
                await run_worker(tools, sweep_seconds=settings.sweep_seconds)
            await gateway.close()
    await tracing.close()
