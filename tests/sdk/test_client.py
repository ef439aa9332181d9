"""The client, prompts by name and answers for A/B tests, against the real application."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison import sdk
from edison.sdk import prompts
from tests.factories.prompts import make_prompt, make_version


async def in_thread(function: Any, *given: Any, **named: Any) -> Any:
    return await asyncio.to_thread(function, *given, **named)


async def test_requests_lists_and_errors(client: sdk.Client) -> None:
    project = await in_thread(client.get, "")
    for name in ("one", "two", "three"):
        await in_thread(client.post, "/datasets", {"name": name})
    names = {
        each["name"] for each in await in_thread(lambda: list(client.pages("/datasets", limit=2)))
    }
    assert {"one", "two", "three"} <= names
    with pytest.raises(sdk.ApiError) as refused:
        await in_thread(client.post, "/datasets", {"name": ""})
    assert (refused.value.status, refused.value.code) == (400, "VALIDATION_ERROR")
    with pytest.raises(sdk.ApiError, match="cannot be reached"):
        await in_thread(sdk.Client("http://127.0.0.1:1", project="a").post, "/datasets", {})
    with pytest.raises(ValueError, match="http or https"):
        sdk.Client("file:///etc")
    assert "token" not in repr(client).lower()
    assert project["slug"] == client.project


async def test_a_prompt_is_cached_asked_with_its_tag_and_survives_the_server(
    app: FastAPI, client: sdk.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = UUID((await in_thread(client.get, ""))["id"])
    made = await make_prompt(app, project_id, name="Reply")
    version = await make_version(app, made, text="Answer {{question}} in {{language}}.")
    await in_thread(client.request, "PUT", f"/prompts/{made.id}/production",
                    body={"version_id": str(version.id)})  # fmt: skip
    asked: list[dict[str, str]] = []
    exchange = sdk.Client.exchange

    def counted(self: sdk.Client, *given: Any, **named: Any) -> Any:
        asked.append(named.get("headers") or {})
        return exchange(self, *given, **named)

    monkeypatch.setattr(sdk.Client, "exchange", counted)
    found = await in_thread(sdk.prompt, "Reply", client=client)
    assert (found.version, found.is_fallback) == (version.label, False)
    assert found.render(question="A?", language="German")[-1] == {
        "role": "user",
        "content": "Answer A? in German.",
    }
    with pytest.raises(ValueError, match="needs language"):
        found.render(question="A?")
    assert await sdk.prompt_async("Reply", client=client) is found
    assert len(asked) == 1
    again = await in_thread(sdk.prompt, "Reply", client=client, max_age_seconds=0)
    assert "If-None-Match" in asked[-1]
    assert again == found
    with pytest.raises(sdk.ApiError):
        await in_thread(sdk.prompt, "Nothing", client=client)

    gone = sdk.Client("http://127.0.0.1:1", project=client.project)
    monkeypatch.setattr(client, "url", gone.url)
    key = next(iter(prompts._cache.kept))
    prompts._cache.kept[(gone.url, *key[1:])] = prompts._cache.kept[key]
    assert await in_thread(sdk.prompt, "Reply", client=gone, max_age_seconds=0) == found
    fallback = await in_thread(sdk.prompt, "Other", client=gone, fallback="Answer {{question}}.")
    assert (fallback.is_fallback, fallback.text) == (True, "Answer {{question}}.")
    count = len(asked)
    assert (await in_thread(sdk.prompt, "Other", client=gone, fallback="B")).text == "B"
    assert len(asked) == count
