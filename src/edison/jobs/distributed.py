"""Job queue on PostgreSQL: any process enqueues, any number of workers on any machine run jobs.

PgQueuer stores jobs in a separate schema, wakes workers by NOTIFY, and reassigns the jobs of a
worker whose heartbeat stopped. It is imported on use, since SQLite installations do not need it.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

import orjson
import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.db.outages import connection_losses
from edison.db.session import Database
from edison.jobs import dead
from edison.jobs.job import JOBS_AT_ONCE, STOP_SECONDS, Depth, Job, Overview, Priority, Task
from edison.jobs.models import ProcessKind
from edison.jobs.retry import MOST_ATTEMPTS, attempt, delay_before

if TYPE_CHECKING:
    from pgqueuer.models import Job as PickedJob
    from pgqueuer.queries import Queries

log = structlog.get_logger(__name__)

SCHEMA = "edison_jobs"
# The jobs of a killed worker are reassigned after at most this time plus one poll.
HEARTBEAT_TIMEOUT = timedelta(seconds=12)
POLL_EVERY = timedelta(seconds=5)
FIRST_RESTART_SECONDS = 0.5
LONGEST_RESTART_SECONDS = 15.0

_IS_INSTALLED = text(f"SELECT to_regclass('{SCHEMA}.pgqueuer') IS NOT NULL")
_DEPTHS = text(
    f"SELECT entrypoint, priority, status = 'picked' AS is_running, count(*) AS jobs,"  # noqa: S608 - the name is ours
    f" extract(epoch FROM now() - min(execute_after)) AS waited FROM {SCHEMA}.pgqueuer"
    " WHERE status IN ('queued', 'picked') GROUP BY 1, 2, 3"
)


async def install(engine: AsyncEngine) -> None:
    """Creates or upgrades the queue's tables. Idempotent; holds the schema lock."""
    async with _queries(engine) as queries, queries.schema_lock():
        if not await queries.schema_is_installed():
            await queries.install()
            return
        for statement in (await queries.plan_upgrade()).statements:
            await queries.driver.execute(statement)


class DistributedQueue:
    """Enqueues jobs. Drops them while the database is unreachable; the sweep re-queues them."""

    worked_by: ClassVar[ProcessKind] = "worker"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, jobs: Sequence[Job]) -> None:
        try:
            async with self._database.read() as session:
                living = await dead.without_dead(session, jobs)
            if living:
                await self._enqueue(living)
        except connection_losses() as lost:
            log.warning("jobs not queued", reason=type(lost).__name__, count=len(jobs))

    async def overview(self) -> Overview:
        async with self._database.read() as session:
            # A restored database has no queue tables before the first worker starts.
            is_installed = await session.scalar(_IS_INSTALLED)
            rows = (await session.execute(_DEPTHS)).all() if is_installed else []
        waiting: Counter[tuple[str, int]] = Counter()
        running: Counter[tuple[str, int]] = Counter()
        for row in rows:
            (running if row.is_running else waiting)[row.entrypoint, row.priority] += row.jobs
        # A job between two attempts is due in the future.
        waited = [max(float(row.waited), 0.0) for row in rows if not row.is_running]
        return Overview(
            depths=[
                Depth(
                    task=task,
                    priority=priority,
                    waiting=waiting[task, priority],
                    running=running[task, priority],
                )
                for task, priority in sorted(waiting | running)
            ],
            oldest_waiting_seconds=max(waited, default=None),
        )

    async def _enqueue(self, jobs: Sequence[Job]) -> None:
        async with _queries(self._database.engine) as queries:
            await queries.enqueue(
                [job.task for job in jobs],
                [orjson.dumps(dict(job.payload)) for job in jobs],
                [int(job.priority) for job in jobs],
                dedupe_key=[job.key for job in jobs],
                headers=[_headers(job) for job in jobs],
                on_conflict="skip",
            )


class Worker:
    """Runs jobs until `is_stopping` is set. Restarts PgQueuer's loop after a pause when it ends,
    such as after a restart of the database.
    """

    def __init__(
        self, database: Database, tasks: Mapping[str, Task], *, is_stopping: asyncio.Event
    ) -> None:
        self._database = database
        self._tasks = tasks
        self._is_stopping = is_stopping

    async def run(self) -> None:
        pause = FIRST_RESTART_SECONDS
        while not self._is_stopping.is_set():
            try:
                async with _queries(self._database.engine, is_lasting=True) as queries:
                    pause = FIRST_RESTART_SECONDS
                    await self._work(queries)
            except connection_losses() as lost:
                log.warning("worker lost its database connection", reason=type(lost).__name__)
            if not self._is_stopping.is_set():
                await self._rest(pause * random.uniform(0.75, 1.25))  # noqa: S311 - jitter
                pause = min(pause * 2, LONGEST_RESTART_SECONDS)

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_stopping.wait()

    async def _work(self, queries: "Queries") -> None:
        from pgqueuer.core.qm import QueueManager

        manager = QueueManager(queries)
        for name in self._tasks:
            manager.entrypoint(name)(_entrypoint(self._database, self._tasks))
        running = asyncio.create_task(
            manager.run(
                dequeue_timeout=POLL_EVERY,
                batch_size=1,
                max_concurrent_tasks=JOBS_AT_ONCE,
                shutdown_on_listener_failure=True,
                heartbeat_timeout=HEARTBEAT_TIMEOUT,
                log_aggregation_interval=timedelta(minutes=5),
            )
        )
        stopping = asyncio.create_task(self._is_stopping.wait())
        await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        # Running jobs get `STOP_SECONDS` to finish and are then cancelled.
        manager.shutdown.set()
        await asyncio.wait([running], timeout=STOP_SECONDS)
        running.cancel()
        await asyncio.wait([running])
        if not running.cancelled():
            running.result()


def _entrypoint(database: Database, tasks: Mapping[str, Task]) -> Any:
    async def run(picked: "PickedJob") -> None:
        from pgqueuer.errors import RetryRequested

        job = _read(picked)
        number = picked.attempts + 1
        failure = await attempt(tasks, job, number=number)
        if failure is None or failure.is_passing:
            return
        if number >= MOST_ATTEMPTS and await dead.mark_dead(
            database, job, failure=failure, attempts=number
        ):
            return
        raise RetryRequested(delay=delay_before(number + 1), reason=failure.kind)

    return run


def _headers(job: Job) -> dict[str, str]:
    """The fields of a job without a PgQueuer column."""
    owner = {} if job.project_id is None else {"project_id": str(job.project_id)}
    return {"key": job.key, **owner}


def _read(picked: "PickedJob") -> Job:
    headers = picked.headers or {}
    project_id = headers.get("project_id")
    return Job(
        task=picked.entrypoint,
        key=str(headers["key"]),
        payload=orjson.loads(picked.payload or b"{}"),
        priority=Priority(picked.priority),
        project_id=None if project_id is None else UUID(str(project_id)),
    )


@asynccontextmanager
async def _queries(engine: AsyncEngine, *, is_lasting: bool = False) -> AsyncIterator["Queries"]:
    """`is_lasting`: the connection LISTENs, so it is discarded instead of returned to the pool."""
    from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
    from pgqueuer.adapters.persistence import qb
    from pgqueuer.domain.settings import DBSettings
    from pgqueuer.queries import Queries

    settings = DBSettings(db_schema=SCHEMA)
    async with engine.connect() as connection:
        raw = await connection.get_raw_connection()
        try:
            yield Queries(
                AsyncpgDriver(raw.driver_connection),
                qbe=qb.QueryBuilderEnvironment(settings),
                qbq=qb.QueryQueueBuilder(settings),
                qbs=qb.QuerySchedulerBuilder(settings),
            )
        finally:
            if is_lasting:
                await connection.invalidate()
