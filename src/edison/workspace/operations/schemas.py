"""Schemas of the operations endpoints."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.jobs.job import Depth, Overview, Priority
from edison.jobs.models import DeadJob

PriorityName = Literal["background", "normal", "interactive"]


class QueueDepthRead(Schema):
    """Number of jobs per task and priority."""

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
    """Jobs of the whole installation. `oldest_waiting_seconds` is how long the first job in the
    queue has been due; null when no job is waiting.
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
    """A process of Edison. `seen_seconds` is the time since its last heartbeat, by the clocks of
    both machines; a process that `is_silent` will soon be considered dead.
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
    call_count: Annotated[int, Field(description="Calls to models in progress")]


class OperationsRead(Schema):
    """State of the installation. Queue and processes are shared by all projects; dead jobs are of
    this project. `trouble` is the reason why the database cannot be written at the moment.
    """

    mode: Annotated[
        Literal["embedded", "distributed"],
        Field(description="Who does jobs: the server or its engine, or workers on PostgreSQL"),
    ]
    trouble: str | None
    queue: QueueRead
    processes: list[ProcessRead]
    dead_job_count: int


class DeadJobRead(Schema):
    """A job that used up its attempts. `reason` is the kind of failure with the trace id of its log
    entries.
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
