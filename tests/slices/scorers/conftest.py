"""A project with a judge's model behind a local server, and an editor."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.settings import Settings
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.scorers import ACCURACY, TONE
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import ScriptedServer

PRICES = {
    "input_nanos_per_million": 2_000_000_000,
    "output_nanos_per_million": 8_000_000_000,
    "cached_input_nanos_per_million": None,
}


@dataclass(frozen=True, kw_only=True)
class Bench:
    """An editor of a project, and the project's contents."""

    app: FastAPI
    dataset: MadeDataset
    model: Model
    server: ScriptedServer

    @property
    def project_url(self) -> str:
        return f"/api/v1/projects/{self.dataset.project.slug}"

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.dataset.editor.get(f"{self.project_url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.dataset.editor.post(f"{self.project_url}{path}", json=body)

    async def make(self, path: str, **body: Any) -> dict[str, Any]:
        response = await self.post(path, **body)
        assert response.status_code in (200, 201), response.text
        return dict(response.json())

    async def patch(self, path: str, **body: Any) -> httpx.Response:
        return await self.dataset.editor.patch(f"{self.project_url}{path}", json=body)

    async def delete(self, path: str) -> httpx.Response:
        return await self.dataset.editor.delete(f"{self.project_url}{path}")

    async def rubric(self, **values: Any) -> dict[str, Any]:
        body = {"name": "Support", "criteria": [ACCURACY, TONE], **values}
        return dict((await self.make("/rubrics", **body))["rubric"])

    def judge(self, **options: Any) -> dict[str, Any]:
        return {"kind": "judge", "options": {"model_id": str(self.model.id), **options}}


def verdict(**scores: float) -> str:
    """A judge's verdict as JSON."""
    rationales = {name: f"Because of {name}." for name in scores}
    return json.dumps({"rationales": rationales, "scores": scores})


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def bench(app: FastAPI, server: ScriptedServer) -> Bench:
    dataset = await make_dataset(app, [{"question": "Where is my parcel?"}])
    credential = await make_credential(
        app, dataset.project.id, "openai_compatible", settings={"base_url": server.url}
    )
    return Bench(
        app=app,
        dataset=dataset,
        model=await make_model(app, credential, "gpt-x", prices=PRICES),
        server=server,
    )
