"""Jobs requested in a transaction are queued on commit, and found again by the sweep."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Job, deliver, request
from edison.jobs.sweep import sweep_regularly
from tests.support.patience import PATIENCE_SECONDS


class JobLog:
    def __init__(self) -> None:
        self.done: list[str] = []
        self._news = asyncio.Event()

    async def work(self, payload: Mapping[str, Any]) -> None:
        self.done.append(payload["name"])
        self._news.set()

    async def wait(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.done) < count:
                self._news.clear()
                await self._news.wait()


def job(name: str) -> Job:
    return Job(task="work", key=name, payload={"name": name})


@pytest.fixture
def diary() -> JobLog:
    return JobLog()


@pytest.fixture
async def queue(database: Database, diary: JobLog) -> AsyncIterator[EmbeddedQueue]:
    queue = EmbeddedQueue(database, {"work": diary.work})
    database.after_commit = partial(deliver, queue)
    yield queue
    await queue.close()


async def test_a_job_runs_once_its_transaction_has_committed(
    database: Database, queue: EmbeddedQueue, diary: JobLog
) -> None:
    async with database.write() as session:
        request(session, job("wanted"))
        request(session, job("wanted"))
        await asyncio.sleep(0)
        assert diary.done == []
    await diary.wait(1)
    assert diary.done == ["wanted"]


async def test_a_job_of_a_transaction_that_failed_never_runs(
    database: Database, queue: EmbeddedQueue, diary: JobLog
) -> None:
    async def fail() -> None:
        async with database.write() as session:
            request(session, job("unwanted"))
            await session.execute(text("SELECT * FROM nowhere"))

    with pytest.raises(OperationalError):
        await fail()
    async with database.write() as session:
        request(session, job("wanted"))
    await diary.wait(1)
    assert diary.done == ["wanted"]


async def test_the_sweep_queues_missing_jobs_and_survives_an_outage(
    database: Database, queue: EmbeddedQueue, diary: JobLog
) -> None:
    turns = iter(range(100))

    async def sweeper(session: AsyncSession) -> Sequence[Job]:
        turn = next(turns)
        if turn == 1:
            await session.execute(text("SELECT * FROM nowhere"))
        return [job(f"turn {turn}")]

    is_stopping = asyncio.Event()
    running = asyncio.create_task(
        sweep_regularly(database, queue, [sweeper], every_seconds=0.01, is_stopping=is_stopping)
    )
    await diary.wait(2)
    is_stopping.set()
    await running
    assert diary.done[:2] == ["turn 0", "turn 2"]
