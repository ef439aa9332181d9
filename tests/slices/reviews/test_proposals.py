"""Changes of prompts that people propose outside of experiments."""

from uuid import uuid4

from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.factories.datasets import make_dataset
from tests.factories.projects import make_member
from tests.factories.prompts import TEXT, make_prompt, make_version
from tests.support.browser import error_of, fields_of

BETTER = TEXT.replace("one paragraph", "two sentences")


async def test_a_proposed_change_waits_for_a_reviewer_and_becomes_a_version(app: FastAPI) -> None:
    dataset = await make_dataset(app)
    editor, url = dataset.editor, f"/api/v1/projects/{dataset.project.slug}"
    prompt = await make_prompt(app, dataset.project.id, name="Reply")
    of_prompt = f"{url}/prompts/{prompt.id}/suggestions"
    body = {"text": BETTER, "note": "Answers are too long."}
    assert error_of(await editor.post(of_prompt, json=body))["message"] == (
        "The prompt has no version yet. Save its draft as a version first."
    )
    version = await make_version(app, prompt)
    made = await editor.post(of_prompt, json=body)
    assert made.status_code == 201, made.text
    suggestion = made.json()
    assert suggestion["state"] == "pending"
    assert suggestion["base"]["id"] == str(version.id)
    assert (suggestion["experiment_id"], suggestion["prompt_name"]) == (None, "Reply")
    assert [each["part"] for each in suggestion["changes"]] == ["text"]
    queue = (await editor.get(f"{url}/suggestions", params={"q": "reply"})).json()["items"]
    assert [(each["id"], each["prompt_name"]) for each in queue] == [(suggestion["id"], "Reply")]

    path = f"{url}/suggestions/{suggestion['id']}"
    said = await editor.post(f"{path}/comments", json={"text": "Good."})
    assert said.status_code == 201, said.text
    approved = await editor.post(f"{path}/approve", json={})
    assert approved.status_code == 200, approved.text
    latest = await editor.get(f"{url}/prompts/by-name/Reply/latest")
    assert (latest.json()["text"], latest.json()["label"]) == (BETTER, "v2")


async def test_what_is_no_usable_change_is_refused(app: FastAPI) -> None:
    dataset = await make_dataset(app)
    url = f"/api/v1/projects/{dataset.project.slug}/prompts"
    prompt = await make_prompt(app, dataset.project.id)
    version = await make_version(app, prompt)
    of_prompt = f"{url}/{prompt.id}/suggestions"
    note = "A change that says nothing new."

    async def propose(**body: object) -> tuple[int, str]:
        refused = await dataset.editor.post(of_prompt, json={"note": note, **body})
        return refused.status_code, error_of(refused)["message"]

    assert await propose(text=version.text) == (409, "This is what the prompt says already.")
    assert (await propose(text=BETTER, version_id=str(uuid4())))[0] == 404
    for wrong, field in (({"text": " ", "note": note}, "text"), ({"note": "x"}, "note")):
        refused = await dataset.editor.post(of_prompt, json=wrong)
        assert fields_of(refused) == {field}
    viewer = (await make_member(app, dataset.project, Role.VIEWER)).browser
    refused = await viewer.post(of_prompt, json={"text": BETTER, "note": note})
    assert error_of(refused)["message"] == (
        "This needs the role REVIEWER in the project; yours is VIEWER."
    )
    assert (await viewer.get(f"/api/v1/projects/{dataset.project.slug}/suggestions")).json()[
        "items"
    ] == []
