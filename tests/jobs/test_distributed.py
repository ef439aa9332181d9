"""Jobs on PostgreSQL, run by real worker processes that are killed, frozen and disconnected."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import text

from edison.app.tables import metadata
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs.distributed import DistributedQueue, install
from edison.jobs.job import JOBS_AT_ONCE, Depth, Job, Priority
from tests.jobs.worker import run
from tests.support.empty_databases import MakeDatabase
from tests.support.patience import PATIENCE_SECONDS
from tests.support.stoppable_postgres import stoppable_postgres
from tests.support.zygote import ZYGOTE, Child


@pytest.fixture
def url(make_database: MakeDatabase) -> str:
    return make_database("postgresql")


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(open_engine(url))
    await prepare(database)
    yield database
    await database.close()


async def prepare(database: Database) -> None:
    await install(database.engine)
    async with database.engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
        await connection.execute(
            text("CREATE TABLE notes (id serial PRIMARY KEY, worker text, job text, what text)")
        )


async def notes(database: Database) -> list[tuple[str, str, str]]:
    async with database.engine.connect() as connection:
        rows = await connection.execute(text("SELECT worker, job, what FROM notes ORDER BY id"))
        return [(row.worker, row.job, row.what) for row in rows]


async def wait_for(database: Database, what: str, *, count: int = 1) -> list[tuple[str, str, str]]:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = await notes(database)
        if sum(note[2] == what for note in found) >= count:
            return found
        await asyncio.sleep(0.02)
    pytest.fail(f"never {what}: {await notes(database)}")


@contextmanager
def worker(url: str, name: str) -> Iterator[Child]:
    ready = ZYGOTE.Event()
    process = Child(ZYGOTE.Process(target=run, args=(url, name, ready)))
    try:
        assert ready.wait(PATIENCE_SECONDS)
        yield process
    finally:
        process.kill()


def job(name: str, *, ada_takes: float = 0, task: str = "work") -> Job:
    """A short job, unless Ada runs it."""
    return Job(task=task, key=name, payload={"job": name, "seconds": {"ada": ada_takes}})


async def test_jobs_run_once_with_many_workers_and_messages(database: Database, url: str) -> None:
    queue = DistributedQueue(database)
    jobs = [job(f"job {number}") for number in range(20)]
    await queue.put(jobs)
    await queue.put(jobs)
    with worker(url, "ada"), worker(url, "charles"):
        found = await wait_for(database, "ended", count=20)
    assert sorted(name for _, name, what in found if what == "begun") == sorted(
        job.key for job in jobs
    )


async def test_urgent_jobs_run_first(database: Database, url: str) -> None:
    crowd = [job(f"job {number}", ada_takes=0.5) for number in range(2 * JOBS_AT_ONCE)]
    urgent = replace(job("urgent"), priority=Priority.INTERACTIVE)
    await DistributedQueue(database).put([*crowd, urgent])
    with worker(url, "ada"):
        found = await wait_for(database, "ended", count=len(crowd) + 1)
    begun = [name for _, name, what in found if what == "begun"]
    assert begun.index("urgent") < JOBS_AT_ONCE


async def test_the_jobs_of_a_killed_worker_are_taken_over(database: Database, url: str) -> None:
    with worker(url, "ada") as ada:
        await DistributedQueue(database).put([job("long", ada_takes=600)])
        await wait_for(database, "begun")
        ada.kill()
    with worker(url, "charles"):
        found = await wait_for(database, "ended")
    assert found[-1] == ("charles", "long", "ended")


async def test_a_stopped_worker_ends_soon_and_leaves_its_job_to_others(
    database: Database, url: str
) -> None:
    queue = DistributedQueue(database)
    with worker(url, "ada") as ada:
        await queue.put([job("long", ada_takes=600)])
        await wait_for(database, "begun")
        assert await asyncio.to_thread(ada.stop) < 10
        assert ada.exit_code == 0
    # As the sweep does when the rows show that work is missing.
    await queue.put([job("long")])
    with worker(url, "charles"):
        found = await wait_for(database, "ended")
    assert found[-1] == ("charles", "long", "ended")


async def test_a_job_that_always_fails_is_not_queued_again(database: Database, url: str) -> None:
    queue = DistributedQueue(database)
    await queue.put([job("hopeless", task="fail")])
    with worker(url, "ada"):
        await wait_for(database, "buried")
        await queue.put([job("hopeless", task="fail"), job("other")])
        await wait_for(database, "ended")
        # A worker acknowledges a finished job a moment later.
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await queue.overview()).depths:  # noqa: ASYNC110 - it happens elsewhere
                await asyncio.sleep(0.05)
    assert sum(what == "failed" for _, _, what in await notes(database)) == 4


async def test_the_overview_counts_waiting_and_running_jobs(database: Database, url: str) -> None:
    queue = DistributedQueue(database)
    with worker(url, "ada"):
        await queue.put([job("long", ada_takes=600)])
        await wait_for(database, "begun")
    await queue.put([job("urgent"), replace(job("late"), priority=Priority.BACKGROUND)])
    found = await queue.overview()
    assert found.depths == [
        Depth(task="work", priority=1, waiting=1, running=0),
        Depth(task="work", priority=5, waiting=1, running=1),
    ]
    assert found.oldest_waiting_seconds is not None


async def test_a_worker_survives_a_restart_of_the_database() -> None:
    with stoppable_postgres() as server:
        url = server.url.replace("postgresql://", "postgresql+asyncpg://") + "/postgres"
        database = Database(open_engine(url, pooled=False))
        await prepare(database)
        with worker(url, "ada"):
            await DistributedQueue(database).put([job("before")])
            await wait_for(database, "ended")
            server.crash()
            server.start()
            await DistributedQueue(database).put([job("after")])
            found = await wait_for(database, "ended", count=2)
        assert found[-1] == ("ada", "after", "ended")
        await database.close()
