"""A project with two versions of a prompt, cases, a model whose answers depend on the version, and
an editor of A/B tests.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.library.prompts.models import Prompt, PromptVersion
from tests.factories.datasets import MadeDataset
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply, ScriptedServer
from tests.support.project_news import read_until

RUNNING = ("draft", "running")
GOOD = "It is on its way."
SECOND = "Be brief."
_NUMBER = re.compile(r"parcel number (\d+)")


@dataclass(kw_only=True)
class Replies:
    """The first version answers every `first_wrong`-th case wrongly; the second those of
    `second_wrong`. `failing` cases are errors.
    """

    first_wrong: int = 0
    second_wrong: int = 0
    failing: Collection[int] = ()
    asked: int = 0
    at: dict[int, Callable[[], None]] = field(default_factory=dict)

    def reply(self, received: Received) -> Reply:
        self.asked += 1
        self.at.get(self.asked, lambda: None)()
        texts = "\n".join(message["content"] for message in received.body["messages"])
        found = _NUMBER.search(texts)
        number = int(found[1]) if found else 0
        if number in self.failing:
            return openai.error(400)
        every = self.second_wrong if SECOND in texts else self.first_wrong
        return openai.completion("Sorry." if every and number % every == 0 else GOOD)


@dataclass(frozen=True, kw_only=True)
class Trial:
    app: FastAPI
    dataset: MadeDataset
    prompt: Prompt
    versions: tuple[PromptVersion, PromptVersion]
    model: Model
    server: ScriptedServer
    replies: Replies

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    def arm(self, at: int, **changes: Any) -> dict[str, Any]:
        return {
            "prompt_id": str(self.prompt.id),
            "version_id": str(self.versions[at].id),
            "model_id": str(self.model.id),
            **changes,
        }

    def body(self, **changes: Any) -> dict[str, Any]:
        return {
            "name": "Brief replies",
            "first": self.arm(0),
            "second": self.arm(1),
            "dataset_id": str(self.dataset.id),
            "scorers": [{"kind": "contains", "options": {"phrases": ["on its way"]}}],
            "pairs": 20,
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

    async def patch(self, test: dict[str, Any], **body: Any) -> httpx.Response:
        url = f"{self.project_url}/ab-tests/{test['id']}"
        return await self.dataset.editor.patch(url, json=body)

    async def delete(self, path: str) -> httpx.Response:
        return await self.dataset.editor.delete(f"{self.project_url}{path}")

    async def make(self, **changes: Any) -> dict[str, Any]:
        return dict(await self.do("/ab-tests", **self.body(**changes)))

    async def start(self, **changes: Any) -> dict[str, Any]:
        made = await self.make(**changes)
        return dict(await self.do(f"/ab-tests/{made['id']}/start"))

    async def read(self, test: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.get(f"/ab-tests/{test['id']}"))

    async def record(self, test: dict[str, Any], *answers: dict[str, Any]) -> httpx.Response:
        return await self.post(f"/ab-tests/{test['id']}/answers", answers=list(answers))

    async def until(
        self, test: dict[str, Any], is_so: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any]:
        project_id = self.dataset.project.id
        return await read_until(self.app, project_id, lambda: self.read(test), is_so)

    async def until_ended(self, test: dict[str, Any]) -> dict[str, Any]:
        return await self.until(test, lambda found: found["state"] not in RUNNING)

    async def notices(self) -> list[tuple[str, str]]:
        """Kinds and texts of the editor's notifications, oldest first."""
        response = await self.dataset.editor.get("/api/v1/notifications")
        return [(each["kind"], each["body"]) for each in response.json()["items"]][::-1]
