"""The queue inside the server process."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from edison.db.session import Database
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Depth, Job, Overview, Priority


class JobRecorder:
    """Records running jobs, and lets each continue on request."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    async def work(self, payload: Mapping[str, Any]) -> None:
        name = payload["name"]
        self.begun.append(name)
        await self.gates.setdefault(name, asyncio.Event()).wait()
        self.ended.append(name)

    def release(self, name: str) -> None:
        self.gates.setdefault(name, asyncio.Event()).set()


def job(name: str, *, priority: Priority = Priority.NORMAL, key: str | None = None) -> Job:
    return Job(task="work", key=key or name, payload={"name": name}, priority=priority)


@pytest.fixture
def workshop() -> JobRecorder:
    return JobRecorder()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_concurrency_is_limited_and_urgent_jobs_run_first(
    database: Database, workshop: JobRecorder
) -> None:
    queue = EmbeddedQueue(database, {"work": workshop.work}, concurrency=1)
    await queue.put([job("first")])
    await queue.put([job("late", priority=Priority.BACKGROUND), job("second"), job("third")])
    await queue.put([job("urgent", priority=Priority.INTERACTIVE)])
    for name in ("first", "urgent", "second", "third", "late"):
        await settle()
        assert workshop.begun[-1] == name
        workshop.release(name)
    await settle()
    assert workshop.ended == ["first", "urgent", "second", "third", "late"]
    await queue.close()


async def test_jobs_with_the_same_key_are_merged(database: Database, workshop: JobRecorder) -> None:
    queue = EmbeddedQueue(database, {"work": workshop.work}, concurrency=1)
    await queue.put([job("busy")])
    await queue.put([job("same"), job("same"), job("same")])
    workshop.release("busy")
    workshop.release("same")
    await settle()
    assert workshop.begun == ["busy", "same"]
    await queue.close()


async def test_a_job_requested_while_running_runs_again(
    database: Database, workshop: JobRecorder
) -> None:
    queue = EmbeddedQueue(database, {"work": workshop.work})
    await queue.put([job("same")])
    await settle()
    await queue.put([job("same")])
    await queue.put([job("same")])
    workshop.release("same")
    await settle()
    assert workshop.ended == ["same", "same"]
    await queue.close()


async def test_closing_cancels_running_jobs_and_starts_none(
    database: Database, workshop: JobRecorder
) -> None:
    queue = EmbeddedQueue(database, {"work": workshop.work}, concurrency=1)
    await queue.put([job("running"), job("waiting")])
    await settle()
    await queue.close()
    await queue.put([job("later")])
    await settle()
    assert workshop.begun == ["running"]
    assert workshop.ended == []


def failing(times: int, done: list[str]) -> Callable[[Mapping[str, Any]], Awaitable[None]]:
    failures = iter(range(times))

    async def work(payload: Mapping[str, Any]) -> None:
        if next(failures, None) is not None:
            raise RuntimeError("not yet")
        done.append(payload["name"])

    return work


async def test_a_task_that_raises_runs_again(database: Database) -> None:
    pauses: list[float] = []

    async def note(seconds: float) -> None:
        pauses.append(seconds)

    done: list[str] = []
    queue = EmbeddedQueue(database, {"work": failing(3, done)}, sleep=note)
    await queue.put([job("stubborn")])
    await settle()
    assert done == ["stubborn"]
    assert pauses == [1, 2, 4]


async def test_the_overview_counts_waiting_and_running_jobs(
    database: Database, workshop: JobRecorder
) -> None:
    queue = EmbeddedQueue(database, {"work": workshop.work}, concurrency=2)
    assert await queue.overview() == Overview(depths=[], oldest_waiting_seconds=None)
    urgent = [job(name, priority=Priority.INTERACTIVE) for name in ("first", "second", "third")]
    await queue.put([*urgent, job("late", priority=Priority.BACKGROUND)])
    found = await queue.overview()
    assert found.depths == [
        Depth(task="work", priority=1, waiting=1, running=0),
        Depth(task="work", priority=10, waiting=1, running=2),
    ]
    assert found.oldest_waiting_seconds is not None
    await queue.close()
