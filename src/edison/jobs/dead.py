"""Dead jobs: jobs that used up their attempts. Rows, so they survive queues and processes.

The key of a dead job is not queued until a user retries or discards it. The slice that owns the
job's rows registers a `JobOwner`: it is called when the job dies, to store the reason, and when the
job is retried, to reopen the rows.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import structlog
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.db.membership import is_among
from edison.db.outages import is_outage
from edison.db.prepared import Prepared
from edison.db.session import Database
from edison.jobs.job import Job, Priority, request
from edison.jobs.models import DeadJob
from edison.jobs.retry import Failure
from edison.kit import clock, ids
from edison.kit.hook import Hook
from edison.kit.lazy_dataclasses import dataclass

log = structlog.get_logger(__name__)

OnDead = Callable[[AsyncSession, Mapping[str, Any], str], Awaitable[None]]
"""Called with the payload and the reason, in the transaction that marks the job dead."""

OnRetry = Callable[[AsyncSession, Mapping[str, Any]], Awaitable[None]]
"""Called with the payload, in the transaction that re-queues the job. May raise to refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOwner:
    """Callbacks of the slice that owns a task's rows.

    After `on_dead` the sweep must no longer find the job in those rows; otherwise a discarded job
    would be queued again.
    """

    on_dead: OnDead
    on_retry: OnRetry | None = None


_DEAD = Prepared(lambda dialect: select(DeadJob.key).where(is_among(dialect, DeadJob.key, "keys")))

job_owners: dict[str, JobOwner] = {}
"""By task. Filled by `app/hooks.py`."""

on_dead: Hook[[AsyncSession, DeadJob], None] = Hook(
    "After a job of any task was declared dead, in that transaction."
)


async def mark_dead(database: Database, job: Job, *, failure: Failure, attempts: int) -> bool:
    """Marks the job dead. False if the database is unavailable and nothing was written."""
    try:
        async with database.write() as session:
            await _mark_dead(session, job, failure=failure, attempts=attempts)
    except IntegrityError:
        log.warning("job of a deleted project dropped", task=job.task, key=job.key)
    except Exception as error:
        if not is_outage(error):
            raise
        log.warning("dead job not stored: database unavailable", task=job.task, key=job.key)
        return False
    return True


async def without_dead(session: AsyncSession, jobs: Sequence[Job]) -> list[Job]:
    """The jobs without a dead job of the same key."""
    keys = [job.key for job in jobs]
    dead = {key for (key,) in await _DEAD.fetch(session, keys=keys)}
    return [job for job in jobs if job.key not in dead]


async def forget(session: AsyncSession, keys: Collection[str]) -> None:
    """Deletes the dead jobs of the keys, after a user resumed their owner."""
    await session.execute(delete(DeadJob).where(DeadJob.key.in_(keys)))


async def retry(session: AsyncSession, dead: DeadJob) -> bool:
    """Re-queues the job. False if it was already retried or discarded."""
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
    """Deletes the dead job. False if it was already retried or discarded."""
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
    log.error("job marked dead", task=job.task, key=job.key, reason=failure.reason)
    await on_dead.fire(session, DeadJob(**values))
    keeper = job_owners.get(job.task)
    if keeper is not None:
        await _tell(session, keeper, job, failure.reason)


async def _tell(session: AsyncSession, keeper: JobOwner, job: Job, reason: str) -> None:
    """Runs in a savepoint: a failing callback must not prevent the dead job's row."""
    try:
        async with session.begin_nested():
            await keeper.on_dead(session, job.payload, reason)
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("dead job callback failed", task=job.task, key=job.key)
