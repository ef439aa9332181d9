"""A lab with train cases, held-out cases, and a worker."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from edison.settings import Settings
from tests.factories.datasets import add_cases, make_dataset
from tests.factories.models import make_credential, make_model
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.slices.experiments.lab import Lab, ServerScript
from tests.slices.runs.conftest import PRICES, working
from tests.support.optimizers import strategy_of_the_howto

__all__ = ["strategy_of_the_howto", "working"]

MODELS = ("plain", "fancy", "judge", "refiner")
TRAIN_CASES = 4
HOLDOUT_CASES = 2


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"allow_private_addresses": True})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as running:
        yield running


@pytest.fixture
async def lab(app: FastAPI, server: ScriptedServer, working: None) -> Lab:
    dataset = await make_dataset(app)
    async with app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, dataset.id),
            [
                CaseContents(
                    inputs={"question": f"Where is parcel {number}?"},
                    tags=("parcel",),
                    split=Split.TRAIN if number < TRAIN_CASES else Split.HOLDOUT,
                )
                for number in range(TRAIN_CASES + HOLDOUT_CASES)
            ],
        )
    credential = await make_credential(
        app, dataset.project.id, "openai_compatible", settings={"base_url": server.url}
    )
    models = {name: await make_model(app, credential, name, prices=PRICES) for name in MODELS}
    cast = ServerScript()
    server.choose = cast.reply
    return Lab(app=app, dataset=dataset, server=server, models=models, cast=cast)
