"""A project with a prompt in production, cases, a model whose answers a test can spoil, and an
editor of monitors.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.monitors.checks.fire import fire_due
from tests.factories.datasets import MadeDataset
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply, ScriptedServer
from tests.support.project_news import read_until

ENDED = ("done", "skipped", "failed", "cancelled")
GOOD = "It is on its way."
_NUMBER = re.compile(r"parcel number (\d+)")


@dataclass(kw_only=True)
class Quality:
    """Which answers are wrong: those to the first `wrong` cases. `failing` answers are errors."""

    wrong: int = 0
    failing: int = 0
    asked: int = 0
    at: dict[int, Callable[[], None]] = field(default_factory=dict)

    def reply(self, received: Received) -> Reply:
        self.asked += 1
        self.at.get(self.asked, lambda: None)()
        texts = "\n".join(message["content"] for message in received.body["messages"])
        found = _NUMBER.search(texts)
        number = int(found[1]) if found else 0
        if number < self.failing:
            return openai.error(400)
        return openai.completion("Sorry." if number < self.wrong else GOOD)


@dataclass(frozen=True, kw_only=True)
class Ward:
    app: FastAPI
    dataset: MadeDataset
    prompt: Prompt
    version: PromptVersion
    model: Model
    server: ScriptedServer
    quality: Quality

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    def body(self, **changes: Any) -> dict[str, Any]:
        """Without the rule for latency, which depends on the machine."""
        rules = {"latency": {"is_on": False}, **changes.pop("rules", {})}
        return {
            "rules": rules,
            "name": "Parcels",
            "prompt_id": str(self.prompt.id),
            "dataset_id": str(self.dataset.id),
            "models": [{"model_id": str(self.model.id)}],
            "scorers": [{"kind": "contains", "options": {"phrases": ["on its way"]}}],
            "cron": "0 9 * * *",
            **changes,
        }

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.dataset.editor.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.dataset.editor.post(f"{self.project_url}{path}", json=body)

    async def do(self, path: str, **body: Any) -> Any:
        response = await self.post(path, **body)
        assert response.status_code in (200, 201), response.text
        return response.json()

    async def patch(self, monitor: dict[str, Any], **body: Any) -> httpx.Response:
        url = f"{self.project_url}/monitors/{monitor['id']}"
        return await self.dataset.editor.patch(url, json=body)

    async def delete(self, path: str) -> httpx.Response:
        return await self.dataset.editor.delete(f"{self.project_url}{path}")

    async def make(self, **changes: Any) -> dict[str, Any]:
        return dict(await self.do("/monitors", **self.body(**changes)))

    async def monitor(self, monitor: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.get(f"/monitors/{monitor['id']}"))

    async def checks(self, monitor: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        found = await self.get(f"/monitors/{monitor['id']}/checks", **query)
        return list(found["items"])

    async def alerts(self, **query: Any) -> list[dict[str, Any]]:
        return list((await self.get("/alerts", **query))["items"])

    async def notices(self) -> list[str]:
        """Kinds of the editor's notifications, oldest first."""
        response = await self.dataset.editor.get("/api/v1/notifications")
        return [each["kind"] for each in response.json()["items"]][::-1]

    async def fire(self) -> None:
        await fire_due(self.app.state.database)

    async def until_ended(
        self, monitor: dict[str, Any], number: int, states: Collection[str] = ENDED
    ) -> dict[str, Any]:
        """Waits until the check with this number is in one of the states."""

        async def find() -> dict[str, Any] | None:
            return next(
                (each for each in await self.checks(monitor) if each["number"] == number), None
            )

        project_id = self.dataset.project.id
        found = await read_until(
            self.app, project_id, find, lambda check: check is not None and check["state"] in states
        )
        assert found is not None
        return found

    async def check(self, monitor: dict[str, Any]) -> dict[str, Any]:
        """Checks now, and waits for the result."""
        added = await self.do(f"/monitors/{monitor['id']}/run")
        return await self.until_ended(monitor, added["number"])

    async def mark_production(self, version_id: UUID | None) -> None:
        response = await self.dataset.editor.put(
            f"{self.project_url}/prompts/{self.prompt.id}/production",
            json={"version_id": None if version_id is None else str(version_id)},
        )
        assert response.status_code == 200, response.text
