"""A workshop with training cases, held-out cases, a prompt with a version, and a worker."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from edison.settings import Settings
from tests.factories.datasets import add_cases, make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.prompts import make_prompt, make_version
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.slices.experiments.lab import TEXT
from tests.slices.optimizations.workshop import HOLDOUT, TRAIN, Workshop, WorkshopScript
from tests.slices.runs.conftest import PRICES, working
from tests.support.optimizers import strategy_of_the_howto

__all__ = ["strategy_of_the_howto", "working"]

MODELS = ("plain", "judge", "refiner")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def shop(app: FastAPI, server: ScriptedServer, working: None) -> Workshop:
    dataset = await make_dataset(app)
    async with app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, dataset.id),
            [
                CaseContents(
                    inputs={"question": f"Where is parcel {number}?"},
                    split=Split.TRAIN if number < TRAIN else Split.HOLDOUT,
                )
                for number in range(TRAIN + HOLDOUT)
            ],
        )
    credential = await make_credential(
        app, dataset.project.id, "openai_compatible", settings={"base_url": server.url}
    )
    models = {name: await make_model(app, credential, name, prices=PRICES) for name in MODELS}
    prompt = await make_prompt(app, dataset.project.id, name="Parcels")
    script = WorkshopScript()
    server.choose = script.reply
    return Workshop(
        app=app,
        dataset=dataset,
        prompt=prompt,
        version=await make_version(app, prompt, text=TEXT),
        models=models,
        server=server,
        script=script,
    )
