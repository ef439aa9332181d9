"""Jobs on PostgreSQL: any process puts them, any number of workers on any machine runs them.

PgQueuer keeps them in a schema of their own, wakes workers by NOTIFY, and hands the jobs of a
worker whose heartbeat stopped to another. It is imported on use, since servers on SQLite never
need it.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import asyncpg  # type: ignore[import-untyped]  # ships no types
import orjson
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.jobs.job import Job, Task
from edison.jobs.retrying import MOST_ATTEMPTS, delay_before

if TYPE_CHECKING:
    from pgqueuer.models import Job as PickedJob
    from pgqueuer.queries import Queries

log = structlog.get_logger(__name__)

SCHEMA = "edison_jobs"
# A worker that was killed is replaced after this long at the latest, plus the time of one poll.
HEARTBEAT_TIMEOUT = timedelta(seconds=12)
POLL_EVERY = timedelta(seconds=5)
JOBS_AT_ONCE = 16
FIRST_RESTART_SECONDS = 0.5
LONGEST_RESTART_SECONDS = 15.0
STOP_SECONDS = 8.0

_LOST = (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


async def install(engine: AsyncEngine) -> None:
    """Make or upgrade the queue's tables. Safe to do again, and by several at once."""
    async with _queries(engine) as queries, queries.schema_lock():
        if not await queries.schema_is_installed():
            await queries.install()
            return
        for statement in (await queries.plan_upgrade()).statements:
            await queries.driver.execute(statement)


class DistributedQueue:
    """Puts jobs; a queue that cannot be reached loses them, and the sweep puts them again."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def put(self, jobs: Sequence[Job]) -> None:
        try:
            async with _queries(self._engine) as queries:
                held = await _held_keys(queries, [job.key for job in jobs])
                wanted = [job for job in jobs if job.key not in held]
                if wanted:
                    await queries.enqueue(
                        [job.task for job in wanted],
                        [orjson.dumps(dict(job.payload)) for job in wanted],
                        [int(job.priority) for job in wanted],
                        dedupe_key=[job.key for job in wanted],
                        on_conflict="skip",
                    )
        except _LOST as lost:
            log.warning("jobs not queued", reason=type(lost).__name__, count=len(jobs))


class Worker:
    """Runs jobs until told to stop. Whatever ends PgQueuer's loop, such as a restart of the
    database, begins it anew after a pause.
    """

    def __init__(
        self, engine: AsyncEngine, tasks: Mapping[str, Task], *, is_stopping: asyncio.Event
    ) -> None:
        self._engine = engine
        self._tasks = tasks
        self._is_stopping = is_stopping

    async def run(self) -> None:
        pause = FIRST_RESTART_SECONDS
        while not self._is_stopping.is_set():
            try:
                async with _queries(self._engine, is_lasting=True) as queries:
                    pause = FIRST_RESTART_SECONDS
                    await self._work(queries)
            except _LOST as lost:
                log.warning("worker lost its queue", reason=type(lost).__name__)
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
        for name, task in self._tasks.items():
            manager.entrypoint(name, on_failure="hold")(_entrypoint(task))
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
        # Jobs under way get a moment to come to an end, and are cancelled after it.
        manager.shutdown.set()
        await asyncio.wait([running], timeout=STOP_SECONDS)
        running.cancel()
        await asyncio.wait([running])
        if not running.cancelled():
            running.result()


def _entrypoint(task: Task) -> Any:
    async def run(job: "PickedJob") -> None:
        from pgqueuer.errors import RetryRequested

        try:
            await task(orjson.loads(job.payload or b"{}"))
        except Exception as failure:
            attempt = job.attempts + 1
            if attempt >= MOST_ATTEMPTS:
                raise
            raise RetryRequested(
                delay=delay_before(attempt + 1), reason=type(failure).__name__
            ) from failure

    return run


async def _held_keys(queries: "Queries", keys: list[str]) -> set[str]:
    """Keys of jobs that failed too often: they wait for a person, not for another round."""
    table = queries.qbe.settings.qualified.queue_table
    rows = await queries.driver.fetch(
        f"SELECT dedupe_key FROM {table} WHERE status = 'failed' AND dedupe_key = ANY($1)",  # noqa: S608 - the name is ours
        keys,
    )
    return {str(row["dedupe_key"]) for row in rows}


@asynccontextmanager
async def _queries(engine: AsyncEngine, *, is_lasting: bool = False) -> AsyncIterator["Queries"]:
    """`is_lasting`: the connection listens, and so is not given to others afterwards."""
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
