"""What an optimization refuses before anything is spent, and the estimate."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import update

from edison.library.datasets.models import Case
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.schemas import BudgetRequest
from tests.slices.optimizations.workshop import HOLDOUT, TRAIN, Workshop


def problems(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 400, response.text
    details = response.json()["error"]["details"]
    return [(each["field"], each["code"]) for each in details]


async def test_bad_configurations_name_their_field(shop: Workshop) -> None:
    missing = "00000000-0000-0000-0000-000000000000"
    evolve = shop.strategy("evolve")
    wrong: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
        "prompt": ({"prompt_id": missing}, ("prompt_id", "unknown_prompt")),
        "version": ({"version_id": missing}, ("version_id", "unknown_version")),
        "dataset": ({"dataset_id": missing}, ("dataset_id", "unknown_dataset")),
        "model": ({"models": [{"model_id": missing}]}, ("models.0.model_id", "unknown_model")),
        "kind": (
            {"strategy": {"kind": "magic", "options": {}}},
            ("strategy.kind", "unknown_optimizer"),
        ),
        "option": (
            {"strategy": {**evolve, "options": {**evolve["options"], "magic": 1}}},
            ("strategy.options.magic", "extra_forbidden"),
        ),
        "no model": ({"strategy": {"kind": "evolve"}}, ("strategy.options.model_id", "missing")),
        "candidates": (
            {
                "models": [{"model_id": shop.model_id(name)} for name in ("plain", "refiner")],
                "strategy": shop.strategy("race", candidates=16),
            },
            ("strategy.options.candidates", "too_many_candidates"),
        ),
        "weights": ({"scorers": [{**shop.panel(), "weight": 0}]}, ("scorers", "no_weight")),
    }
    for name, (changes, expected) in wrong.items():
        response = await shop.post("/optimizations", **shop.body(**changes))
        assert problems(response) == [expected], name
    assert (await shop.get("/optimizations"))["items"] == []
    assert shop.script.asked == []


@pytest.mark.parametrize(
    ("kept", "code"),
    [(0, "no_holdout"), (5, "too_few_holdout_cases"), (None, "too_few_train_cases")],
)
async def test_too_few_cases_are_refused(shop: Workshop, kept: int | None, code: str) -> None:
    async with shop.app.state.database.write() as session:
        condition = Case.position > TRAIN + (kept or 0)
        split = "train"
        if kept is None:
            condition, split = Case.position > 4, "holdout"
        await session.execute(update(Case).where(condition).values(split=split))
    response = await shop.post("/optimizations", **shop.body())
    assert problems(response) == [("dataset_id", code)]
    message = response.json()["error"]["details"][0]["message"]
    if code == "too_few_holdout_cases":
        assert message.endswith("cannot show any gain. It takes at least 7.")


async def test_the_estimate_says_how_many_generations_the_budget_allows(shop: Workshop) -> None:
    body = shop.body(strategy=shop.strategy("evolve", candidates=6), generations=5)
    body.pop("name")
    found = await shop.do("/optimizations/estimate", **body)
    assert (found["train_cases"], found["holdout_cases"]) == (TRAIN, HOLDOUT)
    assert (found["candidates_per_generation"], found["generations"]) == (6, 5)
    assert (found["looks"], round(found["alpha"], 4)) == (0, 0.0304)
    parts = {
        name: Decimal(found[name]["high_usd"])
        for name in ("baseline", "generation", "gate", "total")
    }
    assert parts["total"] == parts["baseline"] + 5 * parts["generation"] + parts["gate"]
    budget = parts["baseline"] + 3 * parts["generation"] + parts["gate"]
    found = await shop.do("/optimizations/estimate", **{**body, "budget_usd": str(budget)})
    assert (found["affordable_generations"], found["fits_budget"]) == (3, True)
    least = budget - 2 * parts["generation"] - Decimal("0.000000001")
    found = await shop.do("/optimizations/estimate", **{**body, "budget_usd": str(least)})
    assert (found["affordable_generations"], found["fits_budget"]) == (0, False)
    # The same budget does not start.
    made = await shop.make(**{**body, "budget_usd": str(least)})
    refused = await shop.post(f"/optimizations/{made['id']}/start")
    assert refused.status_code == 402
    error = refused.json()["error"]
    assert error["code"] == "BUDGET_TOO_SMALL"
    assert Decimal(error["details"]["left_usd"]) == least
    assert (await shop.read(made))["state"] == "draft"
    assert shop.script.asked == []


async def test_a_draft_keeps_what_it_uses(shop: Workshop) -> None:
    made = await shop.make()
    for path in (
        f"/models/{shop.model_id('refiner')}",
        f"/models/{shop.model_id('judge')}",
        f"/datasets/{shop.dataset.id}",
    ):
        response = await shop.dataset.editor.delete(f"{shop.project_url}{path}")
        assert response.status_code in (403, 409), (path, response.text)
        if response.status_code == 409:
            assert "Kinder replies" in response.json()["error"]["message"]
    for action in ("pause", "resume", "cancel"):
        refused = await shop.post(f"/optimizations/{made['id']}/{action}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "WRONG_STATE")
    url = f"{shop.project_url}/optimizations/{made['id']}"
    renamed = await shop.dataset.editor.patch(url, json={"name": "Other"})
    assert renamed.json()["name"] == "Other"
    assert (await shop.dataset.editor.delete(url)).status_code == 204


async def test_the_estimate_names_a_budget_of_the_project_that_allows_less(shop: Workshop) -> None:
    body = {name: value for name, value in shop.body().items() if name != "name"}
    roomy = await shop.do("/optimizations/estimate", **body)
    assert (roomy["affordable_generations"], roomy["limited_by"]) == (2, None)
    high = {part: Decimal(roomy[part]["high_usd"]) for part in ("baseline", "generation", "gate")}
    wanted = BudgetRequest.model_validate({"period": "total", "limit_usd": sum(high.values())})
    async with shop.app.state.database.write() as session:
        project_id = shop.dataset.project.id
        await budgets.create_budget(session, project_id=project_id, wanted=wanted)
    tight = await shop.do("/optimizations/estimate", **body)
    assert (tight["affordable_generations"], tight["fits_budget"]) == (1, True)
    assert tight["limited_by"] == "budget of the project"
