"""A project with a prompt, cases and models, an editor who starts runs, and a worker."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.library.prompts.models import Prompt
from edison.runs.store.transitions import progress_topic
from edison.settings import Settings
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.prompts import make_prompt
from tests.fake_providers import openai, scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.working import working_beside

ENDED = ("completed", "cancelled", "failed")
PRICES = {
    "input_nanos_per_million": 2_000_000_000,
    "output_nanos_per_million": 8_000_000_000,
    "cached_input_nanos_per_million": None,
}
CASES = [{"question": f"Where is parcel number {number}?"} for number in range(6)]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """An editor who starts runs and watches them."""

    app: FastAPI
    dataset: MadeDataset
    prompt: Prompt
    model: Model
    server: ScriptedServer

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    @property
    def url(self) -> str:
        return f"{self.project_url}/runs"

    def variant(self, **changes: Any) -> dict[str, Any]:
        return {"prompt_id": str(self.prompt.id), "model_id": str(self.model.id), **changes}

    def body(self, **changes: Any) -> dict[str, Any]:
        return {
            "variants": [self.variant()],
            "dataset_id": str(self.dataset.id),
            **changes,
        }

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.dataset.editor.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.dataset.editor.post(f"{self.project_url}{path}", json=body)

    async def start(self, **changes: Any) -> dict[str, Any]:
        response = await self.dataset.editor.post(self.url, json=self.body(**changes))
        assert response.status_code == 201, response.text
        return dict(response.json())

    async def until(self, run_id: str, *states: str) -> dict[str, Any]:
        return await self.until_it(run_id, lambda run: run["state"] in states)

    async def until_it(
        self, run_id: str, is_so: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any]:
        """Waits until the condition holds; returns the run."""
        wakeups = self.app.state.database.wakeups
        with wakeups.subscribe(progress_topic(UUID(run_id))) as news:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not is_so(found := await self.get(f"/runs/{run_id}")):
                    await news.wait(0.5)
        return dict(found)

    async def finish(self, run_id: str) -> dict[str, Any]:
        return await self.until(run_id, *ENDED)

    async def run(self, **changes: Any) -> dict[str, Any]:
        return await self.finish((await self.start(**changes))["id"])

    async def rows(self, run_id: str, **query: Any) -> list[dict[str, Any]]:
        return list((await self.get(f"/runs/{run_id}/rows", limit=200, **query))["items"])

    async def cells(self, run_id: str) -> list[dict[str, Any]]:
        return [cell for row in await self.rows(run_id) for cell in row["cells"]]

    async def until_asked(self, count: int) -> None:
        """Waits until the model has been called this often in all."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.server.received) < count:
                self.server.was_asked.clear()
                await self.server.was_asked.wait()

    async def ledger(self) -> list[dict[str, Any]]:
        return list((await self.get("/ledger", limit=100))["items"])


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        running.replies = [openai.completion("It is on its way.")]
        yield running


@pytest.fixture
async def working(app: FastAPI) -> AsyncIterator[None]:
    async with working_beside(app):
        yield


@pytest.fixture
async def desk(app: FastAPI, server: ScriptedServer, working: None) -> Desk:
    """With a model behind a local server."""
    dataset = await make_dataset(app, CASES)
    project_id = dataset.project.id
    credential = await make_credential(
        app, project_id, "openai_compatible", settings={"base_url": server.url}
    )
    return Desk(
        app=app,
        dataset=dataset,
        prompt=await make_prompt(app, project_id, name="Reply"),
        model=await make_model(app, credential, "gpt-x", prices=PRICES),
        server=server,
    )
