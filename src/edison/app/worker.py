"""What a process that runs jobs needs besides the database: heartbeat, model calls, tracing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from edison.app.call_metrics import CallMetrics
from edison.app.evaluation_events import sending_evaluations
from edison.app.run_tasks import TaskTools
from edison.app.tracing import Tracing, start_tracing
from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.lifecycle import process_lifecycle
from edison.kit.memory import leave_existing_objects_alone
from edison.library.calls.gateway import Gateway
from edison.settings import Settings
from edison.workspace.credentials.vault import Vault, open_vault


@asynccontextmanager
async def worker_tools(
    settings: Settings,
    database: Database,
    *,
    is_stopping: asyncio.Event,
    watches_schema: bool = True,
) -> AsyncIterator[TaskTools]:
    tracing = start_tracing(settings)
    tracing.watch_database(database.engine)
    async with process_lifecycle(
        database,
        kind="worker",
        silence_seconds=settings.worker_silence_seconds,
        watches_schema=watches_schema,
    ) as batch_writer:
        # Receives pause and cancel requests of runs without polling.
        database.listen()
        async with open_tools(
            settings,
            database,
            batch_writer,
            vault=open_vault(settings),
            tracing=tracing,
            is_stopping=is_stopping,
        ) as tools:
            yield tools
    await tracing.close()


@asynccontextmanager
async def open_tools(
    settings: Settings,
    database: Database,
    batch_writer: BatchWriter,
    *,
    vault: Vault,
    tracing: Tracing,
    is_stopping: asyncio.Event,
) -> AsyncIterator[TaskTools]:
    """Calls models, and sends what jobs evaluate to the collector of traces."""
    leave_existing_objects_alone()
    calls = CallMetrics(tracing.provider)
    gateway = Gateway(
        database, batch_writer=batch_writer, vault=vault, observer=calls, settings=settings
    )
    tools = TaskTools(
        database=database,
        gateway=gateway,
        batch_writer=batch_writer,
        vault=vault,
        settings=settings,
        is_stopping=is_stopping,
    )
    try:
        async with sending_evaluations(
            tracing, tools, calls, is_explained=settings.otel_explanations
        ):
            yield tools
    finally:
        await gateway.close()
