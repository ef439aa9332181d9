"""Work that is to happen outside of a request, asked for by name.

Rows say what is to be done; a job only says where to look. So a job may get lost or come twice: a
task computes what its rows still lack, and whoever keeps the rows can tell which jobs are missing.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

_REQUESTED = "edison.jobs"


class Priority(IntEnum):
    """Higher goes first."""

    BACKGROUND = 1
    NORMAL = 5
    INTERACTIVE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`key` names the piece of work: of several jobs with one key one is enough. `payload` is JSON
    and holds ids only.
    """

    task: str
    key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    priority: Priority = Priority.NORMAL


Task = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Does the work of one job. May be cancelled at any await, and run again afterwards."""

Sweeper = Callable[[AsyncSession], Awaitable[Sequence[Job]]]
"""Which jobs there should be at this moment, going by the rows."""


class Queue(Protocol):
    async def put(self, jobs: Sequence[Job]) -> None:
        """See to it that the jobs run. Jobs that are waiting already are left as they are."""


def request(session: AsyncSession, job: Job) -> None:
    """Queue the job when the session's transaction commits, and only then."""
    session.info.setdefault(_REQUESTED, {})[job.key] = job


async def deliver(queue: Queue, session: AsyncSession) -> None:
    """Queue what the committed transaction asked for."""
    if jobs := session.info.pop(_REQUESTED, None):
        await queue.put(list(jobs.values()))
