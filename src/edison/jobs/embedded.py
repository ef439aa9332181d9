"""Job queue inside the server process, for SQLite.

In memory only: after a restart the sweep finds the remaining work in the rows.
"""

import asyncio
import heapq
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from itertools import count
from typing import ClassVar

import structlog

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs import dead
from edison.jobs.job import JOBS_AT_ONCE, STOP_SECONDS, Depth, Job, Overview, Task
from edison.jobs.models import ProcessKind
from edison.jobs.retry import MOST_ATTEMPTS, attempt, delay_before
from edison.kit.lazy_dataclasses import dataclass

log = structlog.get_logger(__name__)


@dataclass(order=True, slots=True)
class _Waiting:
    """Sorts by priority, then by arrival."""

    urgency: int
    number: int
    job: Job = field(compare=False)
    since: float = field(compare=False, default_factory=time.monotonic)


class EmbeddedQueue:
    worked_by: ClassVar[ProcessKind] = "server"

    def __init__(
        self,
        database: Database,
        tasks: Mapping[str, Task],
        *,
        concurrency: int = JOBS_AT_ONCE,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._tasks = tasks
        self._sleep = sleep
        self._concurrency = concurrency
        self._order = count()
        self._waiting: list[_Waiting] = []
        self._known: set[str] = set()
        self._running: dict[asyncio.Task[None], Job] = {}
        # Requested again while running: the rows may have changed since the job read them.
        self._wanted_again: dict[str, Job] = {}
        self._is_closed = False

    async def put(self, jobs: Sequence[Job]) -> None:
        if self._is_closed:
            return
        try:
            async with self._database.read() as session:
                living = await dead.without_dead(session, jobs)
        except Exception as error:
            if not is_outage(error):
                raise
            # The sweep re-queues them.
            log.warning("jobs not queued", reason=type(error).__name__, count=len(jobs))
            return
        running = {job.key for job in self._running.values()}
        for job in living:
            if job.key in running:
                self._wanted_again[job.key] = job
            elif job.key not in self._known:
                self._push(job)
        self._start_next()

    async def overview(self) -> Overview:
        waiting = Counter((each.job.task, each.job.priority) for each in self._waiting)
        running = Counter((job.task, job.priority) for job in self._running.values())
        since = min((each.since for each in self._waiting), default=None)
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
            oldest_waiting_seconds=None if since is None else time.monotonic() - since,
        )

    async def close(self) -> None:
        """Starts no more jobs, gives running ones `STOP_SECONDS` and then cancels them. The sweep
        finds cancelled jobs after the next start.
        """
        self._is_closed = True
        running = list(self._running)
        if running:
            await asyncio.wait(running, timeout=STOP_SECONDS)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _push(self, job: Job) -> None:
        self._known.add(job.key)
        heapq.heappush(self._waiting, _Waiting(-job.priority, next(self._order), job))

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._concurrency and not self._is_closed:
            job = heapq.heappop(self._waiting).job
            running = asyncio.create_task(self._run(job), name=job.key)
            self._running[running] = job
            running.add_done_callback(self._ended)

    def _ended(self, running: asyncio.Task[None]) -> None:
        job = self._running.pop(running)
        self._known.discard(job.key)
        again = self._wanted_again.pop(job.key, None)
        if again is not None:
            self._push(again)
        self._start_next()

    async def _run(self, job: Job) -> None:
        number = 1
        while failure := await attempt(self._tasks, job, number=number):
            if failure.is_passing:
                return
            if number == MOST_ATTEMPTS:
                await dead.mark_dead(self._database, job, failure=failure, attempts=number)
                # Requested before it was marked dead.
                self._wanted_again.pop(job.key, None)
                return
            number += 1
            await self._sleep(delay_before(number).total_seconds())
