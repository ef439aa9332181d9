"""The desk of runs, with a playground."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from edison.library.prompts.models import Prompt
from tests.factories.prompts import make_prompt
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import Desk, desk, server, settings, working

__all__ = ["desk", "server", "settings", "working"]

ANSWER = "It is on its way."


@dataclass(frozen=True, kw_only=True)
class Playground:
    """One column with the desk's model, and an optional grader prompt."""

    desk: Desk
    grader: Prompt

    def body(self, **changes: Any) -> dict[str, Any]:
        return {
            "prompt_id": str(self.desk.prompt.id),
            "columns": [{"model_id": str(self.desk.model.id)}],
            "dataset_id": str(self.desk.dataset.id),
            **changes,
        }

    def graded(self, **changes: Any) -> dict[str, Any]:
        grader = {
            "grader_prompt_id": str(self.grader.id),
            "grader_model_id": str(self.desk.model.id),
        }
        return self.body(**grader, **changes)

    async def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.desk.post(f"/playground{path}", **body)

    async def start(self, **changes: Any) -> dict[str, Any]:
        response = await self.post("/runs", self.body(**changes))
        assert response.status_code == 201, response.text
        return dict(response.json())

    async def run(self, **changes: Any) -> dict[str, Any]:
        return await self.desk.finish((await self.start(**changes))["id"])


def answering(say: Callable[[str], str]) -> Callable[[Received], Reply]:
    """A provider that answers the last question, streamed if requested."""

    def reply(received: Received) -> Reply:
        text = say(received.body["messages"][-1]["content"])
        if received.body.get("stream"):
            return openai.text_stream(*text.splitlines(keepends=True))
        return openai.completion(text)

    return reply


@pytest.fixture
async def playground(desk: Desk) -> Playground:
    desk.server.choose = answering(lambda asked: "0.5\nFair." if "Grade" in asked else ANSWER)
    grader = await make_prompt(
        desk.app,
        desk.dataset.project.id,
        name="Strict",
        kind="grader",
        text="Grade the answer to {{question}} from 0 to 1: {{output}}",
    )
    return Playground(desk=desk, grader=grader)
