"""One attempt at a job, and how often a task that raises is run again. What a provider answers is
no such failure: tasks handle that themselves, so what arrives here is a bug, or a database that is
away.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import structlog

from edison.db.outages import is_outage
from edison.jobs.heartbeat import Replaced
from edison.jobs.job import Job, Task
from edison.kit import origin

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 4
LONGEST_DELAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """That a task raised. What exactly it said is in the log only, since it may quote anything.

    One that `is_passing` is not the job's fault: the database was away, or this process was taken
    for dead. The job is let go, and the sweep brings it back.
    """

    kind: str
    trace_id: str
    is_passing: bool

    @property
    def reason(self) -> str:
        return f"{self.kind} (trace {self.trace_id})"


async def attempt(tasks: Mapping[str, Task], job: Job, *, number: int) -> Failure | None:
    """Run the job's task once, under a trace id of its own. `number` counts from 1."""
    trace_id = secrets.token_hex(16)
    origin.begin(origin.Origin(trace_id=trace_id))
    try:
        await tasks[job.task](job.payload)
    except Exception as error:
        log.exception("job failed", task=job.task, key=job.key, attempt=number)
        is_passing = is_outage(error) or isinstance(error, Replaced)
        return Failure(kind=type(error).__name__, trace_id=trace_id, is_passing=is_passing)
    return None


def delay_before(attempt: int) -> timedelta:
    """Pause before this attempt, which counts from 1."""
    return min(timedelta(seconds=2 ** (attempt - 2)), LONGEST_DELAY) if attempt > 1 else timedelta()
