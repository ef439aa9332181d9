"""Background jobs, requested by task name.

Rows define the work; a job only holds their ids. Jobs may be lost or delivered twice: a task
computes what its rows still lack, and sweepers find the missing jobs in the rows.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import Any, ClassVar, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.models import ProcessKind
from edison.kit.lazy_dataclasses import dataclass

# Concurrent jobs per process. They mostly wait for models, so there may be many.
JOBS_AT_ONCE = 64
# How long jobs may continue after SIGTERM. Leaves time to store their results within the ten
# seconds in which the process ends.
STOP_SECONDS = 5.0

_REQUESTED = "edison.jobs"


class Priority(IntEnum):
    """Higher runs first."""

    BACKGROUND = 1
    NORMAL = 5
    INTERACTIVE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`key` deduplicates: at most one job per key waits. `payload` is JSON and holds ids only. The
    admins of `project_id` retry or discard the job when it is dead.
    """

    task: str
    key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    priority: Priority = Priority.NORMAL
    project_id: UUID | None = None


Task = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Runs one job. Idempotent: may be cancelled at any await and run again."""

Sweeper = Callable[[AsyncSession], Awaitable[Sequence[Job]]]
"""Finds in the rows which jobs should exist now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """Number of jobs of one task and priority."""

    task: str
    priority: int
    waiting: int
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The content of a queue. `oldest_waiting_seconds` is the longest time that a due job has been
    waiting, None if no job waits.
    """

    depths: Sequence[Depth]
    oldest_waiting_seconds: float | None

    @property
    def waiting(self) -> int:
        return sum(depth.waiting for depth in self.depths)

    @property
    def running(self) -> int:
        return sum(depth.running for depth in self.depths)


class Queue(Protocol):
    # The processes that run the jobs.
    worked_by: ClassVar[ProcessKind]

    async def put(self, jobs: Sequence[Job]) -> None:
        """Enqueues the jobs, except those whose key is already waiting or dead."""

    async def overview(self) -> Overview:
        """Waiting and running jobs of the whole installation."""


def request(session: AsyncSession, job: Job) -> None:
    """Queues the job after the session's transaction commits, and only then."""
    session.info.setdefault(_REQUESTED, {})[job.key] = job


async def deliver(queue: Queue, session: AsyncSession) -> None:
    """Queues the jobs that the committed transaction requested."""
    if jobs := session.info.pop(_REQUESTED, None):
        await queue.put(list(jobs.values()))
