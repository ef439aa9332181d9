"""Insight over finished runs, through the API."""

import pytest

from edison.library.models.models import Model
from edison.workspace.credentials.models import Credential
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.models import make_model
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import PRICES, Desk

SCORERS = [{"kind": "contains", "options": {"phrases": ["on its way"]}}]
CASES = 24


def reply(received: Received) -> Reply:
    is_good = received.body["model"] == "gpt-fine"
    return openai.completion("It is on its way." if is_good else "Sorry.")


@pytest.fixture
async def cases(desk: Desk) -> MadeDataset:
    desk.server.choose = reply
    inputs = [{"question": f"Where is parcel {number}?"} for number in range(CASES)]
    return await make_dataset(desk.app, inputs, project=desk.dataset.project)


@pytest.fixture
async def fine(desk: Desk) -> Model:
    prices = {**PRICES, "output_nanos_per_million": 80_000_000_000}
    async with desk.app.state.database.read() as session:
        credential = await session.get_one(Credential, desk.model.credential_id)
    return await make_model(desk.app, credential, "gpt-fine", prices=prices)


async def test_insight_says_that_there_are_no_runs(desk: Desk) -> None:
    found = await desk.get("/models/insight")
    assert (found["runs"], found["cases"], found["models"]) == (0, 0, [])
    assert found["most_accurate"]["reason"] == "no_model"
    assert (await desk.get("/models/recommend"))["reason"] == "no_model"


async def test_insight_pools_runs_by_the_content_of_cases(
    desk: Desk, cases: MadeDataset, fine: Model
) -> None:
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS)
    await desk.run(
        dataset_id=str(cases.id), scorers=SCORERS, variants=[desk.variant(model_id=str(fine.id))]
    )
    # Without scorers there is nothing to compare.
    await desk.run()
    found = await desk.get("/models/insight", dataset_id=str(cases.id), days=7)
    assert (found["runs"], found["older_runs"], found["cases"]) == (2, 0, CASES)
    assert [(each["name"], each["score"]) for each in found["models"]] == [
        ("gpt-fine", 1),
        ("gpt-x", 0),
    ]
    best = found["most_accurate"]
    assert (best["key"], best["reason"]) == (str(fine.id), "separated")
    assert abs(best["difference"]) == 1
    assert 0 <= best["p_value"] < 0.05
    assert found["best_value"]["key"] == str(fine.id)
    assert found["best_value"]["reason"] == "cheaper_ones_worse"
    proven = await desk.get("/models/recommend", required_quality=0.7)
    assert (proven["key"], proven["reason"]) == (str(fine.id), "quality_proven")
    assert proven["low"] >= 0.7
    cheap = await desk.get("/models/recommend", required_quality=0.7, max_cost_usd="0.000001")
    assert (cheap["key"], cheap["reason"]) == (None, "nothing_affordable")
    missed = await desk.get("/models/recommend", dataset_id=str(desk.dataset.id))
    assert missed["reason"] == "no_model"


async def test_bad_input_names_its_field(desk: Desk) -> None:
    for query, field in (
        ({"days": 0}, "days"),
        ({"dataset_id": "x"}, "dataset_id"),
        ({"required_quality": 1.1}, "required_quality"),
        ({"max_cost_usd": "-1"}, "max_cost_usd"),
        # Finer than a nano-dollar.
        ({"max_cost_usd": "0.0000000001"}, "max_cost_usd"),
    ):
        url = f"{desk.project_url}/models/recommend"
        refused = await desk.dataset.editor.get(url, params=query)
        assert refused.status_code == 400, refused.text
        assert refused.json()["error"]["details"][0]["field"].endswith(field)
