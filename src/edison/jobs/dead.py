"""Jobs that failed as often as they may. They are rows, so they outlive every queue and process.

A dead job rests: nobody queues its key again until a person retries or discards it. Whoever keeps
the rows that the job works on is told when it dies, and can say there why nothing goes on; and is
told when it is retried, and can open them again.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs.job import Job, Priority, request
from edison.jobs.models import DeadJob
from edison.jobs.retry import Failure
from edison.kit import clock, ids
from edison.kit.hook import Hook

log = structlog.get_logger(__name__)

OnDead = Callable[[AsyncSession, Mapping[str, Any], str], Awaitable[None]]
"""Called with the payload and a reason in the transaction that declares the job dead."""

OnRetry = Callable[[AsyncSession, Mapping[str, Any]], Awaitable[None]]
"""Called with the payload in the transaction that queues the job again. May refuse by raising."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOwner:
    """Who keeps the rows a task works on.

    After `on_dead` those rows should no longer ask for the job, or discarding it would last only
    until the next sweep.
    """

    on_dead: OnDead
    on_retry: OnRetry | None = None


job_owners: dict[str, JobOwner] = {}
"""By task. Set by the application."""

on_dead: Hook[[AsyncSession, DeadJob], None] = Hook(
    "After a job of any task was declared dead, in that transaction."
)


async def mark_dead(database: Database, job: Job, *, failure: Failure, attempts: int) -> bool:
    """Declare the job dead. False when the database is away, and nothing was written."""
    try:
        async with database.write() as session:
            await _mark_dead(session, job, failure=failure, attempts=attempts)
    except IntegrityError:
        log.warning("job died with its project", task=job.task, key=job.key)
    except Exception as error:
        if not is_outage(error):
            raise
        log.warning("dead job waits for the database", task=job.task, key=job.key)
        return False
    return True


async def without_dead(session: AsyncSession, jobs: Sequence[Job]) -> list[Job]:
    """The jobs that may be queued."""
    keys = [job.key for job in jobs]
    found = await session.scalars(select(DeadJob.key).where(DeadJob.key.in_(keys)))
    dead = set(found)
    return [job for job in jobs if job.key not in dead]


async def forget(session: AsyncSession, keys: Collection[str]) -> None:
    """Let the keys be queued again, because somebody had their owner go on."""
    await session.execute(delete(DeadJob).where(DeadJob.key.in_(keys)))


async def retry(session: AsyncSession, dead: DeadJob) -> bool:
    """Queue the job again. False when somebody else was quicker."""
    if not await discard(session, dead):
        return False
    keeper = job_owners.get(dead.task)
    if keeper is not None and keeper.on_retry is not None:
        await keeper.on_retry(session, dead.payload)
    job = Job(
        task=dead.task,
        key=dead.key,
        payload=dead.payload,
        priority=Priority(dead.priority),
        project_id=dead.project_id,
    )
    request(session, job)
    return True


async def discard(session: AsyncSession, dead: DeadJob) -> bool:
    """Drop the job. False when somebody else was quicker."""
    removed = await session.scalar(
        delete(DeadJob).where(DeadJob.id == dead.id).returning(DeadJob.id)
    )
    return removed is not None


async def _mark_dead(session: AsyncSession, job: Job, *, failure: Failure, attempts: int) -> None:
    values = {
        "id": ids.new_id(),
        "key": job.key,
        "task": job.task,
        "project_id": job.project_id,
        "priority": int(job.priority),
        "attempts": attempts,
        "reason": failure.reason,
        "failed_at": clock.now(),
        "payload": dict(job.payload),
    }
    statement = upsert.insert(session, DeadJob).values(**values).on_conflict_do_nothing()
    if await session.scalar(statement.returning(DeadJob.id)) is None:
        return
    log.error("job is dead", task=job.task, key=job.key, reason=failure.reason)
    await on_dead.fire(session, DeadJob(**values))
    keeper = job_owners.get(job.task)
    if keeper is not None:
        await _tell(session, keeper, job, failure.reason)


async def _tell(session: AsyncSession, keeper: JobOwner, job: Job, reason: str) -> None:
    """A keeper that fails must not keep the job from resting."""
    try:
        async with session.begin_nested():
            await keeper.on_dead(session, job.payload, reason)
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("nobody noted a dead job", task=job.task, key=job.key)
