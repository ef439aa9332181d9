"""What is exported as a configuration comes back the same."""

import json
from typing import Any

import pytest
from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.exchange.test_imports import CONFIG, Place
from tests.factories.projects import make_member, make_project
from tests.support.browser import error_of

PROMPTS: list[dict[str, Any]] = [
    {"name": "Plain", "syntax": "double", "text": "Answer {{question}} in {% braces."},
    {"name": "Single", "syntax": "single", "text": "Answer {question}/{language}.txt"},
    {
        "name": "Chat",
        "syntax": "nunjucks",
        "system": "Be kind.",
        "text": "{% if a %}{{ question }}{% endif %}",
        "few_shots": [{"user": "Hi", "assistant": "Hello"}],
    },
]
CASES: list[dict[str, Any]] = [
    {
        "inputs": {"question": "Where?", "list": ["a", "b"], "count": 3},
        "expected": "Here",
        "tags": ["billing"],
        "difficulty": 4,
        "split": "holdout",
        "notes": "first",
    },
    {
        "inputs": {
            "question": "Why?",
            "assertions": {"assert": [{"type": "contains", "value": "so"}], "threshold": 0.5},
        },
        "split": "train",
    },
]


async def place_in(app: FastAPI, name: str) -> Place:
    project = await make_project(app, name=name)
    return Place(project.slug, (await make_member(app, project, Role.ADMIN)).browser)


async def create(place: Place, path: str, body: dict[str, Any]) -> dict[str, Any]:
    made = await place.admin.post(f"{place.url}{path}", json=body)
    assert made.status_code == 201, made.text
    return dict(made.json())


async def filled(app: FastAPI) -> Place:
    place = await place_in(app, "Here")
    for prompt in PROMPTS:
        await create(place, "/prompts", prompt)
    dataset = await create(place, "/datasets", {"name": "Questions"})
    for case in CASES:
        await create(place, f"/datasets/{dataset['id']}/cases", case)
    checks = [{"type": "not-contains", "value": "sorry"}]
    options = {"assertions": json.dumps(checks), "case_input": "assertions"}
    await create(place, "/scorers", {"name": "Checks", "kind": "assertions", "options": options})
    await create(place, "/scorers", {"name": "Well formed", "kind": "json_valid"})
    return place


@pytest.mark.parametrize("file_format", ["promptfoo", "edison"])
async def test_a_project_comes_back_from_a_configuration(app: FastAPI, file_format: str) -> None:
    here, there = await filled(app), await place_in(app, "There")
    taken = await here.admin.get(
        f"{here.url}/export-file", params={"kind": "project", "format": file_format}
    )
    assert taken.status_code == 200, taken.text
    assert "# Not exported: the scorer Well formed (Valid JSON).\n" in taken.text
    name = {"promptfoo": "promptfooconfig.yaml", "edison": "edison.yaml"}[file_format]
    brought = await there.bring(taken.content, name=name)
    assert brought.status_code == 201, brought.text
    assert brought.json()["left_out"] == []

    texts = {}
    for each in (await there.read("/prompts"))["items"]:
        draft = (await there.read(f"/prompts/{each['id']}"))["draft"]
        texts[each["name"]] = (draft["system"], draft["text"], draft["few_shots"])
    assert texts == {
        "Plain": (None, 'Answer {{ question }} in {{ "{" }}% braces.', []),
        "Single": (None, "Answer {{ question }}/{{ language }}.txt", []),
        "Chat": ("Be kind.", PROMPTS[2]["text"], PROMPTS[2]["few_shots"]),
    }
    kept = ("inputs", "expected", "tags", "difficulty", "split", "notes")
    empty: dict[str, Any] = {"expected": None, "tags": [], "difficulty": None, "notes": None}
    found = await there.cases("Here")
    assert [{name: each[name] for name in kept} for each in found] == [
        {**CASES[0]},
        {**empty, **CASES[1]},
    ]
    (scorer,) = (await there.read("/scorers"))["items"]
    options = (await there.read(f"/scorers/{scorer['id']}"))["options"]
    assert json.loads(options["assertions"]) == [{"type": "not-contains", "value": "sorry"}]
    assert options["case_input"] == "assertions"


async def test_a_prompt_is_exported_for_reading(app: FastAPI) -> None:
    here = await place_in(app, "Here")
    chat = await create(here, "/prompts", PROMPTS[2])

    async def taken(file_format: str) -> str:
        query = {"kind": "prompt", "id": chat["id"], "format": file_format}
        found = await here.admin.get(f"{here.url}/export-file", params=query)
        assert found.status_code == 200, found.text
        return found.text

    text = str(PROMPTS[2]["text"])
    assert await taken("txt") == f"Be kind.\n\nHi\n\nHello\n\n{text}\n"
    assert (await taken("md")).startswith("# Chat\n\n## System\n\n```\nBe kind.\n```\n")
    written = json.loads(await taken("json"))
    assert (written["name"], written["system"], written["text"]) == ("Chat", "Be kind.", text)
    assert "label: Chat" in await taken("promptfoo")
    entries = (await here.read("/audit?action=prompt.exported"))["items"]
    assert [(each["entity_id"], each["after"]) for each in entries] == [
        (chat["id"], {"name": "Chat", "format": each})
        for each in ("promptfoo", "json", "md", "txt")
    ]

    query = {"kind": "project", "format": "md"}
    refused = error_of(await here.admin.get(f"{here.url}/export-file", params=query))
    assert (refused["path"], refused["message"]) == (
        "format",
        "Only prompts are exported in this format.",
    )


async def test_a_promptfoo_configuration_is_equal_after_a_round_trip(app: FastAPI) -> None:
    first, second = await place_in(app, "First"), await place_in(app, "Second")
    await first.bring(CONFIG, name="promptfooconfig.yaml")
    taken = await first.admin.get(
        f"{first.url}/export-file", params={"kind": "project", "format": "promptfoo"}
    )
    assert "sk-secret" not in taken.text
    assert (await second.bring(taken.content, name="a.yaml")).status_code == 201
    kept = ("inputs", "expected", "tags", "notes", "split")
    before, after = await first.cases("Support answers"), await second.cases("First")
    assert [[each[name] for name in kept] for each in before] == [
        [each[name] for name in kept] for each in after
    ]
    assert (await first.names())["models"] == (await second.names())["models"]
