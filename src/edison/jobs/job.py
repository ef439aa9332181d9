"""Work that is to happen outside of a request, asked for by name.

Rows say what is to be done; a job only says where to look. So a job may get lost or come twice: a
task computes what its rows still lack, and whoever keeps the rows can tell which jobs are missing.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

# How many jobs one process has under way. They mostly wait for models, so it may be many.
JOBS_AT_ONCE = 64
# How long jobs may go on once the process is to end. Leaves it time to write down what they did,
# within the ten seconds it has.
STOP_SECONDS = 5.0

_REQUESTED = "edison.jobs"


class Priority(IntEnum):
    """Higher goes first."""

    BACKGROUND = 1
    NORMAL = 5
    INTERACTIVE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`key` names the piece of work: of several jobs with one key one is enough. `payload` is JSON
    and holds ids only. `project_id` is whose work it is, and who decides about it when it is dead.
    """

    task: str
    key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    priority: Priority = Priority.NORMAL
    project_id: UUID | None = None


Task = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Does the work of one job. May be cancelled at any await, and run again afterwards."""

Sweeper = Callable[[AsyncSession], Awaitable[Sequence[Job]]]
"""Which jobs there should be at this moment, going by the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """How many jobs of one task and priority there are."""

    task: str
    priority: int
    waiting: int
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a queue holds. `oldest_waiting_seconds` is how long the first in line could have been
    running by now, and None while nothing waits.
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
    # Whether jobs run in the process that puts them.
    is_embedded: ClassVar[bool]

    async def put(self, jobs: Sequence[Job]) -> None:
        """See to it that the jobs run. Jobs that are waiting already are left as they are, and
        dead ones rest.
        """

    async def overview(self) -> Overview:
        """What waits and runs at this moment, in the whole installation."""


def request(session: AsyncSession, job: Job) -> None:
    """Queue the job when the session's transaction commits, and only then."""
    session.info.setdefault(_REQUESTED, {})[job.key] = job


async def deliver(queue: Queue, session: AsyncSession) -> None:
    """Queue what the committed transaction asked for."""
    if jobs := session.info.pop(_REQUESTED, None):
        await queue.put(list(jobs.values()))
