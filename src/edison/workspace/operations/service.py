"""Operations: job queue, processes, and dead jobs."""

from collections import Counter
from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs import dead
from edison.jobs.job import Overview
from edison.jobs.models import DeadJob, ProcessKind, WorkerProcess
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.audit import service as audit
from edison.workspace.operations.repository import DeadJobs, ProcessOverview
from edison.workspace.operations.schemas import OperationsRead, ProcessRead, QueueRead

# A listener returns how many chunks each process works on.
count_claims: Hook[[AsyncSession], Mapping[UUID, int]] = Hook(
    "When operations are shown, in the transaction of the request."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessState:
    """State of the process that serves the request."""

    overview: Overview
    worked_by: ProcessKind
    is_embedded: bool
    trouble: str | None
    silence_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkCounts:
    processes: Mapping[str, int]
    dead_jobs: int


async def read_operations(
    session: AsyncSession, *, project_id: UUID, standing: ProcessState
) -> OperationsRead:
    processes = ProcessOverview(session)
    calls = await processes.count_calls()
    chunks: Counter[UUID] = Counter()
    for counts in await count_claims.fire(session):
        chunks.update(counts)
    return OperationsRead(
        mode="embedded" if standing.is_embedded else "distributed",
        trouble=standing.trouble,
        queue=QueueRead.of(standing.overview),
        processes=[
            _read_process(
                row, standing, chunk_count=chunks[row.id], call_count=calls.get(row.id, 0)
            )
            for row in await processes.list_all()
        ],
        dead_job_count=await DeadJobs(session).count_of_project(project_id),
    )


async def list_dead_jobs(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[DeadJob]:
    return await DeadJobs(session).list_of_project(project_id, page=page)


async def retry_dead_job(session: AsyncSession, *, project_id: UUID, job_id: UUID) -> None:
    """Queue a dead job with a fresh number of attempts."""
    job = await DeadJobs(session).get(project_id, job_id)
    if not await dead.retry(session, job):
        raise _gone()
    _record(session, "job.retried", job)


async def discard_dead_job(session: AsyncSession, *, project_id: UUID, job_id: UUID) -> None:
    """Delete a dead job without running it."""
    job = await DeadJobs(session).get(project_id, job_id)
    if not await dead.discard(session, job):
        raise _gone()
    _record(session, "job.discarded", job)


async def record_dead_job(session: AsyncSession, job: DeadJob) -> None:
    """Hook of the job queue: write an audit entry for a dead job."""
    audit.record(
        session,
        "job.died",
        entity=("job", job.id),
        project_id=job.project_id,
        after={"key": job.key, "task": job.task, "reason": job.reason, "attempts": job.attempts},
    )


async def count_work(session: AsyncSession) -> WorkCounts:
    """Counts for metrics, over all projects."""
    return WorkCounts(
        processes=await ProcessOverview(session).count_by_kind(),
        dead_jobs=await DeadJobs(session).count_all(),
    )


def _read_process(
    row: WorkerProcess, standing: ProcessState, *, chunk_count: int, call_count: int
) -> ProcessRead:
    seen_seconds = max((clock.now() - row.seen_at).total_seconds(), 0.0)
    return ProcessRead(
        id=row.id,
        kind=row.kind,
        host=row.host,
        pid=row.pid,
        version=row.version,
        started_at=row.started_at,
        seen_at=row.seen_at,
        seen_seconds=seen_seconds,
        is_silent=seen_seconds > standing.silence_seconds / 2,
        does_jobs=row.kind == standing.worked_by,
        chunk_count=chunk_count,
        call_count=call_count,
    )


def _record(session: AsyncSession, action: str, job: DeadJob) -> None:
    audit.record(
        session,
        action,
        entity=("job", job.id),
        project_id=job.project_id,
        before={"key": job.key, "task": job.task, "reason": job.reason},
    )


def _gone() -> NotFound:
    return NotFound("This job was already retried or discarded.")
