"""Attempts and retry policy of jobs. Tasks handle failures of providers themselves, so an exception
here is a bug or a database outage.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta

import structlog

from edison.db.outages import is_outage
from edison.jobs.heartbeat import Replaced
from edison.jobs.job import Job, Task
from edison.kit import origin
from edison.kit.lazy_dataclasses import dataclass

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 4
LONGEST_DELAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An exception raised by a task. Its message is only logged, since it may quote user data.

    `is_passing`: the database was unavailable or this process was replaced. The job is dropped, and
    the sweep re-queues it.
    """

    kind: str
    trace_id: str
    is_passing: bool

    @property
    def reason(self) -> str:
        return f"{self.kind} (trace {self.trace_id})"


async def attempt(tasks: Mapping[str, Task], job: Job, *, number: int) -> Failure | None:
    """Runs the job's task once, with a new trace id. `number` counts from 1."""
    trace_id = secrets.token_hex(16)
    origin.begin(origin.RequestOrigin(trace_id=trace_id))
    try:
        await tasks[job.task](job.payload)
    except Exception as error:
        log.exception("job failed", task=job.task, key=job.key, attempt=number)
        is_passing = is_outage(error) or isinstance(error, Replaced)
        return Failure(kind=type(error).__name__, trace_id=trace_id, is_passing=is_passing)
    return None


def delay_before(attempt: int) -> timedelta:
    """Delay before an attempt, counted from 1."""
    return min(timedelta(seconds=2 ** (attempt - 2)), LONGEST_DELAY) if attempt > 1 else timedelta()
