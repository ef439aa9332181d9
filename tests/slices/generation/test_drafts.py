"""Drafts of a generation: accepted once, cancelled, discarded."""

import asyncio
from datetime import timedelta

from fastapi import FastAPI

from edison.kit import clock, ids
from edison.library.generation.models import NEXT, GenerationState
from tests.factories.datasets import MadeDataset
from tests.factories.generations import add_draft, make_generation
from tests.fake_providers.scripted_server import Silence
from tests.slices.generation.conftest import Desk, batch
from tests.support.browser import error_of


def url_of(dataset: MadeDataset, generation_id: object) -> str:
    return f"{dataset.url}/generations/{generation_id}"


def test_every_state_has_transitions() -> None:
    assert set(NEXT) == set(GenerationState)


async def test_drafts_become_cases_of_their_origin(app: FastAPI, dataset: MadeDataset) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=3)
    accepted = await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    assert accepted.status_code == 200, accepted.text
    assert (accepted.json()["added"], accepted.json()["copies"]) == (3, 0)
    cases = await dataset.cases(origin="synthetic")
    assert [case["inputs"]["question"] for case in cases] == [
        "Question 0?",
        "Question 1?",
        "Question 2?",
    ]
    assert [case["id"] for case in cases] == accepted.json()["case_ids"]
    after = (await dataset.editor.get(url_of(dataset, generation.id))).json()
    assert after["accepted_count"] == 3


async def test_a_case_names_the_model_that_wrote_it_and_its_prompt(
    app: FastAPI, dataset: MadeDataset
) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=1)
    await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    own = {"inputs": {"question": "Written by hand?"}}
    by_hand = (await dataset.editor.post(f"{dataset.url}/cases", json=own)).json()
    (written,) = await dataset.cases(origin="synthetic")

    author = (await dataset.editor.get(f"{dataset.url}/cases/{written['id']}/author")).json()
    assert (author["generation_id"], author["model_name"]) == (str(generation.id), "Gone")
    assert "Batch: 1" in author["prompt"]
    none = await dataset.editor.get(f"{dataset.url}/cases/{by_hand['id']}/author")
    assert (none.status_code, none.json()) == (200, None)


async def test_some_can_be_chosen_or_left_out(app: FastAPI, dataset: MadeDataset) -> None:
    generation, drafts = await make_generation(app, dataset.id, drafts=4)
    url = f"{url_of(dataset, generation.id)}/accept"
    chosen = await dataset.editor.post(url, json={"draft_ids": [str(drafts[2])]})
    assert chosen.json()["added"] == 1
    rest = await dataset.editor.post(url, json={"except_ids": [str(drafts[0])]})
    assert rest.json()["added"] == 2
    listed = (await dataset.editor.get(f"{url_of(dataset, generation.id)}/drafts")).json()["items"]
    assert [draft["case_id"] is None for draft in listed] == [True, False, False, False]


async def test_near_copies_are_only_added_when_asked_for(
    app: FastAPI, dataset: MadeDataset
) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=1)
    async with app.state.database.write() as session:
        add_draft(session, generation, 50, similarity=0.9, near_case_id=ids.new_id())
    url = f"{url_of(dataset, generation.id)}/accept"
    assert (await dataset.editor.post(url, json={})).json()["added"] == 1
    more = await dataset.editor.post(url, json={"with_near_duplicates": True})
    assert more.json()["added"] == 1


async def test_a_draft_is_added_once_under_concurrent_requests(
    app: FastAPI, dataset: MadeDataset
) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=20)
    url = f"{url_of(dataset, generation.id)}/accept"
    answers = await asyncio.gather(*(dataset.editor.post(url, json={}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert await dataset.count() == 21


async def test_copies_added_meanwhile_are_left_out(app: FastAPI, dataset: MadeDataset) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=2)
    same = {"inputs": {"question": "QUESTION  1?"}}
    await dataset.editor.post(f"{dataset.url}/cases", json=same)
    accepted = await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    assert (accepted.json()["added"], accepted.json()["copies"]) == (1, 1)


async def test_adding_can_be_undone(app: FastAPI, dataset: MadeDataset) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=2)
    await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    change = (await dataset.editor.get(dataset.url)).json()["last_change"]
    assert (change["action"], change["count"]) == ("add", 2)
    undone = await dataset.editor.post(
        f"{dataset.url}/undo", json={"change_id": change["change_id"]}
    )
    assert undone.is_success
    assert await dataset.count() == 1


async def test_foreign_and_unknown_drafts_are_refused(app: FastAPI, dataset: MadeDataset) -> None:
    generation, _ = await make_generation(app, dataset.id)
    _, others = await make_generation(app, dataset.id)
    url = f"{url_of(dataset, generation.id)}/accept"
    refused = await dataset.editor.post(url, json={"draft_ids": [str(others[0])]})
    assert refused.status_code == 404
    both = {"draft_ids": [str(others[0])], "except_ids": [str(others[1])]}
    assert (await dataset.editor.post(url, json=both)).status_code == 400
    assert await dataset.count() == 1


async def test_a_running_generation_cannot_be_accepted_or_deleted(
    app: FastAPI, dataset: MadeDataset
) -> None:
    generation, _ = await make_generation(
        app,
        dataset.id,
        state="running",
        claimed_by=ids.new_id(),
        claimed_until=clock.now() + timedelta(hours=1),
    )
    accepted = await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    deleted = await dataset.editor.delete(url_of(dataset, generation.id))
    assert (accepted.status_code, deleted.status_code) == (409, 409)
    assert "still running" in error_of(accepted)["message"]


async def test_discarding_leaves_the_cases(app: FastAPI, dataset: MadeDataset) -> None:
    generation, _ = await make_generation(app, dataset.id, drafts=2)
    await dataset.editor.post(f"{url_of(dataset, generation.id)}/accept", json={})
    assert (await dataset.editor.delete(url_of(dataset, generation.id))).status_code == 204
    assert (await dataset.editor.get(url_of(dataset, generation.id))).status_code == 404
    assert await dataset.count() == 3


async def test_cancelling_cuts_calls_off_and_keeps_drafts(desk: Desk) -> None:
    desk.server.script(batch(0), Silence())
    started = await desk.start(count=100)
    url = f"{desk.url}/{started['id']}"
    async with asyncio.timeout(30):
        while (await desk.get(started["id"]))["draft_count"] == 0:
            pass
    cancelled = await desk.dataset.editor.post(f"{url}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    async with asyncio.timeout(30):
        while any(entry["state"] == "reserved" for entry in await desk.ledger()):
            pass
    assert {entry["failure"] for entry in await desk.ledger()} == {None, "cancelled"}
    assert (await desk.get(started["id"]))["draft_count"] == 10
    assert (await desk.accept(started["id"])).json()["added"] == 10


async def test_only_one_of_many_cancels_wins(desk: Desk) -> None:
    desk.server.script(Silence())
    started = await desk.start(count=10)
    url = f"{desk.url}/{started['id']}/cancel"
    answers = await asyncio.gather(*(desk.dataset.editor.post(url) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]


async def test_a_generation_that_is_over_cannot_be_cancelled(desk: Desk) -> None:
    desk.server.script(batch(0))
    ended = await desk.generate()
    refused = await desk.dataset.editor.post(f"{desk.url}/{ended['id']}/cancel")
    assert error_of(refused)["message"] == "This generation is over."
