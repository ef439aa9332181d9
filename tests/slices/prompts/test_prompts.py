"""Prompts: created, listed, renamed, copied, archived, deleted."""

from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts import service
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project
from edison.workspace.projects.service import delete_project
from tests.factories.projects import make_project
from tests.factories.prompts import TEXT, make_prompt, make_version
from tests.slices.prompts.conftest import PromptPage, announced, audited
from tests.support.browser import Browser, error_of, fields_of


async def test_a_new_prompt_has_a_draft_and_no_versions(ada: Browser, url: str) -> None:
    created = (await ada.post(url, json={"name": " Support ", "text": TEXT})).json()
    assert created == (await ada.get(f"{url}/{created['id']}")).json()
    draft = created.pop("draft")
    assert draft.pop("updated_at")
    for moment in ("created_at", "updated_at"):
        assert created.pop(moment)
    assert created.pop("id")
    assert created == {
        "name": "Support",
        "kind": "generator",
        "description": None,
        "variables": ["question"],
        "author": None,
        "latest": None,
        "production": None,
        "archived_at": None,
    }
    assert draft == {
        "version": 1,
        "parent_id": None,
        "is_changed": True,
        "syntax": "double",
        "system": None,
        "text": TEXT,
        "few_shots": [],
        "tools": [],
        "variables": ["question"],
        "wants_response": False,
        "wants_json": False,
        "warnings": [],
    }


async def test_making_a_prompt_is_audited_and_announced(
    app: FastAPI, ada: Browser, url: str
) -> None:
    created = (await ada.post(url, json={"name": "Judge", "kind": "grader"})).json()
    entry = await audited(app, "prompt.created")
    assert (entry.entity_id, entry.after) == (created["id"], {"name": "Judge", "kind": "grader"})
    assert await announced(app) == [created["id"]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": ".."}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "a\u0000b"}, "name"),
        ({}, "name"),
        ({"name": "x", "kind": "poem"}, "kind"),
        ({"name": "x", "syntax": "triple"}, "syntax"),
        ({"name": "x", "text": "x" * 100_001}, "text"),
        ({"name": "x", "text": "a\u0000b"}, "text"),
        ({"name": "x", "system": 7}, "system"),
        ({"name": "x", "few_shots": [{"user": "hi"}]}, "few_shots.0.assistant"),
        ({"name": "x", "few_shots": [{"user": "a", "assistant": "b"}] * 101}, "few_shots"),
        ({"name": "x", "description": "x" * 1001}, "description"),
        ({"name": "x", "colour": "red"}, "colour"),
    ],
)
async def test_bad_input_names_its_field_and_makes_nothing(
    ada: Browser, url: str, body: dict[str, Any], field: str
) -> None:
    assert fields_of(await ada.post(url, json=body)) == {field}
    assert (await ada.get(url)).json()["total"] == 0


async def test_a_name_is_taken_once_per_project_also_by_archived_prompts(
    app: FastAPI, ada: Browser, url: str, support: PromptPage, person: tuple[User, Browser]
) -> None:
    await ada.post(f"{support.url}/archive")
    refused = await ada.post(url, json={"name": "Support"})
    assert refused.status_code == 409
    error = error_of(refused)
    assert (error["code"], error["path"]) == ("DUPLICATE_NAME", "name")
    other = await make_project(app, person[0], "Other")
    elsewhere = await ada.post(f"/api/v1/projects/{other.slug}/prompts", json={"name": "Support"})
    assert elsewhere.status_code == 201


async def test_prompts_are_searched_filtered_sorted_and_paged(
    app: FastAPI, ada: Browser, url: str, project: Project
) -> None:
    for name in ("beta", "Alpha", "gamma"):
        await make_prompt(app, project.id, name=name)
    await make_prompt(app, project.id, name="Alpha judge", kind="grader")
    old = await make_prompt(app, project.id, name="Old")
    await ada.post(f"{url}/{old.id}/archive")

    async def names(**query: str) -> list[str]:
        return [item["name"] for item in (await ada.get(url, params=query)).json()["items"]]

    assert await names() == ["Alpha judge", "gamma", "Alpha", "beta"]
    assert await names(sort="name") == ["Alpha", "Alpha judge", "beta", "gamma"]
    assert await names(q="ALPHA") == ["Alpha judge", "Alpha"]
    assert await names(kind="grader") == ["Alpha judge"]
    assert await names(status="archived") == ["Old"]
    assert len(await names(status="all")) == 5
    first = (await ada.get(url, params={"sort": "name", "limit": "3"})).json()
    assert await names(sort="name", limit="3", cursor=first["next"]) == ["gamma"]


async def test_the_list_shows_latest_and_production_versions(
    app: FastAPI, ada: Browser, url: str, project: Project
) -> None:
    prompt = await make_prompt(app, project.id, name="Support")
    first = await make_version(app, prompt)
    second = await make_version(app, prompt, text=f"{TEXT} Be brief.")
    await make_prompt(app, project.id, name="Empty")
    await ada.put(f"{url}/{prompt.id}/production", json={"version_id": str(first.id)})
    shown, empty = (await ada.get(url)).json()["items"]
    assert shown["latest"] == {"id": str(second.id), "name": "Support", "label": "v2"}
    assert shown["production"] == {"id": str(first.id), "name": "Support", "label": "v1"}
    assert (empty["latest"], empty["production"]) == (None, None)


async def test_the_list_shows_variables_and_who_made_the_latest_version(
    app: FastAPI, ada: Browser, url: str, project: Project, support: PromptPage
) -> None:
    await support.save()
    await support.edit(system="You help {{company}}.", text="Answer {{question}} in {{tone}}.")
    await make_version(app, await make_prompt(app, project.id, name="Nobody's", text="Hello."))
    nobodys, shown = (await ada.get(url)).json()["items"]
    assert (shown["variables"], shown["author"]) == (
        ["company", "question", "tone"],
        "ada@example.org",
    )
    assert (nobodys["variables"], nobodys["author"]) == ([], None)


async def test_a_longer_list_takes_no_more_queries(
    app: FastAPI, ada: Browser, url: str, project: Project
) -> None:
    for number in range(6):
        await make_version(app, await make_prompt(app, project.id, name=f"Prompt {number}"))
    statements: list[str] = []
    event.listen(
        app.state.database.engine.sync_engine,
        "before_cursor_execute",
        lambda *happening: statements.append(happening[2]),
    )
    await ada.get(url, params={"limit": "1"})
    short = len(statements)
    assert len((await ada.get(url)).json()["items"]) == 6
    assert len(statements) == 2 * short


async def test_a_prompt_can_be_described(app: FastAPI, support: PromptPage) -> None:
    response = await support.browser.patch(support.url, json={"description": " For the help desk "})
    assert response.json()["description"] == "For the help desk"
    assert response.json()["name"] == "Support"
    entry = await audited(app, "prompt.changed")
    assert entry.before == {"description": None}
    assert entry.after == {"description": "For the help desk"}


async def test_a_prompt_cannot_lose_its_name(support: PromptPage) -> None:
    assert fields_of(await support.browser.patch(support.url, json={"name": None})) == {"name"}


async def test_a_prompt_cannot_take_anothers_name(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await make_prompt(app, project.id, name="Taken")
    refused = await support.browser.patch(support.url, json={"name": "Taken"})
    assert error_of(refused)["code"] == "DUPLICATE_NAME"
    assert (await support.read())["name"] == "Support"


async def test_a_copy_starts_with_the_draft_and_without_versions(
    app: FastAPI, support: PromptPage
) -> None:
    await support.edit(system="Be kind.", few_shots=[{"user": "Hi", "assistant": "Hello"}])
    await support.save()
    response = await support.browser.post(f"{support.url}/duplicate", json={"name": "Support 2"})
    assert response.status_code == 201
    copy = response.json()
    assert (copy["name"], copy["latest"]) == ("Support 2", None)
    assert copy["draft"]["system"] == "Be kind."
    assert copy["draft"]["few_shots"] == [{"user": "Hi", "assistant": "Hello"}]
    entry = await audited(app, "prompt.duplicated")
    assert entry.entity_id == copy["id"]


async def test_a_copy_without_a_name_gets_one_that_is_free(support: PromptPage) -> None:
    names = [
        (await support.browser.post(f"{support.url}/duplicate", json={})).json()["name"]
        for _ in range(3)
    ]
    assert names == ["Support copy", "Support copy 2", "Support copy 3"]


async def test_the_copy_of_a_long_name_is_shortened(ada: Browser, url: str) -> None:
    created = (await ada.post(url, json={"name": "x" * 100})).json()
    copy = await ada.post(f"{url}/{created['id']}/duplicate", json={})
    assert copy.json()["name"] == "x" * 95 + " copy"


async def test_a_copy_cannot_take_a_name(support: PromptPage) -> None:
    refused = await support.browser.post(f"{support.url}/duplicate", json={"name": "Support"})
    assert error_of(refused)["code"] == "DUPLICATE_NAME"


async def test_an_archived_prompt_can_be_read_but_not_changed(support: PromptPage) -> None:
    version = await support.save()
    archived = (await support.browser.post(f"{support.url}/archive")).json()
    assert archived["archived_at"]
    refusals = [
        await support.browser.patch(support.url, json={"name": "New"}),
        await support.try_to_edit(text="x" * 60),
        await support.try_to_save(),
        await support.browser.put(f"{support.url}/production", json={"version_id": version["id"]}),
        await support.browser.post(
            f"{support.url}/versions/{version['id']}/restore", json={"version": 1}
        ),
    ]
    assert [error_of(refusal)["code"] for refusal in refusals] == ["ARCHIVED"] * 5
    assert (await support.read())["name"] == "Support"


async def test_an_archived_prompt_can_be_made_active_again(
    app: FastAPI, support: PromptPage
) -> None:
    await support.browser.post(f"{support.url}/archive")
    assert (await support.browser.post(f"{support.url}/unarchive")).json()["archived_at"] is None
    await support.edit(system="Be kind.")
    assert (await audited(app, "prompt.unarchived")).entity_type == "prompt"


async def test_archiving_twice_is_refused(support: PromptPage) -> None:
    assert (await support.browser.post(f"{support.url}/unarchive")).status_code == 409
    await support.browser.post(f"{support.url}/archive")
    assert (await support.browser.post(f"{support.url}/archive")).status_code == 409


async def test_deleting_takes_draft_and_versions_along(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    await support.save()
    assert (await support.browser.delete(support.url)).status_code == 204
    assert (await support.browser.get(support.url)).status_code == 404
    async with app.state.database.read() as session:
        for table in (Prompt, PromptDraft, PromptVersion):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
    assert (await audited(app, "prompt.deleted")).before == {"name": "Support", "kind": "generator"}


async def test_a_prompt_in_use_cannot_be_deleted(
    support: PromptPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_monitored(_session: AsyncSession, _prompt_id: object) -> str:
        return "The monitor Nightly uses v1 of this prompt."

    monkeypatch.setattr(service.find_use, "listeners", (is_monitored,))
    refused = await support.browser.delete(support.url)
    assert error_of(refused)["code"] == "IN_USE"
    assert error_of(refused)["message"] == "The monitor Nightly uses v1 of this prompt."
    assert (await support.read())["name"] == "Support"


async def test_deleting_a_project_deletes_its_prompts(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    await support.save()
    async with app.state.database.write() as session:
        await delete_project(session, project=project)
    async with app.state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(PromptVersion)) == 0
