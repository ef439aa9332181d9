"""The form of a new optimization, filled from a prompt, a run, an experiment, an optimization."""

from typing import Any

from edison.loops.experiments.schemas.drafts import ExperimentDraft
from tests.factories.experiments import add_experiment
from tests.slices.experiments.lab import CRITERIA, GOAL
from tests.slices.optimizations.workshop import TRAIN, Workshop


async def draft(shop: Workshop, **source: str) -> dict[str, Any]:
    return dict(await shop.get("/optimizations/draft", **source))


async def start_run(shop: Workshop) -> dict[str, Any]:
    body = shop.body()
    variant = {
        "prompt_id": body["prompt_id"],
        "version_id": str(shop.version.id),
        "model_id": shop.model_id("plain"),
        "parameters": {"max_tokens": 50},
    }
    return dict(
        await shop.do(
            "/runs",
            variants=[variant],
            dataset_id=body["dataset_id"],
            cases={"limit": 1},
            scorers=body["scorers"],
        )
    )


async def test_a_form_is_filled_from_a_run_and_can_be_sent_as_it_is(shop: Workshop) -> None:
    run = await start_run(shop)
    found = await draft(shop, run_id=run["id"])
    assert (found.pop("problems"), found["name"]) == ([], "Better Parcels")
    assert (found["version_id"], found["goal"]) == (str(shop.version.id), GOAL)
    # The first judge also proposes candidates.
    assert found["strategy"] == {"kind": "evolve", "options": {"model_id": shop.model_id("judge")}}
    made = await shop.do("/optimizations", **found)
    (model,) = made["config"]["models"]
    assert (model["model_id"], model["parameters"]["max_tokens"]) == (shop.model_id("plain"), 50)
    # The name is taken now.
    assert (await draft(shop, run_id=run["id"]))["name"] == "Better Parcels copy"


async def test_a_form_is_filled_from_a_prompt_and_its_last_run(shop: Workshop) -> None:
    bare = await draft(shop, prompt_id=str(shop.prompt.id))
    assert (bare["dataset_id"], bare["models"]) == (None, [])
    assert bare["problems"] == [
        "Parcels has no run on a dataset yet. Choose dataset, models and scorers."
    ]
    await start_run(shop)
    filled = await draft(shop, prompt_id=str(shop.prompt.id))
    assert (filled["problems"], filled["version_id"]) == ([], None)
    assert filled["dataset_id"] == str(shop.dataset.id)
    assert [each["kind"] for each in filled["scorers"]] == ["judge_panel"]


async def test_a_form_is_filled_from_an_experiment(shop: Workshop) -> None:
    steps = {
        "objective": {"goal": GOAL},
        "rubric": {"criteria": CRITERIA},
        "prompt": {"prompt_id": str(shop.prompt.id), "version_id": str(shop.version.id)},
        "data": {"dataset_id": str(shop.dataset.id)},
        "models": {"models": [{"model_id": shop.model_id("plain")}]},
        "judges": {"judges": [shop.model_id("judge")]},
        "limits": {"refiner_model_id": shop.model_id("refiner")},
    }
    config = ExperimentDraft.model_validate(steps).model_dump(mode="json")
    async with shop.app.state.database.write() as session:
        experiment = await add_experiment(
            session,
            shop.dataset.project.id,
            state="ready",
            draft=config,
            config=config,
            prompt_id=shop.prompt.id,
            version_id=shop.version.id,
            dataset_id=shop.dataset.id,
        )
    found = await draft(shop, experiment_id=str(experiment.id))
    assert (found.pop("problems"), found["name"]) == ([], "An experiment")
    assert (found["version_id"], found["goal"]) == (str(shop.version.id), GOAL)
    assert found["strategy"]["options"] == {"model_id": shop.model_id("refiner")}
    # Safety scorers have no weight, so that they only have to stay as good.
    weights = {each["kind"]: each["weight"] for each in found["scorers"]}
    assert weights == {"judge_panel": 1, "pii": 0, "jailbreak": 0}
    await shop.do("/optimizations", **found)


async def test_a_form_is_filled_from_an_optimization_without_its_version(shop: Workshop) -> None:
    made = await shop.make(generations=4)
    found = await draft(shop, optimization_id=made["id"])
    assert (found["name"], found["version_id"]) == ("Kinder replies copy", None)
    assert (found["generations"], found["seed"], found["budget_usd"]) == (4, 7, "50")
    assert found["strategy"] == shop.body()["strategy"]


async def test_a_form_without_a_source_is_empty_and_an_unknown_source_is_refused(
    shop: Workshop,
) -> None:
    found = await draft(shop)
    assert (found["name"], found["models"], found["budget_usd"]) == ("Optimization", [], "5.00")
    nowhere = {"prompt_id": shop.model_id("plain")}
    url = f"{shop.project_url}/optimizations/draft"
    assert (await shop.dataset.editor.get(url, params=nowhere)).status_code == 404


async def test_kinds_have_the_form_of_a_whole_search(shop: Workshop) -> None:
    kinds = {each["kind"]: each for each in await shop.get("/optimizations/kinds")}
    assert {"model_id", "candidates", "population"} <= set(
        kinds["evolve"]["search_schema"]["properties"]
    )
    assert "model_id" not in kinds["evolve"]["options_schema"]["properties"]


async def test_a_candidate_has_its_scores_with_their_cases(shop: Workshop) -> None:
    ended = await shop.until_ended(await shop.start(generations=1))
    found = await shop.get(f"/optimizations/{ended['id']}/candidates/2")
    assert len(found["case_scores"]) == TRAIN
    asked = {each["inputs"]["question"] for each in found["case_scores"]}
    assert asked == {f"Where is parcel {number}?" for number in range(TRAIN)}
    first = found["case_scores"][0]
    assert round(first["score"] - first["base"], 6) == 0.12
    assert found["base"]["text"] != found["text"]


async def test_a_draft_can_be_edited_until_it_starts(shop: Workshop) -> None:
    made = await shop.make()
    url = f"{shop.project_url}/optimizations/{made['id']}"
    changes = {"name": "Kinder", "generations": 1, "budget_usd": "20", "seed": None}
    edited = await shop.dataset.editor.put(url, json=shop.body(**changes))
    assert edited.status_code == 200, edited.text
    found = await shop.read(made)
    assert edited.json() == found
    assert (found["name"], found["config"]["generations"], found["seed"]) == ("Kinder", 1, 7)
    (budget,) = (await shop.get("/budgets"))["items"]
    assert (budget["limit_usd"], budget["scope_name"]) == ("20.00", "Kinder")
    wrong = await shop.dataset.editor.put(url, json=shop.body(generations=0))
    assert wrong.status_code == 400
    await shop.do(f"/optimizations/{made['id']}/start")
    await shop.until_ended(made)
    late = await shop.dataset.editor.put(url, json=shop.body())
    assert (late.status_code, late.json()["error"]["code"]) == (409, "WRONG_STATE")
    assert (await shop.read(made))["name"] == "Kinder"
