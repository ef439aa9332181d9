"""The tools of the MCP server over streamable HTTP, with the client of the SDK."""

from decimal import Decimal

import httpx2
import pytest

from edison.workspace.projects.models import Role
from tests.factories.prompts import TEXT, make_version
from tests.mcp.conftest import call, connected, refused, token_of
from tests.slices.runs.conftest import Desk

BETTER = TEXT.replace("one paragraph", "two sentences")


async def test_an_assistant_reads_evaluates_compares_and_proposes(desk: Desk, url: str) -> None:
    await make_version(desk.app, desk.prompt)
    prompt, dataset, model = desk.prompt.name, f"Set of {6}", desk.model.display_name
    async with connected(url, await token_of(desk)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        changing = {n for n, tool in tools.items() if not tool.annotations.read_only_hint}
        assert changing == {"run_evaluation", "propose_prompt_change"}

        (project,) = (await call(client, "list_projects"))["projects"]
        assert (project["slug"], project["role"]) == (desk.dataset.project.slug, "EDITOR")
        assert [each["name"] for each in (await call(client, "list_prompts"))["prompts"]] == [
            prompt
        ]
        read = await call(client, "get_prompt", prompt=prompt)
        assert (read["text"], read["version"]) == (TEXT, "v1")
        cases = await call(client, "get_dataset", dataset=dataset, limit=2)
        assert (len(cases["cases"]), cases["total"]) == (2, 6)
        assert cases["cases"][0]["inputs"] == {"question": "Where is parcel number 0?"}

        wanted = {"prompt": prompt, "models": [model], "dataset": dataset}
        estimate = await call(client, "estimate_evaluation", **wanted)
        assert estimate["answer_calls"] == 6
        high = Decimal(estimate["cost"]["high_usd"])
        too_low = await refused(client, "run_evaluation", **wanted, max_cost_usd=float(high / 2))
        assert too_low.startswith(f"The evaluation could cost up to ${high:f}, which is above")
        assert (await call(client, "list_runs"))["runs"] == []

        first, second = [
            await call(client, "run_evaluation", **wanted, max_cost_usd=1, name=name)
            for name in ("Before", "After")
        ]
        assert (first["state"], first["done_count"], first["name"]) == ("completed", 6, "Before")
        rows = await call(client, "list_results", run=first["id"], limit=1)
        (answer,) = rows["cases"][0]["answers"]
        assert answer["preview"] == "It is on its way."
        whole = await call(client, "get_result", answer=answer["id"])
        assert whole["text"] == "It is on its way."
        compared = await call(client, "compare_runs", baseline=first["id"], run=second["id"])
        assert compared["shared_cases"] == 6

        proposed = await call(
            client, "propose_prompt_change", prompt=prompt, text=BETTER, note="Answers are long."
        )
        assert (proposed["state"], proposed["base"]) == ("pending", "v1")
        assert (await call(client, "get_prompt", prompt=prompt))["text"] == TEXT
    (waiting,) = (await desk.get("/suggestions"))["items"]
    assert proposed["review_page"].endswith(f"/reviews/{waiting['id']}")


async def test_wrong_arguments_are_named_and_change_nothing(desk: Desk, url: str) -> None:
    await make_version(desk.app, desk.prompt)
    name, model = desk.prompt.name, desk.model.display_name
    async with connected(url, await token_of(desk)) as client:
        assert await refused(client, "get_prompt", prompt="Nothing") == (
            f"The project has no prompt “Nothing”. It has: “{name}”."
        )
        assert await refused(client, "get_run", run="7") == "“7” is not an id."
        slug = desk.dataset.project.slug
        assert await refused(client, "list_runs", project=f"{slug}s") == (
            f"There is no project “{slug}s”, or you are not a member of it. Did you mean “{slug}”?"
        )
        assert await refused(client, "get_prompt", prompt=name, project="zzz") == (
            "There is no project “zzz”, or you are not a member of it."
        )
        wanted = {"prompt": name, "models": [model], "dataset": "Set of 6", "max_cost_usd": 0}
        assert "max_cost_usd" in await refused(client, "run_evaluation", **wanted)
        assert await refused(
            client, "propose_prompt_change", prompt=name, note="Not a change."
        ) == ("Give the new `text`, the new `system` text, or both.")
        assert "This is what the prompt says already." in await refused(
            client, "propose_prompt_change", prompt=name, text=TEXT, note="Not a change."
        )
    assert (await desk.get("/runs"))["items"] == []
    assert (await desk.get("/suggestions"))["items"] == []


@pytest.mark.parametrize(
    ("role", "scope", "why"),
    [
        (Role.VIEWER, "write", "This needs the role EDITOR in the project; yours is VIEWER."),
        (Role.EDITOR, "read", "This access token may only read."),
    ],
)
async def test_tools_do_only_what_role_and_token_allow(
    desk: Desk, url: str, role: Role, scope: str, why: str
) -> None:
    await make_version(desk.app, desk.prompt)
    wanted = {"models": [desk.model.display_name], "dataset": "Set of 6", "max_cost_usd": 1}
    async with connected(url, await token_of(desk, role=role, scope=scope)) as client:
        assert (await call(client, "get_prompt", prompt=desk.prompt.name))["text"] == TEXT
        told = await refused(client, "run_evaluation", prompt=desk.prompt.name, **wanted)
    assert told == why
    assert (await desk.get("/runs"))["items"] == []


async def test_without_a_valid_token_there_are_no_tools(desk: Desk, url: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient() as http:
        for headers, message in (
            ({}, "Send a personal access token: `Authorization: Bearer edn_…`."),
            ({"Authorization": "Bearer edn_x"}, "This access token is not valid or has expired."),
        ):
            answer = await http.post(f"{url}/mcp", json=body, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert answer.json()["error"]["message"] == message


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_are_no_streams_to_open_and_no_sessions_to_end(
    desk: Desk, url: str, method: str
) -> None:
    headers = {"Authorization": f"Bearer {await token_of(desk)}", "Accept": "text/event-stream"}
    async with httpx2.AsyncClient() as http:
        answer = await http.request(method, f"{url}/mcp", headers=headers)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert answer.json()["error"]["code"] == "METHOD_NOT_ALLOWED"
