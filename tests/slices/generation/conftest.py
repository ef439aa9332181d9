"""A dataset with an editor, a model behind a local server, and a worker."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from edison.library.datasets.models import Case
from edison.library.models.models import Model
from edison.settings import Settings
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.models import make_credential, make_model
from tests.fake_providers import openai, scripted_server
from tests.fake_providers.scripted_server import Reply, ScriptedServer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.working import working_beside

HINTS = "Questions that customers ask about parcels that are late"
PRICES = {
    "input_nanos_per_million": 2_000_000_000,
    "output_nanos_per_million": 8_000_000_000,
    "cached_input_nanos_per_million": None,
}
ENDED = ("done", "failed", "cancelled")


def rows(texts: Sequence[str], **more: Any) -> Reply:
    """An answer with one case per text."""
    lines = [
        {"input": {"question": text}, "tags": ["parcel"], "difficulty": 2, **more} for text in texts
    ]
    return openai.completion("\n".join(json.dumps(line) for line in lines))


def batch(number: int, count: int = 10) -> Reply:
    """Cases that are in no other batch."""
    words = (
        "anchor",
        "basil",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "grove",
        "heath",
        "inlet",
        "jade",
    )
    return rows([f"{words[index]} {number} {words[-index]}{number}" for index in range(count)])


@dataclass(frozen=True, kw_only=True)
class Desk:
    """An editor who generates cases."""

    dataset: MadeDataset
    model: Model
    server: ScriptedServer

    @property
    def url(self) -> str:
        return f"{self.dataset.url}/generations"

    def body(self, **changes: Any) -> dict[str, Any]:
        return {
            "kind": "synthetic",
            "model_id": str(self.model.id),
            "count": 10,
            "hints": HINTS,
            **changes,
        }

    async def start(self, **changes: Any) -> dict[str, Any]:
        response = await self.dataset.editor.post(self.url, json=self.body(**changes))
        assert response.status_code == 201, response.text
        return dict(response.json())

    async def get(self, generation_id: str) -> dict[str, Any]:
        response = await self.dataset.editor.get(f"{self.url}/{generation_id}")
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def finish(self, generation_id: str) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (found := await self.get(generation_id))["state"] not in ENDED:
                pass
        return found

    async def generate(self, **changes: Any) -> dict[str, Any]:
        return await self.finish((await self.start(**changes))["id"])

    async def drafts(self, generation_id: str) -> list[dict[str, Any]]:
        url = f"{self.url}/{generation_id}/drafts"
        response = await self.dataset.editor.get(url, params={"limit": 100})
        assert response.status_code == 200, response.text
        return list(response.json()["items"])

    async def accept(self, generation_id: str | UUID, **body: Any) -> Any:
        return await self.dataset.editor.post(f"{self.url}/{generation_id}/accept", json=body)

    async def ledger(self) -> list[dict[str, Any]]:
        url = f"/api/v1/projects/{self.dataset.project.slug}/ledger"
        return list((await self.dataset.editor.get(url, params={"limit": 100})).json()["items"])


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def working(app: FastAPI) -> AsyncIterator[None]:
    async with working_beside(app):
        yield


@pytest.fixture
async def dataset(app: FastAPI) -> MadeDataset:
    """Its only case is not held out."""
    made = await make_dataset(app, [{"question": "Where is my parcel?"}])
    async with app.state.database.write() as session:
        await session.execute(update(Case).where(Case.dataset_id == made.id).values(split="train"))
    return made


@pytest.fixture
async def desk(app: FastAPI, dataset: MadeDataset, server: ScriptedServer, working: None) -> Desk:
    credential = await make_credential(
        app, dataset.project.id, "openai_compatible", settings={"base_url": server.url}
    )
    model = await make_model(app, credential, "gpt-x", prices=PRICES)
    return Desk(dataset=dataset, model=model, server=server)


@pytest.fixture
async def sim_desk(
    app: FastAPI, dataset: MadeDataset, server: ScriptedServer, working: None
) -> Desk:
    """With a simulated model without latency."""
    credential = await make_credential(app, dataset.project.id, settings={"latency_scale": 0})
    model = await make_model(app, credential)
    return Desk(dataset=dataset, model=model, server=server)
