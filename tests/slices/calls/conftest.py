"""A project with a model behind a local server that speaks OpenAI's protocol."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from edison.settings import Settings
from tests.fake_providers import openai, scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.support.browser import Browser
from tests.support.event_text import read_events

SECRET = "sk-planted-secret-1234567890abcd"


@dataclass(kw_only=True)
class Bench:
    """Ada's project. `model` costs $2 per million tokens in, $1 cached, $8 out."""

    ada: Browser
    server: ScriptedServer
    url: str
    credential: str
    model: str

    async def attempt(self, **changes: Any) -> list[tuple[str, dict[str, Any]]]:
        """The events of one trial of the model."""
        body = {"prompt": "Capital of France?", **changes}
        response = await self.ada.post(f"{self.url}/models/{self.model}/try", json=body)
        assert response.status_code == 200, response.text
        assert response.headers["content-type"].startswith("text/event-stream")
        return read_events(response.text)

    async def ledger(self) -> list[dict[str, Any]]:
        return list((await self.ada.get(f"{self.url}/ledger")).json()["items"])


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "allow_private_addresses": True,
            "credential_variables": "PLANTED_KEY=127.0.0.1",
        }
    )


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def bench(ada: Browser, server: ScriptedServer) -> Bench:
    project = (await ada.post("/api/v1/projects", json={"name": "Mine"})).json()
    url = f"/api/v1/projects/{project['slug']}"
    server.script(openai.MODELS)
    credential = await ada.post(
        f"{url}/credentials",
        json={
            "provider": "openai_compatible",
            "label": "Local",
            "settings": {"base_url": server.url},
            "secrets": {"api_key": {"value": SECRET}},
        },
    )
    assert credential.status_code == 201, credential.text
    model = await ada.post(
        f"{url}/models",
        json={
            "credential_id": credential.json()["id"],
            "provider_model": "gpt-x",
            "display_name": "Local X",
            "prices": {
                "input_usd_per_million": "2",
                "output_usd_per_million": "8",
                "cached_input_usd_per_million": "1",
            },
        },
    )
    assert model.status_code == 201, model.text
    return Bench(
        ada=ada,
        server=server,
        url=url,
        credential=credential.json()["id"],
        model=model.json()["id"],
    )
