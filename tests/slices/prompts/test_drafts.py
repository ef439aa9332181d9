"""Drafts: validation, warnings, and concurrent edits."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.library.prompts import drafts
from edison.library.prompts.schemas import DraftChange
from edison.workspace.projects.models import Project
from tests.factories.prompts import TEXT
from tests.slices.prompts.conftest import PromptPage, announced, audited
from tests.support.browser import Browser, error_of, fields_of

TOOL = {
    "name": "find_order",
    "description": "Finds an order",
    "parameters": {
        "type": "object",
        "properties": {"number": {"type": "integer", "minimum": 1}},
        "required": ["number"],
    },
}


async def test_a_saved_draft_comes_back_with_the_next_version(
    app: FastAPI, support: PromptPage
) -> None:
    parts = {
        "syntax": "single",
        "system": "You serve {company}. Answer in JSON.",
        "text": f"{TEXT} {{tone}}",
        "few_shots": [{"user": "Hi {name}", "assistant": "Hello"}],
        "tools": [TOOL],
    }
    saved = await support.edit(**parts)
    assert saved == (await support.read())["draft"]
    assert {name: saved[name] for name in parts} == parts
    assert saved["version"] == 2
    assert saved["variables"] == ["company", "name", "question", "tone"]
    assert (saved["wants_json"], saved["wants_response"]) == (True, False)
    entry = await audited(app, "prompt.draft_saved")
    assert entry.before == {"version": 1}
    assert entry.after == {
        "version": 2,
        "changed": ["syntax", "system", "text", "few_shots", "tools"],
    }
    assert len(await announced(app)) == 2


async def test_a_stale_save_is_refused_with_both_texts(support: PromptPage) -> None:
    await support.edit(text=f"{TEXT} Mine.")
    refused = await support.try_to_edit(version=1, text=f"{TEXT} Yours.")
    assert refused.status_code == 409
    error = error_of(refused)
    assert error["code"] == "STALE"
    assert error["details"]["current"]["text"] == f"{TEXT} Mine."
    assert error["details"]["current"]["version"] == 2
    assert error["details"]["yours"]["text"] == f"{TEXT} Yours."
    assert (await support.read())["draft"]["text"] == f"{TEXT} Mine."


async def test_of_concurrent_saves_one_succeeds(support: PromptPage) -> None:
    responses = await asyncio.gather(
        *(support.try_to_edit(version=1, text=f"{TEXT} {number}") for number in range(6))
    )
    assert sorted(response.status_code for response in responses) == [200, 409, 409, 409, 409, 409]
    winner = next(response for response in responses if response.status_code == 200)
    assert (await support.read())["draft"]["text"] == winner.json()["text"]


async def test_saving_without_changes_keeps_the_version(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    prompt = await support.read()
    change = DraftChange(version=1, text=prompt["draft"]["text"])
    async with app.state.database.write() as session:
        saved = await drafts.save_draft(
            session, project_id=project.id, prompt_id=UUID(prompt["id"]), change=change
        )
    assert saved.version == 1
    assert await support.read() == prompt
    assert len(await announced(app)) == 1


async def test_line_endings_are_normalised(support: PromptPage) -> None:
    assert (await support.edit(text="One\r\ntwo\rthree\n"))["text"] == "One\ntwo\nthree\n"


async def test_a_blank_system_text_is_none(support: PromptPage) -> None:
    await support.edit(system="Be kind.")
    assert (await support.edit(system=" \n"))["system"] is None


@pytest.mark.parametrize(
    ("parts", "field", "code", "prevents_runs"),
    [
        ({"text": ""}, "text", "text_missing", True),
        ({"text": " \n "}, "text", "text_missing", True),
        ({"text": "x" * 49}, "text", "text_short", False),
        ({"text": "x" * 20_001}, "text", "too_long", True),
        ({"system": "x" * 5_001}, "system", "too_long", True),
        (
            {"few_shots": [{"user": "a", "assistant": "b"}] * 11},
            "few_shots",
            "few_shots_many",
            True,
        ),
        (
            {"few_shots": [{"user": "a", "assistant": " "}]},
            "few_shots.0.assistant",
            "few_shot_incomplete",
            True,
        ),
        (
            {"few_shots": [{"user": "x" * 20_001, "assistant": "b"}]},
            "few_shots.0.user",
            "too_long",
            True,
        ),
        ({"text": TEXT, "syntax": "single"}, "syntax", "other_syntax", False),
        (
            {"text": "Answer kindly and in one whole paragraph: {question}"},
            "syntax",
            "other_syntax",
            False,
        ),
    ],
)
async def test_a_draft_is_saved_with_warnings(
    support: PromptPage, parts: dict[str, Any], field: str, code: str, prevents_runs: bool
) -> None:
    (warning,) = (await support.edit(**parts))["warnings"]
    assert (warning["field"], warning["code"]) == (field, code)
    assert warning["prevents_runs"] is prevents_runs
    assert warning["message"].endswith(".")


@pytest.mark.parametrize(
    "parts",
    [
        {"text": "x" * 50},
        {"text": "x" * 20_000},
        {"system": "x" * 5_000},
        {"few_shots": [{"user": "a", "assistant": "b"}] * 10},
        {"text": 'Answer as {"key": 1} or {key}, for the question {{question}}'},
    ],
)
async def test_a_draft_at_its_limits_has_no_warnings(
    support: PromptPage, parts: dict[str, Any]
) -> None:
    assert (await support.edit(**parts))["warnings"] == []


def tool(**changes: Any) -> dict[str, Any]:
    return TOOL | changes


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"not": value}
    return value


@pytest.mark.parametrize(
    ("tools", "field", "words"),
    [
        ([tool(), tool()], "tools", "2 tools are called find_order"),
        ([tool(name="find order")], "tools.0.name", ""),
        ([tool(name="")], "tools.0.name", ""),
        ([tool(parameters=[])], "tools.0.parameters", ""),
        ([tool(parameters={"type": "objet"})], "tools.0.parameters", "At type"),
        (
            [tool(), tool(name="b", parameters={"properties": {"a": {"type": 7}}})],
            "tools.1.parameters",
            "At properties.a.type",
        ),
        ([tool(parameters={"type": "string"})], "tools.0.parameters", "of type object"),
        ([tool(parameters={"required": "number"})], "tools.0.parameters", "At required"),
        ([tool(parameters=nested(33))], "tools.0.parameters", "at most 32 levels"),
        ([tool(parameters={"title": "a\u0000"})], "tools.0.parameters", "control"),
        ([tool(parameters={"a\u0000": 1})], "tools.0.parameters", "control"),
        ([tool(parameters={"maximum": 2**70})], "tools.0.parameters", "64 bits"),
        ([{"name": "x", "parameters": {}, "strict": True}], "tools.0.strict", ""),
    ],
)
async def test_an_invalid_tool_is_refused_and_nothing_changes(
    support: PromptPage, tools: list[Any], field: str, words: str
) -> None:
    before = await support.read()
    refused = await support.try_to_edit(tools=tools, text="Something else")
    assert fields_of(refused) == {field}
    assert words in error_of(refused)["details"][0]["message"]
    assert await support.read() == before


async def test_numbers_that_json_lacks_are_refused(support: PromptPage) -> None:
    body = '{"version": 1, "tools": [{"name": "x", "parameters": {"maximum": NaN}}]}'
    refused = await support.browser.put(
        f"{support.url}/draft", content=body, headers={"Content-Type": "application/json"}
    )
    assert fields_of(refused) == {"tools.0.parameters"}


async def test_a_schema_of_another_address_is_never_fetched(support: PromptPage) -> None:
    parameters = {"$schema": "http://127.0.0.1:9/schema", "$ref": "http://127.0.0.1:9/other"}
    saved = await support.edit(tools=[tool(parameters=parameters)])
    assert saved["tools"][0]["parameters"] == parameters


async def test_a_preview_shows_the_rendered_messages(support: PromptPage) -> None:
    await support.edit(
        system="You serve {{company}}.",
        few_shots=[{"user": "Hi", "assistant": "Hello from {{company}}"}],
        tools=[{"name": "find_order", "description": "{{company}}"}],
    )
    inputs = {"company": "Acme", "tags": ["a", 1.0], "question": {"b": None, "a": "{{company}}"}}
    preview = (await support.browser.post(f"{support.url}/preview", json={"inputs": inputs})).json()
    assert preview == {
        "system": "You serve Acme.",
        "messages": [
            {"role": "user", "text": "Hi"},
            {"role": "assistant", "text": "Hello from Acme"},
            {"role": "user", "text": TEXT.replace("{{question}}", '{"a":"{{company}}","b":null}')},
        ],
        "tools": [
            {
                "name": "find_order",
                "description": "{{company}}",
                "parameters": {"type": "object"},
            }
        ],
        "variables": ["company", "question"],
        "missing": [],
        "unused": ["tags"],
    }


async def test_a_preview_names_what_is_missing(support: PromptPage) -> None:
    preview = (await support.browser.post(f"{support.url}/preview", json={})).json()
    assert (preview["missing"], preview["messages"][0]["text"]) == (["question"], TEXT)


async def test_a_version_can_be_previewed(support: PromptPage) -> None:
    version = await support.save()
    await support.edit(text="Something else entirely, and long enough to be called a prompt.")
    body = {"version_id": version["id"], "inputs": {"question": "Why?"}}
    preview = (await support.browser.post(f"{support.url}/preview", json=body)).json()
    assert preview["messages"][0]["text"] == TEXT.replace("{{question}}", "Why?")


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        (["a"], "inputs"),
        ({"a": "\u0000"}, "inputs.a"),
        ({"a": 2**64}, "inputs.a"),
    ],
)
async def test_a_preview_refuses_inputs_that_no_case_could_have(
    support: PromptPage, inputs: Any, field: str
) -> None:
    refused = await support.browser.post(f"{support.url}/preview", json={"inputs": inputs})
    assert fields_of(refused) == {field}


async def test_a_preview_of_enormous_length_is_refused(support: PromptPage) -> None:
    await support.edit(text="{{a}}" * 15_000)
    body = {"inputs": {"a": "x" * 900_000}}
    refused = await support.browser.post(f"{support.url}/preview", json=body)
    assert fields_of(refused) == {"inputs"}


async def test_the_lineage_is_not_for_clients_to_choose(support: PromptPage) -> None:
    version = await support.save()
    refused = await support.try_to_edit(parent_id=version["id"])
    assert fields_of(refused) == {"parent_id"}


async def test_a_preview_works_in_an_archived_project(
    app: FastAPI, project: Project, support: PromptPage
) -> None:
    await support.browser.post(f"/api/v1/projects/{project.slug}/archive")
    assert (await support.browser.post(f"{support.url}/preview", json={})).status_code == 200
    assert (await support.try_to_edit(text="Anything")).status_code == 409


async def test_outsiders_find_no_draft(app: FastAPI, support: PromptPage) -> None:
    stranger = Browser(app)
    assert (await stranger.get(support.url)).status_code == 401
