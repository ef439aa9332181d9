"""A trial with 24 cases, and a worker."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from edison.settings import Settings
from tests.factories.datasets import make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.prompts import TEXT, make_prompt, make_version
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.slices.abtests.trial import SECOND, Replies, Trial
from tests.slices.runs.conftest import PRICES, working

__all__ = ["working"]

CASES = 24


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def trial(app: FastAPI, server: ScriptedServer, working: None) -> Trial:
    inputs = [{"question": f"Where is parcel number {number}?"} for number in range(CASES)]
    dataset = await make_dataset(app, inputs)
    project_id = dataset.project.id
    credential = await make_credential(
        app, project_id, "openai_compatible", settings={"base_url": server.url}
    )
    prompt = await make_prompt(app, project_id, name="Replies")
    first = await make_version(app, prompt)
    second = await make_version(app, prompt, text=f"{TEXT} {SECOND}")
    replies = Replies()
    server.choose = replies.reply
    return Trial(
        app=app,
        dataset=dataset,
        prompt=prompt,
        versions=(first, second),
        model=await make_model(app, credential, "plain", prices=PRICES),
        server=server,
        replies=replies,
    )
