"""Export, import into an empty project, export again: the same contents."""

from typing import Any

from fastapi import FastAPI

from tests.slices.bundles.courier import (
    Place,
    compared,
    empty_place,
    place_of,
    unpack,
    without_ids,
)
from tests.slices.experiments.lab import Lab


async def finished_experiment(lab: Lab) -> dict[str, Any]:
    """Two models, a judge, a comparison in pairs, one iteration with a decision."""
    models = [{"model_id": lab.model_id("plain")}, {"model_id": lab.model_id("fancy")}]
    judges = {"is_pairwise": True, "pairwise_judge": lab.model_id("judge")}
    experiment = await lab.make(models={"models": models}, judges=judges)
    iteration = await lab.until(await lab.start(experiment))
    await lab.do(f"/experiments/{experiment['id']}/iterations/{iteration['id']}/close")
    return await lab.experiment(experiment)


async def test_an_experiment_comes_back_with_its_runs(app: FastAPI, lab: Lab) -> None:
    experiment = await finished_experiment(lab)
    source = await place_of(app, lab.dataset.project)
    bundle = await source.take("experiment", experiment["id"])
    files = unpack(bundle)
    assert {path.split("/")[0] for path in files} == {
        "manifest.json",
        "models.yaml",
        "rubrics.yaml",
        "prompts",
        "datasets",
        "runs",
        "experiments",
    }
    target = await empty_place(app)
    brought = await target.bring(bundle)
    assert brought.status_code == 201, brought.text
    # On training cases, on held-out cases, and the trial of the suggestions.
    assert brought.json()["runs"] == 3
    assert set(brought.json()["needs_credential"]) == {"plain", "fancy", "judge", "refiner"}
    (found,) = (await target.read("/experiments"))["items"]
    again = await target.take("experiment", found["id"])
    assert compared(again) == compared(bundle)
    await _results_are_equal(source, target, experiment, found["id"])
    await _prompt_system_comes_back(app, source, experiment)


async def _prompt_system_comes_back(
    app: FastAPI, source: Place, experiment: dict[str, Any]
) -> None:
    """The prompt with the dataset, models and runs it was tested with, but no experiment."""
    bundle = await source.take("prompt", experiment["prompt_id"], runs=True)
    kinds = {path.split("/")[0] for path in unpack(bundle)} - {"manifest.json"}
    assert kinds == {"models.yaml", "prompts", "datasets", "runs"}
    without = await source.take("prompt", experiment["prompt_id"])
    assert kinds - {path.split("/")[0] for path in unpack(without)} == {"runs"}
    target = await empty_place(app, "Third")
    brought = await target.bring(bundle)
    assert brought.status_code == 201, brought.text
    (prompt,) = (await target.read("/prompts"))["items"]
    assert compared(await target.take("prompt", prompt["id"], runs=True)) == compared(bundle)
    (run, *_) = (await target.read("/runs"))["items"]
    replayed = await target.admin.post(f"{target.url}/runs/{run['id']}/replay")
    assert replayed.status_code == 201, replayed.text
    assert replayed.json()["origin"] == "api"


async def _results_are_equal(
    source: Place, target: Place, experiment: dict[str, Any], imported_id: str
) -> None:
    imported = await target.read(f"/experiments/{imported_id}")
    assert imported["best"]["score"] == experiment["best"]["score"]
    assert imported["cost_usd"] == experiment["cost_usd"]
    for name in ("run_id", "holdout_run_id", "trial_run_id"):
        before = experiment["iterations"][0][name]
        after = imported["iterations"][0][name]
        told = await target.read(f"/runs/{after}")
        assert (told["origin"], told["state"]) == ("imported", "completed")
        assert told["actions"] == ["again", "replay"]
        old = await source.read(f"/runs/{before}/summary")
        new = await target.read(f"/runs/{after}/summary")
        assert without_ids(new) == without_ids(old)
        rows = await target.read(f"/runs/{after}/rows")
        assert len(rows["items"]) == told["case_count"]
        output = rows["items"][0]["cells"][0]["id"]
        detail = await target.read(f"/outputs/{output}")
        assert detail["sent"]["messages"]
        for action in ("resume", "retry"):
            refused = await target.admin.post(f"{target.url}/runs/{after}/{action}")
            assert refused.status_code == 409, refused.text
            assert refused.json()["error"]["code"] == "RUN_IS_IMPORTED"
