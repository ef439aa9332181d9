"""One process at a time works on a generation, also after crashes."""

import asyncio
from datetime import timedelta
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import update

from edison.kit import clock, ids
from edison.library.generation import service
from edison.library.generation.models import Generation
from edison.library.generation.run import run_generation
from tests.factories.generations import add_generation, make_generation
from tests.fake_providers.scripted_server import Silence
from tests.slices.generation.conftest import Desk, batch
from tests.support.patience import PATIENCE_SECONDS


async def make_queued(desk: Desk) -> UUID:
    """A queued generation without a job."""
    generation, _ = await make_generation(
        desk.dataset.app, desk.dataset.id, drafts=0, state="queued", model_id=desk.model.id
    )
    return generation.id


async def work_on(app: FastAPI, generation_id: UUID) -> None:
    await run_generation(app.state.database, app.state.gateway, generation_id)


async def change(app: FastAPI, generation_id: UUID, **values: object) -> None:
    async with app.state.database.write() as session:
        await session.execute(
            update(Generation).where(Generation.id == generation_id).values(**values)
        )


async def test_only_one_of_many_processes_works_on_a_generation(app: FastAPI, desk: Desk) -> None:
    desk.server.script(batch(0))
    generation_id = await make_queued(desk)
    await asyncio.gather(*(work_on(app, generation_id) for _ in range(5)))
    ended = await desk.finish(str(generation_id))
    assert (ended["state"], ended["draft_count"]) == ("done", 10)
    assert len(desk.server.received) == 1


async def test_a_process_that_was_replaced_stops_and_writes_nothing(
    app: FastAPI, desk: Desk
) -> None:
    desk.server.script(Silence())
    generation_id = await make_queued(desk)
    frozen = asyncio.create_task(work_on(app, generation_id))
    await desk.server.was_asked.wait()
    later = clock.now() + timedelta(hours=1)
    await change(app, generation_id, claimed_by=ids.new_id(), claimed_until=later)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await frozen
    found = await desk.get(str(generation_id))
    assert (found["state"], found["draft_count"]) == ("running", 0)
    assert {entry["failure"] for entry in await desk.ledger()} == {"cancelled"}


async def test_the_sweep_enqueues_unclaimed_generations(app: FastAPI, desk: Desk) -> None:
    """Before the real sweep can see them."""
    now, soon = clock.now(), timedelta(minutes=1)
    async with app.state.database.write() as session:
        add_generation(session, desk.dataset.id, state="done")
        add_generation(session, desk.dataset.id, state="running", claimed_until=now + soon)
        left = add_generation(session, desk.dataset.id, state="running", claimed_until=now - soon)
        queued = add_generation(session, desk.dataset.id, state="queued")
        await session.flush()
        jobs = await service.list_missing_jobs(session)
    assert {job.key for job in jobs} == {f"generate_cases:{each.id}" for each in (left, queued)}


async def test_a_deleted_dataset_ends_the_work(app: FastAPI, desk: Desk) -> None:
    desk.server.script(Silence())
    generation_id = await make_queued(desk)
    working = asyncio.create_task(work_on(app, generation_id))
    await desk.server.was_asked.wait()
    assert (await desk.dataset.editor.delete(desk.dataset.url)).status_code == 204
    async with asyncio.timeout(PATIENCE_SECONDS):
        await working


async def test_without_its_model_nothing_can_be_written(app: FastAPI, desk: Desk) -> None:
    generation_id = await make_queued(desk)
    await change(app, generation_id, model_id=None)
    await work_on(app, generation_id)
    ended = await desk.finish(str(generation_id))
    assert (ended["state"], ended["failure"]) == ("failed", "model_not_found")
    assert desk.server.received == []
