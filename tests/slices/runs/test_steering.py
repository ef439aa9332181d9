"""Pausing, resuming and cancelling runs."""

import asyncio
import time

import pytest

from edison.settings import Settings
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Silence
from tests.slices.runs.conftest import Desk
from tests.support.browser import error_of


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Two calls at a time, so that some of six are always left."""
    return settings.model_copy(update={"calls_per_credential": 2})


async def start_and_hold(desk: Desk) -> str:
    """A run with one call that the model answers late, and one that it never answers."""
    desk.server.script(openai.completion("Done."), Silence())
    run = await desk.start()
    await desk.until_asked(3)
    return str(run["id"])


async def test_a_pause_starts_no_calls_and_a_resume_makes_only_missing_ones(
    desk: Desk,
) -> None:
    run_id = await start_and_hold(desk)

    paused = await desk.post(f"/runs/{run_id}/pause")
    assert paused.status_code == 200, paused.text
    assert paused.json()["state"] == "paused"
    assert paused.json()["reason"] == "person"
    asked = len(desk.server.received)
    await asyncio.sleep(0.3)
    assert len(desk.server.received) == asked == 3

    cancelled = await desk.post(f"/runs/{run_id}/cancel")
    assert cancelled.json()["state"] == "cancelled"


async def test_a_resumed_run_makes_exactly_the_missing_cells(desk: Desk) -> None:
    run = await desk.start()
    await desk.until_asked(1)
    await desk.post(f"/runs/{run['id']}/pause")
    await asyncio.sleep(0.2)
    stopped = await desk.get(f"/runs/{run['id']}")
    if stopped["state"] == "paused":
        resumed = await desk.post(f"/runs/{run['id']}/resume")
        assert resumed.status_code == 200, resumed.text

    ended = await desk.finish(run["id"])
    assert (ended["state"], ended["done_count"]) == ("completed", 6)
    assert len(desk.server.received) == 6


async def test_a_cancellation_stops_calls_and_keeps_finished_cells(desk: Desk) -> None:
    run_id = await start_and_hold(desk)
    await desk.until_it(run_id, lambda run: run["done_count"] == 1)

    assert (await desk.post(f"/runs/{run_id}/cancel")).json()["state"] == "cancelled"

    async with asyncio.timeout(10):
        while "reserved" in {entry["state"] for entry in await desk.ledger()}:
            await asyncio.to_thread(time.sleep, 0.05)
    ledger = await desk.ledger()
    assert {entry["failure"] for entry in ledger} == {None, "cancelled"}
    cells = await desk.cells(run_id)
    assert [cell["preview"] for cell in cells] == ["Done."]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("pause", "A run that is completed cannot be paused."),
        ("resume", "A run that is completed cannot be resumed."),
        ("cancel", "A run that is completed cannot be cancelled."),
        ("retry", "No cell of this run has failed."),
    ],
)
async def test_actions_that_the_state_does_not_allow_are_refused(
    desk: Desk, action: str, message: str
) -> None:
    run = await desk.run()

    response = await desk.post(f"/runs/{run['id']}/{action}")
    assert response.status_code == 409
    assert error_of(response)["message"] == message
    assert (await desk.get(f"/runs/{run['id']}"))["state"] == "completed"


async def test_a_run_lists_its_allowed_actions(desk: Desk) -> None:
    run_id = await start_and_hold(desk)
    assert (await desk.get(f"/runs/{run_id}"))["actions"] == ["pause", "cancel"]

    await desk.post(f"/runs/{run_id}/pause")
    assert (await desk.get(f"/runs/{run_id}"))["actions"] == ["resume", "cancel"]

    await desk.post(f"/runs/{run_id}/cancel")
    assert (await desk.get(f"/runs/{run_id}"))["actions"] == ["again", "replay"]


async def test_only_a_run_that_is_over_can_be_deleted(desk: Desk) -> None:
    run_id = await start_and_hold(desk)
    url = f"{desk.url}/{run_id}"

    assert (await desk.dataset.editor.delete(url)).status_code == 409
    await desk.post(f"/runs/{run_id}/cancel")
    assert (await desk.dataset.editor.delete(url)).status_code == 204
    assert (await desk.dataset.editor.get(url)).status_code == 404
