"""Cheaper models in the test on held-out cases: the cheapest that is shown to be as good."""

from typing import Any

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from edison.workspace.credentials.models import Credential
from tests.factories.datasets import add_cases
from tests.factories.models import make_model
from tests.slices.optimizations.workshop import HOLDOUT, TRAIN, Workshop
from tests.slices.runs.conftest import PRICES

MORE = 30


async def test_the_cheapest_model_that_is_as_good_is_recommended(shop: Workshop) -> None:
    good, bad, unneeded = await _prepare(shop, "good", "bad", "unneeded")
    every = {"good": 10, "bad": 2}
    shop.script.is_wrong = lambda model, number: model in every and number % every[model] == 0
    started = await shop.start(generations=1, cheaper_models=[unneeded, bad, good])
    ended = await shop.until_ended(started)
    assert (ended["outcome"], ended["finalist"]) == ("promoted", 2), ended
    choice = ended["model_choice"]
    assert (choice["incumbent"], choice["candidate"], choice["margin"]) == ("plain", 2, 0.05)
    trials = [(each["name"], each["is_as_good"]) for each in choice["trials"]]
    # From the most expensive to the cheapest, until one is not shown to be as good.
    assert trials == [("good", True), ("bad", False), ("unneeded", None)]
    assert choice["chosen"] == good["model_id"]
    assert choice["saving"] == 0.5
    # One rule, a fifth of 0.6, and one answer in ten without the facts, 0.4 x 0.8.
    assert round(choice["trials"][0]["difference"], 3) == 0.088
    url = f"{shop.project_url}/optimizations/{ended['id']}/report/export"
    written = (await shop.dataset.editor.get(url, params={"format": "md"})).text
    assert "good with candidate 2 is as good as plain with the base" in written
    assert "| bad |" in written


async def test_models_are_tested_when_nothing_was_gained(shop: Workshop) -> None:
    (good,) = await _prepare(shop, "good")
    shop.script.said = ["<diff>\n</diff>\n<note>\nNothing is missing.\n</note>"]
    shop.script.is_wrong = lambda model, number: number % 10 == 0
    ended = await shop.until_ended(await shop.start(generations=1, cheaper_models=[good]))
    assert (ended["outcome"], ended["finalist"], ended["gate"]) == ("no_gain", None, None), ended
    choice = ended["model_choice"]
    assert (choice["candidate"], choice["chosen"]) == (0, None)
    # The same answers on 40 cases: differences that are all 0 take 60 of them.
    assert choice["trials"][0]["reason"].startswith("40 shared cases are too few")


async def test_models_that_cannot_be_compared_are_refused(shop: Workshop) -> None:
    plain = {"model_id": shop.model_id("plain")}
    few = await shop.post("/optimizations", **shop.body(cheaper_models=[plain]))
    assert _problem(few) == ("cheaper_models", "too_few_holdout_cases")
    (good,) = await _prepare(shop, "good")
    same = await shop.post("/optimizations", **shop.body(cheaper_models=[good, plain]))
    assert _problem(same) == ("cheaper_models.1.model_id", "not_cheaper")
    twice = await shop.post("/optimizations", **shop.body(cheaper_models=[good, good]))
    assert _problem(twice) == ("cheaper_models.1.model_id", "model_repeated")
    two = [plain, {"model_id": shop.model_id("judge")}]
    several = await shop.post("/optimizations", **shop.body(models=two, cheaper_models=[good]))
    assert _problem(several) == ("models", "several_incumbents")


async def _prepare(shop: Workshop, *names: str) -> list[dict[str, str]]:
    """More held-out cases, and models each of which costs half as much as the one before."""
    async with shop.app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, shop.dataset.id),
            [
                CaseContents(inputs={"question": f"Where is parcel {at}?"}, split=Split.HOLDOUT)
                for at in range(TRAIN + HOLDOUT, TRAIN + HOLDOUT + MORE)
            ],
        )
        credential = await session.get_one(Credential, shop.models["plain"].credential_id)
    made = []
    for at, name in enumerate(names, start=1):
        prices = {key: each and each // 2**at for key, each in PRICES.items()}
        model = await make_model(shop.app, credential, name, prices=prices)
        made.append({"model_id": str(model.id), "parameters": {"max_tokens": 50}})
    return made


def _problem(response: Any) -> tuple[str, str]:
    assert response.status_code == 400, response.text
    (found,) = response.json()["error"]["details"]
    return found["field"], found["code"]
