"""Runs jobs inside the server process: the queue of an installation on SQLite.

Nothing here outlives the process, and nothing has to: after a start the sweep finds in the rows
what is left to do.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count

import structlog

from edison.jobs.job import Job, Task
from edison.jobs.retrying import MOST_ATTEMPTS, delay_before

log = structlog.get_logger(__name__)


class EmbeddedQueue:
    def __init__(
        self,
        tasks: Mapping[str, Task],
        *,
        concurrency: int = 16,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._tasks = tasks
        self._sleep = sleep
        self._concurrency = concurrency
        self._order = count()
        self._waiting: list[tuple[int, int, Job]] = []
        self._known: set[str] = set()
        self._running: dict[asyncio.Task[None], Job] = {}
        # Asked for again while they ran: what they looked at may have changed since.
        self._wanted_again: dict[str, Job] = {}
        self._given_up: set[str] = set()
        self._is_closed = False

    async def put(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if job.key in self._given_up:
                continue
            if job.key in self._known:
                if any(running.key == job.key for running in self._running.values()):
                    self._wanted_again[job.key] = job
                continue
            self._known.add(job.key)
            heapq.heappush(self._waiting, (-job.priority, next(self._order), job))
        self._start_next()

    async def close(self) -> None:
        """Stop at once; what was under way is found again after the next start."""
        self._is_closed = True
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._concurrency and not self._is_closed:
            _, _, job = heapq.heappop(self._waiting)
            running = asyncio.create_task(self._run(job), name=job.key)
            self._running[running] = job
            running.add_done_callback(self._ended)

    def _ended(self, running: asyncio.Task[None]) -> None:
        job = self._running.pop(running)
        self._known.discard(job.key)
        again = self._wanted_again.pop(job.key, None)
        if again is not None and job.key not in self._given_up:
            self._known.add(again.key)
            heapq.heappush(self._waiting, (-again.priority, next(self._order), again))
        self._start_next()

    async def _run(self, job: Job) -> None:
        for attempt in range(1, MOST_ATTEMPTS + 1):
            try:
                await self._tasks[job.task](job.payload)
            except Exception:
                log.exception("job failed", task=job.task, key=job.key, attempt=attempt)
                await self._sleep(delay_before(attempt + 1).total_seconds())
            else:
                return
        self._given_up.add(job.key)
