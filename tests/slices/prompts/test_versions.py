"""Versions: when a new one is created, their lineage, and the production version."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from edison.kit import ids
from edison.kit.errors import Invalid
from edison.library.prompts import service
from edison.library.prompts.models import PromptVersion
from edison.workspace.projects.models import Project
from edison.workspace.resources.errors import Archived
from tests.factories.prompts import TEXT, make_prompt, make_version
from tests.slices.prompts.conftest import PromptPage, audited
from tests.support.browser import error_of, fields_of


async def run(app: FastAPI, project: Project, support: PromptPage) -> PromptVersion:
    """The handling of versions at the start of a run."""
    prompt_id = UUID((await support.read())["id"])
    async with app.state.database.write() as session:
        return await service.version_for_run(
            session, project_id=project.id, prompt_id=prompt_id, author_id=None
        )


async def test_a_version_stores_all_parts_of_the_draft(app: FastAPI, support: PromptPage) -> None:
    parts: dict[str, Any] = {
        "system": "Be kind.",
        "text": TEXT,
        "few_shots": [{"user": "Hi", "assistant": "Hello"}],
        "tools": [
            {"name": "f", "description": "", "parameters": {"type": "object", "maximum": 1e18}}
        ],
        "syntax": "double",
    }
    await support.edit(**parts)
    saved = await support.save("Say it more clearly")
    assert saved == (await support.browser.get(f"{support.url}/versions/{saved['id']}")).json()
    assert {name: saved[name] for name in parts} == parts
    assert saved["label"] == "v1"
    assert (saved["origin"], saved["changelog"]) == ("manual", "Say it more clearly")
    assert (saved["author"], saved["parent_id"]) == ("ada@example.org", None)
    assert (saved["variables"], saved["is_production"]) == (["question"], False)
    assert (await audited(app, "prompt.version_saved")).after == {
        "version_id": saved["id"],
        "label": "v1",
        "origin": "manual",
        "changelog": "Say it more clearly",
    }


async def test_after_saving_the_draft_is_based_on_the_version(support: PromptPage) -> None:
    saved = await support.save()
    draft = (await support.read())["draft"]
    assert (draft["parent_id"], draft["is_changed"]) == (saved["id"], False)


async def test_a_version_stays_while_the_draft_changes(support: PromptPage) -> None:
    saved = await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    assert (await support.browser.get(f"{support.url}/versions/{saved['id']}")).json() == saved


async def test_saving_without_a_change_is_refused(support: PromptPage) -> None:
    await support.save()
    refused = await support.try_to_save()
    assert refused.status_code == 409
    assert error_of(refused)["code"] == "UNCHANGED"
    assert len(await support.versions()) == 1


async def test_a_change_of_syntax_is_a_change(support: PromptPage) -> None:
    await support.save()
    await support.edit(syntax="single")
    assert (await support.save())["label"] == "v2"


@pytest.mark.parametrize("changelog", ["", "too short", "x" * 501, "   spaces    ", None])
async def test_a_changelog_has_10_to_500_characters(support: PromptPage, changelog: Any) -> None:
    assert fields_of(await support.try_to_save(changelog)) == {"changelog"}
    assert await support.versions() == []


async def test_only_the_draft_that_was_read_becomes_a_version(support: PromptPage) -> None:
    await support.edit(text=f"{TEXT} Be brief.")
    body = {"version": 1, "changelog": "Say it more clearly"}
    refused = await support.browser.post(f"{support.url}/versions", json=body)
    assert error_of(refused)["code"] == "STALE"
    assert error_of(refused)["details"]["current"]["text"] == f"{TEXT} Be brief."
    assert await support.versions() == []


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"text": " "}, "text"),
        ({"text": "x" * 20_001}, "text"),
        ({"system": "x" * 5_001}, "system"),
        ({"few_shots": [{"user": "a", "assistant": "b"}] * 11}, "few_shots"),
    ],
)
async def test_invalid_drafts_do_not_become_versions(
    app: FastAPI, project: Project, support: PromptPage, parts: dict[str, Any], field: str
) -> None:
    await support.edit(**parts)
    assert fields_of(await support.try_to_save()) == {field}
    with pytest.raises(Invalid) as refusal:
        await run(app, project, support)
    assert [problem.field for problem in refusal.value.problems] == [field]
    assert await support.versions() == []


async def test_a_short_prompt_can_be_run(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await support.edit(text="Hi {{name}}")
    assert (await run(app, project, support)).text == "Hi {{name}}"


async def test_a_run_makes_a_version_only_if_something_changed(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    first = await run(app, project, support)
    assert (first.label, first.origin, first.changelog) == ("v1", "run", None)
    assert (await run(app, project, support)).id == first.id
    await support.edit(text=f"{TEXT} Be brief.")
    second = await run(app, project, support)
    assert (second.label, second.parent_id) == ("v2", first.id)


async def test_going_back_to_an_old_text_is_a_change_too(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await run(app, project, support)
    await support.edit(text=f"{TEXT} Be brief.")
    await run(app, project, support)
    await support.edit(text=TEXT)
    assert (await run(app, project, support)).label == "v3"


async def test_runs_that_start_at_once_share_one_version(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await run(app, project, support)
    await support.edit(text=f"{TEXT} Be brief.")
    started = await asyncio.gather(*(run(app, project, support) for _ in range(8)))
    assert {version.label for version in started} == {"v2"}
    assert len(await support.versions()) == 2


async def test_runs_of_several_prompts_never_wait_for_each_other(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    prompts = [await make_prompt(app, project.id) for _ in range(6)]

    async def start(order: list[UUID]) -> set[str]:
        async with app.state.database.write() as session:
            versions = await service.versions_for_run(
                session, project_id=project.id, prompt_ids=order, author_id=None
            )
        return {version.label for version in versions.values()}

    order = [prompt.id for prompt in prompts]
    started = await asyncio.gather(*(start(order[::turn]) for turn in (1, -1, 1, -1, 1, -1)))
    assert started == [{"v1"}] * 6


async def test_runs_and_savers_at_once_make_one_version(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    saving = [support.try_to_save() for _ in range(3)]
    running = [run(app, project, support) for _ in range(3)]
    await asyncio.gather(*saving, *running)
    assert [version["label"] for version in await support.versions()] == ["v1"]


async def test_an_archived_prompt_cannot_be_run(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await support.browser.post(f"{support.url}/archive")
    with pytest.raises(Archived):
        await run(app, project, support)


async def test_a_new_name_starts_at_v1_and_keeps_the_lineage(support: PromptPage) -> None:
    first = await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    second = await support.save()
    await support.edit(text=f"{TEXT} Not saved yet.")
    renamed = await support.rename("Help")
    assert renamed["latest"]["label"] == "v1"
    assert renamed["draft"]["text"] == f"{TEXT} Not saved yet."
    old, _, carried = await support.versions()
    assert (old["name"], old["label"], old["id"]) == ("Support", "v1", first["id"])
    assert (carried["name"], carried["label"], carried["origin"]) == ("Help", "v1", "rename")
    assert carried["parent_id"] == second["id"]
    text = (await support.browser.get(f"{support.url}/versions/{carried['id']}")).json()["text"]
    assert text == f"{TEXT} Be brief."
    following = await support.save()
    assert (following["label"], following["parent_id"]) == ("v2", carried["id"])


async def test_a_prompt_without_versions_is_only_renamed(support: PromptPage) -> None:
    assert (await support.rename("Help"))["latest"] is None
    assert await support.versions() == []


async def test_a_reused_name_continues_its_numbering(support: PromptPage) -> None:
    await support.save()
    await support.rename("Help")
    await support.rename("Support")
    labels = [(version["name"], version["label"]) for version in await support.versions()]
    assert labels == [("Support", "v1"), ("Help", "v1"), ("Support", "v2")]


async def test_a_restored_version_becomes_the_parent_of_the_next(
    app: FastAPI, support: PromptPage
) -> None:
    first = await support.save()
    await support.edit(text=f"{TEXT} Be brief.", system="Be kind.")
    await support.save()
    body = {"version": 2}
    restored = (
        await support.browser.post(f"{support.url}/versions/{first['id']}/restore", json=body)
    ).json()
    assert (restored["text"], restored["system"], restored["version"]) == (TEXT, None, 3)
    assert restored["parent_id"] == first["id"]
    await support.edit(text=f"{TEXT} Be longer.")
    third = await support.save()
    assert (third["label"], third["parent_id"]) == ("v3", first["id"])
    entry = await audited(app, "prompt.draft_restored")
    assert entry.after is not None
    assert entry.after["parent_id"] == first["id"]


async def test_restoring_over_a_newer_draft_is_refused(support: PromptPage) -> None:
    first = await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    refused = await support.browser.post(
        f"{support.url}/versions/{first['id']}/restore", json={"version": 1}
    )
    assert error_of(refused)["code"] == "STALE"
    assert (await support.read())["draft"]["text"] == f"{TEXT} Be brief."


async def test_one_version_is_in_production(app: FastAPI, support: PromptPage) -> None:
    first = await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    second = await support.save()
    await mark(support, first["id"])
    shown = await mark(support, second["id"])
    assert shown["production"] == {"id": second["id"], "name": "Support", "label": "v2"}
    marks = {version["label"]: version["is_production"] for version in await support.versions()}
    assert marks == {"v1": False, "v2": True}


async def mark(support: PromptPage, version_id: str | None) -> dict[str, Any]:
    response = await support.browser.put(
        f"{support.url}/production", json={"version_id": version_id}
    )
    assert response.status_code == 200, response.text
    return dict(response.json())


async def test_the_production_mark_can_be_taken_away(app: FastAPI, support: PromptPage) -> None:
    version = await support.save()
    await mark(support, version["id"])
    entry = await audited(app, "prompt.production_marked")
    assert entry.before == {"production": None}
    assert entry.after == {"production": "Support v1", "version_id": version["id"]}
    assert (await mark(support, None))["production"] is None


async def test_concurrent_production_marks_leave_one(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    versions = []
    for number in range(4):
        await support.edit(text=f"{TEXT} {number}")
        versions.append((await run(app, project, support)).id)
    await asyncio.gather(*(mark(support, str(version)) for version in versions))
    assert sum(version["is_production"] for version in await support.versions()) == 1


async def test_another_prompts_version_cannot_be_used(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    other = await make_version(app, await make_prompt(app, project.id))
    await support.save()
    refusals = [
        await support.browser.get(f"{support.url}/versions/{other.id}"),
        await support.browser.put(f"{support.url}/production", json={"version_id": str(other.id)}),
        await support.browser.post(
            f"{support.url}/versions/{other.id}/restore", json={"version": 1}
        ),
        await support.browser.get(
            f"{support.url}/diff", params={"from": str(other.id), "to": "draft"}
        ),
        await support.browser.post(f"{support.url}/preview", json={"version_id": str(other.id)}),
        await support.browser.get(f"{support.url}/versions/{ids.new_id()}"),
    ]
    assert [refusal.status_code for refusal in refusals] == [404] * 6


async def test_versions_are_listed_newest_first_and_searched(support: PromptPage) -> None:
    await support.save("Say it more clearly")
    await support.edit(text=f"{TEXT} Be brief.")
    await support.save("Keep answers short")
    listed = (await support.browser.get(f"{support.url}/versions")).json()
    assert [version["label"] for version in listed["items"]] == ["v2", "v1"]
    assert "text" not in listed["items"][0]
    found = (await support.browser.get(f"{support.url}/versions", params={"q": "SHORT"})).json()
    assert [version["changelog"] for version in found["items"]] == ["Keep answers short"]


async def test_a_version_cannot_be_its_own_parent(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    version = await run(app, project, support)
    with pytest.raises(IntegrityError):
        async with app.state.database.write() as session:
            await session.execute(
                update(PromptVersion)
                .where(PromptVersion.id == version.id)
                .values(parent_id=version.id)
            )
