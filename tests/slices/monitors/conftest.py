"""A ward with 24 cases, and a worker."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from edison.settings import Settings
from tests.factories.datasets import make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.prompts import make_prompt, make_version
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.slices.monitors.ward import Quality, Ward
from tests.slices.runs.conftest import PRICES, working

__all__ = ["working"]

CASES = 24


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Without scheduling: tests fire monitors themselves."""
    return settings.model_copy(update={"allow_private_addresses": True, "scheduling": False})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def ward(app: FastAPI, server: ScriptedServer, working: None) -> Ward:
    inputs = [{"question": f"Where is parcel number {number}?"} for number in range(CASES)]
    dataset = await make_dataset(app, inputs)
    project_id = dataset.project.id
    credential = await make_credential(
        app, project_id, "openai_compatible", settings={"base_url": server.url}
    )
    prompt = await make_prompt(app, project_id, name="Replies")
    version = await make_version(app, prompt)
    quality = Quality()
    server.choose = quality.reply
    made = Ward(
        app=app,
        dataset=dataset,
        prompt=prompt,
        version=version,
        model=await make_model(app, credential, "plain", prices=PRICES),
        server=server,
        quality=quality,
    )
    await made.mark_production(version.id)
    return made
