"""Fetching a version by name and label, and comparing two."""

from typing import Any

import pytest
from fastapi import FastAPI
from inline_snapshot import snapshot

from edison.workspace.projects.models import Project
from tests.factories.prompts import TEXT, make_prompt
from tests.slices.prompts.conftest import PromptPage
from tests.support.browser import fields_of


@pytest.fixture
async def labels(support: PromptPage) -> dict[str, Any]:
    """Support with v1 and v2, of which v1 is in production."""
    first = await support.save()
    await support.edit(text=f"{TEXT} Be brief.")
    second = await support.save()
    await support.browser.put(f"{support.url}/production", json={"version_id": first["id"]})
    return {"v1": first["id"], "v2": second["id"]}


async def fetched(support: PromptPage, address: str) -> str | None:
    """The id of the version at an address; None when there is none."""
    response = await support.browser.get(f"{support.url.rpartition('/')[0]}/by-name/{address}")
    if response.status_code == 404:
        return None
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


@pytest.mark.parametrize(
    ("label", "expected"),
    [("v1", "v1"), ("v2", "v2"), ("latest", "v2"), ("prod", "v1"), ("production", "v1")],
)
async def test_a_label_leads_to_its_version(
    support: PromptPage, labels: dict[str, Any], label: str, expected: str
) -> None:
    assert await fetched(support, f"Support/{label}") == labels[expected]


@pytest.mark.parametrize("address", ["Support/v3", "support/v1", "Nobody/latest"])
async def test_unknown_names_and_labels_are_not_found(
    support: PromptPage, labels: dict[str, Any], address: str
) -> None:
    assert await fetched(support, address) is None


async def test_without_versions_there_is_nothing_to_fetch(support: PromptPage) -> None:
    assert await fetched(support, "Support/latest") is None
    assert await fetched(support, "Support/prod") is None


@pytest.mark.parametrize("label", ["v0", "v01", "6", "newest", "V1", "v9999999999"])
async def test_an_invalid_label_names_its_field(support: PromptPage, label: str) -> None:
    address = f"{support.url.rpartition('/')[0]}/by-name/Support/{label}"
    assert fields_of(await support.browser.get(address)) == {"version_label"}


async def test_a_prompt_may_be_called_like_a_route(support: PromptPage) -> None:
    await support.save()
    await support.rename("versions")
    assert await fetched(support, "versions/latest") is not None


async def test_names_of_any_script_can_be_fetched(support: PromptPage) -> None:
    await support.save()
    renamed = await support.rename("Größe & 名前?")
    found = await fetched(support, "Gr%C3%B6%C3%9Fe%20%26%20%E5%90%8D%E5%89%8D%3F/v1")
    assert found == renamed["latest"]["id"]


async def test_an_old_name_still_leads_to_its_versions(
    support: PromptPage, labels: dict[str, Any]
) -> None:
    await support.rename("Help")
    carried = (await support.read())["latest"]["id"]
    assert await fetched(support, "Support/v2") == labels["v2"]
    assert await fetched(support, "Support/prod") == labels["v1"]
    assert await fetched(support, "Support/latest") == carried
    assert await fetched(support, "Help/v1") == carried
    assert await fetched(support, "Help/prod") == labels["v1"]


async def test_a_name_belongs_to_the_prompt_that_has_it_now(
    app: FastAPI, project: Project, support: PromptPage, labels: dict[str, Any]
) -> None:
    await support.rename("Help")
    await make_prompt(app, project.id, name="Support")
    assert await fetched(support, "Support/v2") is None


async def test_an_archived_prompt_can_still_be_fetched(
    support: PromptPage, labels: dict[str, Any]
) -> None:
    await support.browser.post(f"{support.url}/archive")
    assert await fetched(support, "Support/prod") == labels["v1"]


async def test_a_matching_etag_returns_304(support: PromptPage, labels: dict[str, Any]) -> None:
    address = f"{support.url.rpartition('/')[0]}/by-name/Support/prod"
    first = await support.browser.get(address)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    for sent in (tag, f'"other", W/{tag}', "*"):
        again = await support.browser.get(address, headers={"If-None-Match": sent})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (await support.browser.get(address, headers={"If-None-Match": '"x"'})).status_code == 200


async def test_another_production_version_has_another_tag(
    support: PromptPage, labels: dict[str, Any]
) -> None:
    address = f"{support.url.rpartition('/')[0]}/by-name/Support/prod"
    tag = (await support.browser.get(address)).headers["etag"]
    await support.browser.put(f"{support.url}/production", json={"version_id": labels["v2"]})
    response = await support.browser.get(address, headers={"If-None-Match": tag})
    assert (response.status_code, response.json()["id"]) == (200, labels["v2"])


async def test_two_versions_are_compared_part_by_part(support: PromptPage) -> None:
    await support.edit(text="Be kind.\nAnswer {{question}}")
    first = await support.save()
    await support.edit(
        text="Be brief.\nAnswer {{question}}",
        few_shots=[{"user": "Hi", "assistant": "Hello"}],
        tools=[{"name": "f", "parameters": {"type": "object"}}],
        syntax="single",
    )
    second = await support.save()
    query = {"from": first["id"], "to": second["id"]}
    diff = (await support.browser.get(f"{support.url}/diff", params=query)).json()
    assert (diff["left"], diff["right"]) == ("Support v1", "Support v2")
    counts = {part["part"]: (part["removed"], part["added"]) for part in diff["parts"]}
    assert counts == {
        "system": (0, 0),
        "text": (1, 1),
        "few_shots": (0, 4),
        "tools": (0, 9),
        "syntax": (1, 1),
    }
    parts = {part["part"]: part for part in diff["parts"]}
    assert parts["text"]["unified"] == snapshot("""\
--- Support v1
+++ Support v2
@@ -1,2 +1,2 @@
-Be kind.
+Be brief.
 Answer {{question}}
""")
    assert parts["text"]["rows"][0] == {
        "kind": "changed",
        "left_number": 1,
        "left": "Be kind.",
        "right_number": 1,
        "right": "Be brief.",
    }
    assert [row["right"] for row in parts["few_shots"]["rows"]] == [
        "## Example 1, user",
        "Hi",
        "## Example 1, assistant",
        "Hello",
    ]


async def test_a_draft_is_compared_before_it_is_saved(support: PromptPage) -> None:
    first = await support.save()
    await support.edit(system="Be kind.")
    query = {"from": first["id"], "to": "draft"}
    diff = (await support.browser.get(f"{support.url}/diff", params=query)).json()
    assert diff["right"] == "draft"
    assert [part["part"] for part in diff["parts"] if part["unified"]] == ["system"]


@pytest.mark.parametrize(
    ("query", "field"), [({"to": "draft"}, "from"), ({"from": "draft", "to": "x"}, "to")]
)
async def test_a_comparison_needs_two_sides(
    support: PromptPage, query: dict[str, str], field: str
) -> None:
    refused = await support.browser.get(f"{support.url}/diff", params=query)
    assert {name.partition(".")[0] for name in fields_of(refused)} == {field}
