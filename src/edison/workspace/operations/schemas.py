"""What the operations routes show."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.jobs.job import Depth, Overview, Priority
from edison.jobs.models import DeadJob

PriorityName = Literal["background", "normal", "interactive"]


class QueueDepthRead(Schema):
    """How many jobs of one task and priority there are."""

    task: Annotated[str, Field(examples=["fill_chunk"])]
    priority: PriorityName
    waiting: int
    running: int

    @classmethod
    def of(cls, depth: Depth) -> "QueueDepthRead":
        return cls(
            task=depth.task,
            priority=name_of(depth.priority),
            waiting=depth.waiting,
            running=depth.running,
        )


class QueueRead(Schema):
    """Jobs of the whole installation. `oldest_waiting_seconds` is how long the first in line could
    have been running by now; null while nothing waits.
    """

    waiting: int
    running: int
    oldest_waiting_seconds: float | None
    depths: list[QueueDepthRead]

    @classmethod
    def of(cls, overview: Overview) -> "QueueRead":
        return cls(
            waiting=overview.waiting,
            running=overview.running,
            oldest_waiting_seconds=overview.oldest_waiting_seconds,
            depths=[QueueDepthRead.of(depth) for depth in overview.depths],
        )


class ProcessRead(Schema):
    """A process of Edison. `seen_seconds` is how long ago it gave a sign of life, going by the
    clocks of the two machines; one that `is_silent` will soon be taken for dead.
    """

    id: UUID
    kind: Literal["server", "worker", "command"]
    host: Annotated[str, Field(examples=["edison-worker-1"])]
    pid: int
    version: str
    started_at: datetime
    seen_at: datetime
    seen_seconds: float
    is_silent: bool
    does_jobs: bool
    chunk_count: Annotated[int, Field(description="Chunks of runs it works on")]
    call_count: Annotated[int, Field(description="Calls to models it has under way")]


class OperationsRead(Schema):
    """How the installation's work goes. Queue and processes are shared by all projects; dead jobs
    are this project's. `trouble` is why nothing can be written at the moment.
    """

    mode: Annotated[
        Literal["embedded", "distributed"],
        Field(description="Who does jobs: the server itself, or workers on PostgreSQL"),
    ]
    trouble: str | None
    queue: QueueRead
    processes: list[ProcessRead]
    dead_job_count: int


class DeadJobRead(Schema):
    """A job that failed as often as it may. `reason` is the kind of failure, with the trace id
    under which the log has all of it.
    """

    id: UUID
    task: Annotated[str, Field(examples=["fill_chunk"])]
    key: str
    priority: PriorityName
    attempts: int
    reason: Annotated[
        str, Field(examples=["RuntimeError (trace 5f1c0f3e8a7b4d2c9e6a1b0d3c4f5e6a)"])
    ]
    failed_at: datetime

    @classmethod
    def of(cls, job: DeadJob) -> "DeadJobRead":
        return cls(
            id=job.id,
            task=job.task,
            key=job.key,
            priority=name_of(job.priority),
            attempts=job.attempts,
            reason=job.reason,
            failed_at=job.failed_at,
        )


def name_of(priority: int) -> PriorityName:
    names: dict[int, PriorityName] = {
        Priority.BACKGROUND: "background",
        Priority.NORMAL: "normal",
        Priority.INTERACTIVE: "interactive",
    }
    return names[priority]
