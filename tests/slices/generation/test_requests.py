"""Requests for generations: validation, estimates, events and permissions."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from edison.kit import ids
from edison.library.models.models import Model
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Role
from tests.factories.generations import make_generation
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member
from tests.factories.prompts import make_prompt
from tests.slices.generation.conftest import Desk, batch
from tests.support.browser import error_of, fields_of

ABSENT = str(ids.new_id())


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"count": 9}, "count"),
        ({"count": 501}, "count"),
        ({"count": "many"}, "count"),
        ({"hints": "too short"}, "hints"),
        ({"hints": "x" * 1001}, "hints"),
        ({"hints": "NUL \x00 in otherwise long enough hints"}, "hints"),
        ({"diversity": 0}, "diversity"),
        ({"diversity": 11}, "diversity"),
        ({"length_buckets": ["XXL"]}, "length_buckets.0"),
        ({"languages": ["e"]}, "languages.0"),
        ({"languages": [f"language {n}" for n in range(11)]}, "languages"),
        ({"variables": ["no good"]}, "variables"),
        ({"tags": ["a,b"]}, "tags"),
        ({"model_id": ABSENT}, "model_id"),
        ({"kind": "poetry"}, "kind"),
        ({"surprise": 1}, "surprise"),
    ],
)
async def test_every_field_is_checked(desk: Desk, changes: dict[str, Any], field: str) -> None:
    for path in ("", "/estimate"):
        refused = await desk.dataset.editor.post(desk.url + path, json=desk.body(**changes))
        assert refused.status_code == 400, refused.text
        assert fields_of(refused) == {field}
    assert (await desk.dataset.editor.get(desk.url)).json()["items"] == []
    assert desk.server.received == []


async def test_a_model_that_is_switched_off_is_refused(desk: Desk) -> None:
    async with desk.dataset.app.state.database.write() as session:
        (await session.get_one(Model, desk.model.id)).is_enabled = False
    refused = await desk.dataset.editor.post(desk.url, json=desk.body())
    assert fields_of(refused) == {"model_id"}


def attack(desk: Desk, prompt_id: UUID | str) -> dict[str, Any]:
    return {"kind": "adversarial", "model_id": str(desk.model.id), "prompt_id": str(prompt_id)}


async def test_an_attack_needs_a_prompt_with_variables(desk: Desk) -> None:
    project_id = desk.dataset.project.id
    bare = await make_prompt(desk.dataset.app, project_id, text="Say hello to the whole world.")
    empty = await make_prompt(desk.dataset.app, project_id, text="")
    for prompt_id in (ABSENT, bare.id, empty.id):
        refused = await desk.dataset.editor.post(desk.url, json=attack(desk, prompt_id))
        assert fields_of(refused) == {"prompt_id"}


async def test_an_attack_may_be_on_a_prompt_that_is_not_saved(desk: Desk) -> None:
    body = {"kind": "adversarial", "model_id": str(desk.model.id)}
    for wrong, field in (
        ({}, "prompt_id"),
        ({"prompt": {"text": " "}}, "prompt"),
        ({"prompt": {"text": "Say hello."}}, "prompt"),
    ):
        refused = await desk.dataset.editor.post(f"{desk.url}/estimate", json=body | wrong)
        assert fields_of(refused) == {field}
    written = {"syntax": "single", "system": "Be kind.", "text": "Reply to {message}."}
    told = await desk.dataset.editor.post(f"{desk.url}/estimate", json=body | {"prompt": written})
    assert told.is_success


async def test_questions_need_to_know_their_variable(desk: Desk) -> None:
    inputs = {"first": "a", "second": "b"}
    await desk.dataset.editor.post(f"{desk.dataset.url}/cases", json={"inputs": inputs})
    (case, *_) = await desk.dataset.cases()
    await desk.dataset.editor.delete(f"{desk.dataset.url}/cases/{case['id']}")
    body = {"kind": "questions", "model_id": str(desk.model.id), "topic": "Tides", "count": 1}
    refused = await desk.dataset.editor.post(f"{desk.url}/estimate", json=body)
    assert fields_of(refused) == {"variables"}
    named = body | {"variables": ["second"]}
    assert (await desk.dataset.editor.post(f"{desk.url}/estimate", json=named)).is_success


async def test_an_empty_dataset_has_no_gaps_to_fill(desk: Desk) -> None:
    (case,) = await desk.dataset.cases()
    await desk.dataset.editor.delete(f"{desk.dataset.url}/cases/{case['id']}")
    refused = await desk.dataset.editor.post(desk.url, json=desk.body(kind="gaps", hints=None))
    assert fields_of(refused) == {"kind"}


async def test_an_archived_dataset_is_refused(desk: Desk) -> None:
    await desk.dataset.editor.patch(desk.dataset.url, json={"is_archived": True})
    refused = await desk.dataset.editor.post(desk.url, json=desk.body())
    assert (refused.status_code, error_of(refused)["code"]) == (409, "ARCHIVED")


async def test_an_estimate_is_a_range_with_its_assumptions(desk: Desk) -> None:
    response = await desk.dataset.editor.post(f"{desk.url}/estimate", json=desk.body(count=100))
    found = response.json()
    assert found["calls"] == {"low": 10, "high": 15}
    assert 0 < found["input_tokens"]["low"] < found["input_tokens"]["high"]
    tokens_in, tokens_out = found["input_tokens"]["low"], found["output_tokens"]["low"]
    least = (tokens_in * 2 + tokens_out * 8) / 1_000_000
    assert float(found["cost_usd"]["low"]) == pytest.approx(least)
    assert float(found["cost_usd"]["low"]) < float(found["cost_usd"]["high"])
    assert 1 <= found["seconds"]["low"] < found["seconds"]["high"]
    assert "Each call asks for up to 10 cases" in found["assumptions"][0]
    assert desk.server.received == []


async def test_an_unknown_price_is_reported(desk: Desk) -> None:
    project_id = desk.dataset.project.id
    credential = await make_credential(
        desk.dataset.app, project_id, "openai_compatible", settings={"base_url": desk.server.url}
    )
    model = await make_model(desk.dataset.app, credential, "nobody-knows", display_name="Free?")
    body = desk.body(model_id=str(model.id))
    found = (await desk.dataset.editor.post(f"{desk.url}/estimate", json=body)).json()
    assert found["cost_usd"] is None
    assert "The price of Free? is unknown, and so is the cost." in found["assumptions"]
    desk.server.script(batch(0))
    assert (await desk.generate(model_id=str(model.id)))["cost_usd"] is None


async def test_progress_is_published_as_events(desk: Desk) -> None:
    desk.server.script(batch(0), batch(1))
    ended = await desk.generate(count=20)
    async with desk.dataset.app.state.database.read() as session:
        statement = select(Event).where(Event.kind == "generation.changed").order_by(Event.number)
        told = [event.data for event in await session.scalars(statement)]
    assert {each["entity_id"] for each in told} == {ended["id"]}
    assert [told[0]["state"], told[1]["state"], told[-1]["state"]] == ["queued", "running", "done"]
    counts = [each["draft_count"] for each in told]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 20)


async def test_a_viewer_sees_generations_and_starts_none(desk: Desk) -> None:
    desk.server.script(batch(0))
    ended = await desk.generate()
    viewer = await make_member(desk.dataset.app, desk.dataset.project, Role.VIEWER)
    listed = (await viewer.browser.get(desk.url)).json()
    assert [each["id"] for each in listed["items"]] == [ended["id"]]
    drafts = await viewer.browser.get(f"{desk.url}/{ended['id']}/drafts", params={"limit": 4})
    assert (len(drafts.json()["items"]), drafts.json()["total"]) == (4, 10)
    assert (await viewer.browser.post(desk.url, json=desk.body())).status_code == 403


async def test_a_model_that_is_writing_cannot_be_deleted(desk: Desk) -> None:
    await make_generation(
        desk.dataset.app, desk.dataset.id, state="running", model_id=desk.model.id
    )
    url = f"/api/v1/projects/{desk.dataset.project.slug}/models/{desk.model.id}"
    refused = await desk.dataset.editor.delete(url)
    assert refused.status_code == 409
    assert error_of(refused)["message"] == "Cases are being generated with this model."
