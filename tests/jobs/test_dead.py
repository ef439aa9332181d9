"""Dead jobs: after the last failed attempt they wait for a decision."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.tables import metadata
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs import dead
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Job, Priority, deliver
from edison.jobs.models import DeadJob
from edison.jobs.retry import Failure
from edison.kit import ids
from edison.workspace.projects.models import Project
from tests.support.patience import PATIENCE_SECONDS

SECRET = "sk-never-shown"
FAILURE = Failure(kind="RuntimeError", trace_id="t", is_passing=False)
JOB = Job(task="work", key="work:1", payload={"id": "1"}, priority=Priority.INTERACTIVE)


@pytest.fixture
async def database(empty_url: str) -> AsyncIterator[Database]:
    """On both databases: the rows do not depend on the queue."""
    database = Database(open_engine(empty_url))
    async with database.engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    yield database
    await database.close()


@pytest.fixture(autouse=True)
def job_owners(monkeypatch: pytest.MonkeyPatch) -> dict[str, dead.JobOwner]:
    mine: dict[str, dead.JobOwner] = {}
    monkeypatch.setattr(dead, "job_owners", mine)
    monkeypatch.setattr(dead.on_dead, "listeners", ())
    return mine


class Task:
    """Fails until `failure` is cleared."""

    def __init__(self, failure: Exception) -> None:
        self.failure: Exception | None = failure
        self.attempts = 0
        self.is_done = asyncio.Event()

    async def run(self, _payload: Mapping[str, Any]) -> None:
        self.attempts += 1
        if self.failure is not None:
            raise self.failure
        self.is_done.set()


async def at_once(_seconds: float) -> None:
    pass


def open_queue(database: Database, task: Task) -> EmbeddedQueue:
    queue = EmbeddedQueue(database, {"work": task.run}, sleep=at_once)
    database.after_commit = partial(deliver, queue)
    return queue


async def idle(queue: EmbeddedQueue) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await queue.overview()).depths:
            await a_turn()


async def a_turn() -> None:
    await asyncio.sleep(0)


async def dead_jobs(database: Database) -> list[DeadJob]:
    async with database.read() as session:
        return list(await session.scalars(select(DeadJob)))


async def bury(database: Database, job: Job = JOB) -> DeadJob:
    assert await dead.mark_dead(database, job, failure=FAILURE, attempts=4)
    return (await dead_jobs(database))[0]


async def test_a_job_that_always_fails_stays_dead_after_a_restart(
    database: Database,
) -> None:
    task = Task(RuntimeError(f"cannot read {SECRET}"))
    queue = open_queue(database, task)
    await queue.put([JOB])
    await idle(queue)
    await open_queue(database, task).put([JOB])
    await queue.put([JOB])
    await idle(queue)
    assert task.attempts == 4
    (row,) = await dead_jobs(database)
    assert (row.task, row.key, row.payload) == ("work", "work:1", {"id": "1"})
    assert (row.priority, row.attempts) == (10, 4)
    assert re.fullmatch(r"RuntimeError \(trace [0-9a-f]{32}\)", row.reason)


async def test_a_database_outage_does_not_count_as_a_failed_attempt(database: Database) -> None:
    task = Task(OperationalError("SELECT 1", {}, Exception("database is locked")))
    queue = open_queue(database, task)
    for _ in range(5):
        await queue.put([JOB])
        await idle(queue)
    assert task.attempts == 5
    assert await dead_jobs(database) == []


async def test_a_retried_job_runs_again_and_its_owner_is_notified(
    database: Database, job_owners: dict[str, dead.JobOwner]
) -> None:
    heard: list[tuple[str, Any]] = []

    async def on_dead(_session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
        heard.append((reason, dict(payload)))

    async def on_retry(_session: AsyncSession, payload: Mapping[str, Any]) -> None:
        heard.append(("retried", dict(payload)))

    job_owners["work"] = dead.JobOwner(on_dead=on_dead, on_retry=on_retry)
    task = Task(RuntimeError())
    queue = open_queue(database, task)
    await queue.put([JOB])
    await idle(queue)
    (row,) = await dead_jobs(database)
    task.failure = None
    async with database.write() as session:
        assert await dead.retry(session, row)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await task.is_done.wait()
    await idle(queue)
    assert heard == [(row.reason, {"id": "1"}), ("retried", {"id": "1"})]
    assert await dead_jobs(database) == []


async def test_two_concurrent_retries_queue_the_job_once(database: Database) -> None:
    task = Task(RuntimeError())
    row = await bury(database)
    queue = open_queue(database, task)
    task.failure = None

    async def retry() -> bool:
        async with database.write() as session:
            return await dead.retry(session, row)

    assert sorted(await asyncio.gather(*(retry() for _ in range(5)))) == [False] * 4 + [True]
    await idle(queue)
    assert task.attempts == 1


async def test_an_owner_that_refuses_a_retry_leaves_the_job_dead(
    database: Database, job_owners: dict[str, dead.JobOwner]
) -> None:
    async def accept(_session: AsyncSession, _payload: Mapping[str, Any], _reason: str) -> None:
        pass

    async def refuse(_session: AsyncSession, _payload: Mapping[str, Any]) -> None:
        raise ValueError("It was cancelled.")

    job_owners["work"] = dead.JobOwner(on_dead=accept, on_retry=refuse)
    row = await bury(database)

    async def retry() -> None:
        async with database.write() as session:
            await dead.retry(session, row)

    with pytest.raises(ValueError, match="cancelled"):
        await retry()
    assert len(await dead_jobs(database)) == 1


async def test_a_failing_owner_does_not_prevent_marking_the_job_dead(
    database: Database, job_owners: dict[str, dead.JobOwner]
) -> None:
    async def stumble(session: AsyncSession, _payload: Mapping[str, Any], _reason: str) -> None:
        await session.execute(text("SELECT * FROM nowhere"))

    job_owners["work"] = dead.JobOwner(on_dead=stumble)
    row = await bury(database)
    assert row.key == "work:1"


async def test_a_job_is_marked_dead_once_and_can_be_discarded(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    async def note(_session: AsyncSession, job: DeadJob) -> None:
        told.append(job.key)

    monkeypatch.setattr(dead.on_dead, "listeners", (note,))
    await bury(database)
    await bury(database)
    assert told == ["work:1"]
    async with database.write() as session:
        assert await dead.without_dead(session, [JOB]) == []
        await dead.forget(session, ["work:1", "work:2"])
        assert await dead.without_dead(session, [JOB]) == [JOB]


async def test_a_dead_job_is_deleted_with_its_project(database: Database) -> None:
    project_id = ids.new_id()
    async with database.write() as session:
        session.add(Project(id=project_id, slug="ours", name="Ours"))
    await bury(database, _of_project(project_id))
    async with database.write() as session:
        await session.execute(delete(Project))
    assert await dead_jobs(database) == []
    # A job that was still running when its project was deleted has no owner to notify.
    assert await dead.mark_dead(database, _of_project(project_id), failure=FAILURE, attempts=4)
    assert await dead_jobs(database) == []


def _of_project(project_id: UUID) -> Job:
    return Job(task="work", key="work:2", project_id=project_id)
