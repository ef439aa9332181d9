"""A process takes the chunks of a run that it has use for, one after another."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import distributed, embedded
from edison.jobs.job import Job
from edison.runs.fill import claimed_chunk, filler
from edison.runs.fill.chunk import FillTools
from edison.runs.fill.filler import RunFillers
from edison.runs.fill.work import Work, load
from edison.runs.plan import types
from edison.runs.store import transitions
from edison.runs.store.live_text import LiveTextWriter
from edison.runs.store.models import Run, RunChunk
from edison.settings import Settings
from tests.slices.runs.conftest import Desk

SLOTS = 4
# More than are called or wait their turn to be called.
CELLS_PER_CHUNK = 4 * SLOTS
INPUTS = [
    {"question": f"Where is parcel number {number}?"} for number in range(3 * CELLS_PER_CHUNK)
]

Fill = Callable[[RunFillers, UUID, int], Awaitable[None]]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"calls_per_credential": SLOTS})


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "CELLS_PER_CHUNK", CELLS_PER_CHUNK)


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Fill:
    """What the jobs of the app would do: it does nothing by itself."""
    original = RunFillers.fill

    async def ignore(fillers: RunFillers, run_id: UUID, number: int) -> None:
        """The job does nothing."""

    monkeypatch.setattr(RunFillers, "fill", ignore)
    return original


def process(desk: Desk) -> RunFillers:
    """What fills runs in a process."""
    state = desk.app.state
    tools = FillTools(
        database=state.background_database,
        gateway=state.gateway,
        batch_writer=state.batch_writer,
        live_text_writer=LiveTextWriter(state.background_database.broadcasts),
    )
    return RunFillers(tools)


@pytest.fixture
def requested(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks of the jobs that runs request, one for their chunks at a time."""
    tasks: list[str] = []
    request = transitions.jobs.request

    def noting(session: AsyncSession, job: Job) -> None:
        tasks.append(job.task)
        request(session, job)

    monkeypatch.setattr(transitions.jobs, "request", noting)
    monkeypatch.setattr(transitions, "CHUNKS_AT_ONCE", 1)
    return tasks


async def test_one_job_fills_a_whole_run(
    desk: Desk, small_chunks: None, requested: list[str]
) -> None:
    run = await desk.run(inputs=INPUTS, dataset_id=None)
    assert (run["state"], run["done_count"]) == ("completed", 3 * CELLS_PER_CHUNK)
    assert requested == [transitions.FILL, transitions.AGGREGATE]


async def test_a_long_run_waits_in_the_queue_from_time_to_time(
    desk: Desk, small_chunks: None, requested: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filler, "CHUNKS_IN_A_ROW", 1)
    run = await desk.run(inputs=INPUTS, dataset_id=None)
    assert (run["state"], run["done_count"]) == ("completed", 3 * CELLS_PER_CHUNK)
    assert requested == [*[transitions.FILL] * 3, transitions.AGGREGATE]


async def test_a_busy_process_leaves_chunks_to_others(
    desk: Desk, small_chunks: None, fill: Fill
) -> None:
    # The answers to the second and third chunk are in the cache.
    known = await desk.start(inputs=INPUTS[CELLS_PER_CHUNK:], dataset_id=None)
    await fill(process(desk), UUID(known["id"]), 0)
    desk.server.hold()
    run = await desk.start(inputs=INPUTS, dataset_id=None)
    run_id = UUID(run["id"])
    busy = asyncio.create_task(fill(process(desk), run_id, 0))
    await desk.until_asked(2 * CELLS_PER_CHUNK + SLOTS)

    await fill(process(desk), run_id, 1)
    done = await desk.get(f"/runs/{run_id}")
    assert (done["done_count"], done["cached_count"]) == (2 * CELLS_PER_CHUNK, 2 * CELLS_PER_CHUNK)
    assert not busy.done()

    desk.server.release()
    await busy
    assert (await desk.get(f"/runs/{run_id}"))["done_count"] == 3 * CELLS_PER_CHUNK


async def test_a_further_job_of_a_run_ends_at_once(
    desk: Desk, small_chunks: None, fill: Fill
) -> None:
    desk.server.hold()
    run = await desk.start(inputs=INPUTS, dataset_id=None)
    fillers, run_id = process(desk), UUID(run["id"])
    filling = asyncio.create_task(fill(fillers, run_id, 0))
    await desk.until_asked(SLOTS)
    await fill(fillers, run_id, 1)
    assert not filling.done()
    desk.server.release()
    await filling
    assert (await desk.get(f"/runs/{run_id}"))["done_count"] == 3 * CELLS_PER_CHUNK


async def test_a_chunk_that_cannot_be_filled_fails_its_run_after_the_others_are_filled(
    desk: Desk, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[int] = []

    async def failing(session: AsyncSession, run: Run, chunk: RunChunk) -> Work:
        if chunk.number == 1:
            loads.append(1)
            raise ZeroDivisionError
        return await load(session, run, chunk)

    monkeypatch.setattr(claimed_chunk, "load", failing)
    for queue in (embedded, distributed):
        monkeypatch.setattr(queue, "delay_before", lambda _: timedelta())
    monkeypatch.setattr(transitions, "CHUNKS_AT_ONCE", 1)
    run = await desk.run(inputs=INPUTS, dataset_id=None)
    assert (run["state"], run["done_count"]) == ("failed", 2 * CELLS_PER_CHUNK)
    # Once as one of several chunks, then as often as any job is attempted.
    assert len(loads) == 1 + embedded.MOST_ATTEMPTS

    monkeypatch.setattr(claimed_chunk, "load", load)
    response: Any = await desk.post(f"/runs/{run['id']}/resume")
    assert response.status_code == 200
    assert (await desk.finish(run["id"]))["state"] == "completed"
