"""Cells answered in waves: written together, and withdrawn, refused or retried one by one."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.calls.wave import WaveCall
from edison.runs.fill.places import Places
from edison.runs.fill.work import Cell
from edison.runs.plan import types
from edison.runs.store.batch import STORE_WAVE
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.settings import Settings
from edison.workspace.budgets.ledger_batch import LEDGER, Charge, Reserve
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Role
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer, Silence
from tests.slices.runs.conftest import PRICES, Desk
from tests.support.patience import PATIENCE_SECONDS

SLOTS = 4
FAILURE = openai.error(500)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"calls_per_credential": SLOTS})


@pytest.fixture
def ledger_items(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The items that the ledger was given."""
    items: list[Any] = []
    apply = type(LEDGER).begin

    async def noting(self: Any, session: AsyncSession, given: Sequence[Any]) -> Any:
        items.extend(given)
        return await apply(self, session, given)

    monkeypatch.setattr(type(LEDGER), "begin", noting)
    return items


async def test_calls_and_answers_of_a_wave_are_one_item(
    desk: Desk, ledger_items: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[int] = []
    apply = type(STORE_WAVE).begin

    async def noting(self: Any, session: AsyncSession, items: Sequence[Any]) -> Any:
        stored.extend(map(len, items))
        return await apply(self, session, items)

    monkeypatch.setattr(type(STORE_WAVE), "begin", noting)
    run = await desk.run()
    assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 6, 0)
    assert [item for item in ledger_items if not isinstance(item, Sequence)] == []
    reserved = [item for item in ledger_items if isinstance(item[0], Reserve)]
    assert len(reserved[0]) == SLOTS
    assert sum(map(len, reserved)) == 6
    charged = [item for item in ledger_items if isinstance(item[0], Charge)]
    assert sum(map(len, charged)) == sum(stored) == 6
    entries = await desk.ledger()
    assert {entry["state"] for entry in entries} == {"settled"}
    assert len({entry["id"] for entry in entries}) == 6


def count_instances(*types: type) -> int:
    return sum(isinstance(each, types) for each in gc.get_objects())


async def test_cells_and_calls_are_freed_without_a_garbage_collection(desk: Desk) -> None:
    """Collecting those of a large run would take memory and time."""
    gc.collect()
    gc.disable()
    try:
        await desk.run()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while count_instances(Cell, WaveCall):  # noqa: ASYNC110 - nothing tells when it is 0
                await asyncio.sleep(0.05)
    finally:
        gc.enable()


async def test_the_end_of_a_chunk_cancels_no_statement(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cancelled one costs its connection, and its traceback keeps all cells of the chunk."""
    cancelled: list[UUID] = []
    find = Runs.find

    async def find_slowly(self: Runs, id: UUID) -> Run | None:
        try:
            await asyncio.sleep(0.5)
        except asyncio.CancelledError:
            cancelled.append(id)
            raise
        return await find(self, id)

    monkeypatch.setattr(Runs, "find", find_slowly)
    await desk.run()
    assert cancelled == []


async def test_cached_answers_of_several_variants_need_no_second_attempt(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    variants = [desk.variant(), desk.variant(parameters={"max_tokens": 50})]
    for _ in range(2):
        run = await desk.run(variants=variants)
        assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 12, 0)
    assert len(await desk.ledger()) == 12
    assert "job failed" not in caplog.text


async def test_a_failed_call_of_a_wave_is_retried_and_all_attempts_count(desk: Desk) -> None:
    desk.server.replies = [FAILURE, openai.completion("It is on its way.")]
    run = await desk.run()
    assert (run["state"], run["done_count"], run["error_count"]) == ("completed", 6, 0)
    assert sorted(entry["attempt"] for entry in await desk.ledger()) == [1, 1, 1, 1, 1, 1, 2]


async def test_a_pause_withdraws_what_is_not_sent(desk: Desk) -> None:
    """Calls in flight go on; cells that wait for a slot have no entry."""
    desk.server.replies = [Silence()]
    run = await desk.start()
    await desk.until_asked(SLOTS)
    assert (await desk.post(f"/runs/{run['id']}/pause")).status_code == 200
    assert [entry["state"] for entry in await desk.ledger()] == ["reserved"] * SLOTS

    assert (await desk.post(f"/runs/{run['id']}/cancel")).status_code == 200
    async with asyncio.timeout(PATIENCE_SECONDS):
        entries = await desk.ledger()
        while "reserved" in {entry["state"] for entry in entries}:
            entries = await desk.ledger()
    assert [entry["failure"] for entry in entries] == ["cancelled"] * SLOTS
    assert len(desk.server.received) == SLOTS


async def test_a_wave_is_cut_where_the_budget_ends(desk: Desk) -> None:
    """The cells that fit are answered, and the run pauses without passing the limit."""
    costly: Answer = openai.completion(
        "Long.", usage={"prompt_tokens": 10, "completion_tokens": 100, "total_tokens": 110}
    )
    desk.server.script(costly)
    admin = await make_member(desk.app, desk.dataset.project, Role.ADMIN)
    made = await admin.browser.post(
        f"{desk.project_url}/budgets", json={"period": "total", "limit_usd": "0.0025"}
    )
    assert made.status_code == 201, made.text
    run = await desk.start(variants=[desk.variant(parameters={"max_tokens": 100})])
    # The answers of calls in flight are stored after the pause.
    paused = await desk.until_it(
        run["id"], lambda run: run["state"] == "paused" and run["done_count"] > 0
    )
    assert paused["reason"] == "budget"
    assert paused["done_count"] <= 3
    assert float(paused["cost_usd"]) <= 0.0025
    assert "reserved" not in {entry["state"] for entry in await desk.ledger()}


async def test_a_second_model_or_another_try_is_called_alone(
    desk: Desk, ledger_items: list[Any]
) -> None:
    variant = desk.variant(fallback_model_id=str(desk.model.id))
    run = await desk.run(variants=[variant])
    assert (run["state"], run["done_count"]) == ("completed", 6)
    assert [item for item in ledger_items if isinstance(item, Sequence)] == []


async def test_a_shutdown_does_not_wait_for_retries(desk: Desk) -> None:
    """After the test the provider goes away first: calls in flight fail while the application shuts
    down, for which it has 5 seconds.
    """
    await desk.start(variants=[desk.variant(), desk.variant(parameters={"max_tokens": 50})])


async def test_cached_answers_of_one_model_do_not_stop_the_wave_of_another(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk.app.state.database.read() as session:
        credential = await session.get_one(Credential, desk.model.credential_id)
    other = await make_model(desk.app, credential, "gpt-y", prices=PRICES)
    await desk.run()
    run = await desk.run(variants=[desk.variant(), desk.variant(model_id=str(other.id))])
    assert (run["state"], run["done_count"], run["cached_count"]) == ("completed", 12, 6)
    assert "job failed" not in caplog.text


async def test_calls_that_went_stale_while_another_chunk_had_the_places_are_made(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first bill shows that their reservations would be too small."""
    monkeypatch.setattr(types, "CELLS_PER_CHUNK", SLOTS + 1)
    both_wait = asyncio.Event()
    waiting: list[Callable[[], None]] = []
    join = Places.join

    def noting(self: Places, start: Callable[[], None]) -> None:
        join(self, start)
        waiting.append(start)
        if len(waiting) == 2:
            both_wait.set()

    monkeypatch.setattr(Places, "join", noting)
    dear = {"prompt_tokens": 500, "completion_tokens": 10, "total_tokens": 510}
    desk.server.script(openai.completion("It is on its way.", usage=dear))
    desk.server.hold()
    run = await desk.start()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await both_wait.wait()
    desk.server.hold(lambda asked: "number 0?" not in asked.raw.decode())
    await desk.until_it(run["id"], lambda run: run["done_count"] == 1)
    desk.server.release()
    assert (await desk.finish(run["id"]))["done_count"] == 6


async def test_cells_of_a_slow_model_do_not_stop_those_of_another(desk: Desk) -> None:
    """There are more of the slow one than are called at a time."""
    answer = openai.completion("It is on its way.")
    desk.server.choose = lambda asked: Silence() if asked.body["model"] == "slow" else answer
    credential = await make_credential(
        desk.app,
        desk.dataset.project.id,
        "openai_compatible",
        settings={"base_url": desk.server.url},
    )
    slow = await make_model(desk.app, credential, "slow", prices=PRICES)
    run = await desk.start(
        variants=[desk.variant(model_id=str(slow.id)), desk.variant()], repeats=3
    )
    await desk.until_it(run["id"], lambda run: run["done_count"] == 18)
    entries = [entry for entry in await desk.ledger() if entry["model"] == "slow"]
    assert [entry["state"] for entry in entries] == ["reserved"] * SLOTS
    assert (await desk.post(f"/runs/{run['id']}/cancel")).status_code == 200
