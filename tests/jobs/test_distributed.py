"""Jobs on PostgreSQL, run by real worker processes that are killed, frozen and cut off."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.db.engine import open_engine
from edison.jobs.distributed import JOBS_AT_ONCE, DistributedQueue, install
from edison.jobs.job import Job, Priority
from tests.support.empty_databases import MakeDatabase
from tests.support.stoppable_postgres import stoppable_postgres

REPOSITORY = Path(__file__).parents[2]
PATIENCE_SECONDS = 60


@pytest.fixture
def url(make_database: MakeDatabase) -> str:
    return make_database("postgresql")


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(url)
    await prepare(engine)
    yield engine
    await engine.dispose()


async def prepare(engine: AsyncEngine) -> None:
    await install(engine)
    async with engine.begin() as connection:
        await connection.execute(
            text("CREATE TABLE notes (id serial PRIMARY KEY, worker text, job text, what text)")
        )


async def notes(engine: AsyncEngine) -> list[tuple[str, str, str]]:
    async with engine.connect() as connection:
        rows = await connection.execute(text("SELECT worker, job, what FROM notes ORDER BY id"))
        return [(row.worker, row.job, row.what) for row in rows]


async def wait_for(engine: AsyncEngine, what: str, *, count: int = 1) -> list[tuple[str, str, str]]:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = await notes(engine)
        if sum(note[2] == what for note in found) >= count:
            return found
    pytest.fail(f"never {what}: {await notes(engine)}")


@contextmanager
def worker(url: str, name: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.jobs.worker", url, name]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def job(name: str, *, ada_takes: float = 0, task: str = "work") -> Job:
    """Quick work, unless it is Ada's."""
    return Job(task=task, key=name, payload={"job": name, "seconds": {"ada": ada_takes}})


async def test_jobs_run_once_however_many_workers_and_messages(
    engine: AsyncEngine, url: str
) -> None:
    queue = DistributedQueue(engine)
    jobs = [job(f"job {number}") for number in range(20)]
    await queue.put(jobs)
    await queue.put(jobs)
    with worker(url, "ada"), worker(url, "charles"):
        found = await wait_for(engine, "ended", count=20)
    assert sorted(name for _, name, what in found if what == "begun") == sorted(
        job.key for job in jobs
    )


async def test_the_urgent_go_first(engine: AsyncEngine, url: str) -> None:
    crowd = [job(f"job {number}", ada_takes=0.5) for number in range(2 * JOBS_AT_ONCE)]
    urgent = replace(job("urgent"), priority=Priority.INTERACTIVE)
    await DistributedQueue(engine).put([*crowd, urgent])
    with worker(url, "ada"):
        found = await wait_for(engine, "ended", count=len(crowd) + 1)
    begun = [name for _, name, what in found if what == "begun"]
    assert begun.index("urgent") < JOBS_AT_ONCE


async def test_the_jobs_of_a_killed_worker_are_taken_over(engine: AsyncEngine, url: str) -> None:
    with worker(url, "ada") as ada:
        await DistributedQueue(engine).put([job("long", ada_takes=600)])
        await wait_for(engine, "begun")
        ada.kill()
    with worker(url, "charles"):
        found = await wait_for(engine, "ended")
    assert found[-1] == ("charles", "long", "ended")


async def test_a_stopped_worker_ends_soon_and_leaves_its_job_to_others(
    engine: AsyncEngine, url: str
) -> None:
    queue = DistributedQueue(engine)
    with worker(url, "ada") as ada:
        await queue.put([job("long", ada_takes=600)])
        await wait_for(engine, "begun")
        ada.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(ada.wait, 15) == 0
    # What the sweep does, once it sees in the rows that the work is missing.
    await queue.put([job("long")])
    with worker(url, "charles"):
        found = await wait_for(engine, "ended")
    assert found[-1] == ("charles", "long", "ended")


async def test_a_job_that_always_fails_is_held_and_not_queued_again(
    engine: AsyncEngine, url: str
) -> None:
    queue = DistributedQueue(engine)
    await queue.put([job("hopeless", task="fail")])
    with worker(url, "ada"):
        await wait_for(engine, "failed", count=4)
        await queue.put([job("hopeless", task="fail"), job("other")])
        found = await wait_for(engine, "ended")
    assert sum(what == "failed" for _, _, what in found) == 4


async def test_a_worker_survives_a_restart_of_the_database() -> None:
    with stoppable_postgres() as server:
        url = server.url.replace("postgresql://", "postgresql+asyncpg://") + "/postgres"
        engine = open_engine(url, pooled=False)
        await prepare(engine)
        with worker(url, "ada"):
            await DistributedQueue(engine).put([job("before")])
            await wait_for(engine, "ended")
            server.crash()
            server.start()
            await DistributedQueue(engine).put([job("after")])
            found = await wait_for(engine, "ended", count=2)
        assert found[-1] == ("ada", "after", "ended")
        await engine.dispose()
