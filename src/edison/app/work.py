"""Background work: runs in the server or its engine on SQLite, in workers on PostgreSQL. A process
that leaves it to others does not load the tasks.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from edison.app.engine.supervisor import StartedEngine, running_engine
from edison.app.run_tasks import TaskTools
from edison.jobs.distributed import DistributedQueue, Worker, install
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Queue, deliver
from edison.jobs.link import Link
from edison.jobs.linked import LinkedQueue
from edison.jobs.sweep import sweep_regularly
from edison.kit.lazy_dataclasses import dataclass

SWEEP_SECONDS = 5.0
# Limits how long a sweep can delay the shutdown when the database is locked.
LAST_SWEEP_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class BackgroundWork:
    """`engine` is the connection to the engine process, if the server has one."""

    queue: Queue
    engine: Link | None = None


@asynccontextmanager
async def running_jobs(
    tools: TaskTools,
    *,
    sweep_seconds: float = SWEEP_SECONDS,
    engine: StartedEngine | None = None,
) -> AsyncIterator[BackgroundWork]:
    """Background work of the server. Jobs run in this process or in its engine on SQLite, and in
    workers on PostgreSQL. `engine` is a process that is started already.
    """
    database, settings = tools.database, tools.settings
    if not database.is_sqlite:
        distributed = DistributedQueue(database)
        database.after_commit = partial(deliver, distributed)
        yield BackgroundWork(distributed)
    elif settings is not None and settings.has_engine_process:
        async with running_engine(settings, database, first=engine) as link:
            linked = LinkedQueue(link)
            database.after_commit = partial(deliver, linked)
            yield BackgroundWork(linked, engine=link)
    else:
        async with running_jobs_here(tools, sweep_seconds=sweep_seconds) as queue:
            yield BackgroundWork(queue)


@asynccontextmanager
async def running_jobs_here(tools: TaskTools, *, sweep_seconds: float) -> AsyncIterator[Queue]:
    """Runs all jobs of an installation on SQLite in this process."""
    from edison.app.tasks import all_tasks

    queue = EmbeddedQueue(tools.database, all_tasks(tools))
    tools.database.after_commit = partial(deliver, queue)
    async with _sweeping_jobs(tools, queue, sweep_seconds):
        try:
            yield queue
        finally:
            tools.is_stopping.set()
            await queue.close()


async def run_worker(tools: TaskTools, *, sweep_seconds: float = SWEEP_SECONDS) -> None:
    """Runs a worker on PostgreSQL until `tools.is_stopping` is set."""
    from edison.app.tasks import all_tasks

    queue = DistributedQueue(tools.database)
    tools.database.after_commit = partial(deliver, queue)
    await install(tools.database.engine)
    worker = Worker(tools.database, all_tasks(tools), is_stopping=tools.is_stopping)
    async with _sweeping_jobs(tools, queue, sweep_seconds):
        await worker.run()


@asynccontextmanager
async def _sweeping_jobs(
    tools: TaskTools, queue: Queue, every_seconds: float
) -> AsyncIterator[None]:
    from edison.app.tasks import all_sweepers

    is_stopping = asyncio.Event()
    sweeping = asyncio.create_task(
        sweep_regularly(
            tools.database,
            queue,
            all_sweepers(tools.settings),
            every_seconds=every_seconds,
            is_stopping=is_stopping,
        )
    )
    try:
        yield
    finally:
        is_stopping.set()
        await asyncio.wait([sweeping], timeout=LAST_SWEEP_SECONDS)
        sweeping.cancel()
        await asyncio.wait([sweeping])
