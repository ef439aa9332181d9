"""Export, import into an empty project, export again: the same contents."""

from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import clock, ids
from edison.loops.experiments.models import Experiment, HoldoutLook
from edison.pipeline.aggregate.alpha import alpha_of_look
from edison.workspace.projects.models import Project
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


async def add_looks(app: FastAPI, experiment: dict[str, Any]) -> None:
    """A look by a deleted experiment, and the experiment's own at the same cases."""
    own = {
        "experiment_id": UUID(experiment["id"]),
        "iteration_id": UUID(experiment["iterations"][0]["id"]),
        "version_id": UUID(experiment["iterations"][0]["version_id"]),
    }
    async with app.state.database.write() as session:
        found = await session.get_one(Experiment, UUID(experiment["id"]))
        for number, references in ((1, {}), (2, own)):
            session.add(
                HoldoutLook(
                    id=ids.new_id(),
                    project_id=found.project_id,
                    digest="d" * 64,
                    number=number,
                    alpha=alpha_of_look(number),
                    created_at=clock.now(),
                    **references,
                )
            )


async def list_looks(app: FastAPI, place: Place) -> list[tuple[int, bool]]:
    """Numbers, and whether an iteration made the look."""
    slug = place.url.rpartition("/")[2]
    async with app.state.database.read() as session:
        found = await session.scalars(
            select(HoldoutLook)
            .join(Project, Project.id == HoldoutLook.project_id)
            .where(Project.slug == slug)
            .order_by(HoldoutLook.number)
        )
        return [(each.number, each.iteration_id is not None) for each in found]


async def test_an_experiment_comes_back_with_its_runs(app: FastAPI, lab: Lab) -> None:
    experiment = await finished_experiment(lab)
    await add_looks(app, experiment)
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
    # The error budget of the held-out cases is as spent as before, and by a copy no more than that.
    assert await list_looks(app, target) == [(1, False), (2, True)]
    copied = await source.bring(bundle, existing="rename")
    assert copied.status_code == 201, copied.text
    assert await list_looks(app, source) == [(1, False), (2, True)]
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
