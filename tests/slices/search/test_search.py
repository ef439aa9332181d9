"""The search in a project."""

from fastapi import FastAPI

from tests.conftest import TurnableClock
from tests.factories.accounts import make_person
from tests.factories.datasets import make_dataset
from tests.factories.prompts import make_prompt


async def test_things_are_found_by_name_the_latest_first(
    app: FastAPI, turnable_clock: TurnableClock
) -> None:
    dataset = await make_dataset(app, [{"question": "?"}])
    path = f"/api/v1/projects/{dataset.project.slug}"
    await dataset.editor.patch(f"{path}/datasets/{dataset.id}", json={"name": "Refund cases"})
    turnable_clock.advance(minutes=1)
    await make_prompt(app, dataset.project.id, name="Answers about refunds")
    turnable_clock.advance(minutes=1)
    await make_prompt(app, dataset.project.id, name="Greeting")
    url = f"{path}/search"
    latest = (await dataset.editor.get(url)).json()
    assert [each["name"] for each in latest][:3] == [
        "Greeting",
        "Answers about refunds",
        "Refund cases",
    ]
    found = (await dataset.editor.get(url, params={"q": " REFUND "})).json()
    # What begins with the text comes first.
    assert [(each["kind"], each["name"]) for each in found] == [
        ("dataset", "Refund cases"),
        ("prompt", "Answers about refunds"),
    ]
    assert (await dataset.editor.get(url, params={"q": "100%"})).json() == []
    await dataset.editor.patch(f"{path}/datasets/{dataset.id}", json={"is_archived": True})
    found = (await dataset.editor.get(url, params={"q": "refund"})).json()
    assert [each["kind"] for each in found] == ["prompt"]
    _, stranger = await make_person(app)
    assert (await stranger.get(url)).status_code == 404
