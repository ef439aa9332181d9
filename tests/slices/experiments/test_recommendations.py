"""A report never recommends a model that it calls worse: 15 cases, three simulated models, two
approvals.
"""

from typing import Any

from fastapi import FastAPI

from edison.simulation.material import demo_tasks
from tests.factories.models import make_credential, make_model
from tests.slices.experiments.lab import Lab

TIERS = ("sim-small", "sim-medium", "sim-large")


async def simulated_draft(app: FastAPI, lab: Lab) -> dict[str, Any]:
    task = demo_tasks()["support"]
    credential = await make_credential(app, lab.dataset.project.id)
    models = {tier: str((await make_model(app, credential, tier)).id) for tier in TIERS}
    cases = [
        {"inputs": dict(case.inputs), "expected": case.expected, "split": case.split}
        for case in task.cases
    ]
    train = [case for case in cases if case["split"] == "train"][:10]
    held_out = [case for case in cases if case["split"] == "holdout"][:5]
    return lab.draft(
        objective={"goal": task.goal},
        rubric={
            "criteria": [
                {"name": one.name, "description": one.description, "weight": one.weight}
                for one in task.rubric
            ]
        },
        prompt={"name": "Support replies", "text": task.starter},
        data={"dataset_id": None, "name": "Fifteen", "cases": [*train, *held_out]},
        models={"models": [{"model_id": each} for each in models.values()]},
        judges={"judges": [models["sim-large"]]},
        limits={"refiner_model_id": models["sim-large"], "candidates": 1, "max_iterations": 3},
    )


def called_worse(report: dict[str, Any], comparisons: list[dict[str, Any]]) -> set[str]:
    """Labels of variants that are pruned, or worse than another one by a comparison."""
    labels = [each["label"] for each in report["variants"]]
    found = {
        labels[each["other" if each["verdict"] == "worse" else "baseline"]]
        for each in comparisons
        if each["verdict"] in ("worse", "better")
    }
    keys = {each["key"]: each["label"] for each in report["variants"]}
    return found | {keys[each["variant"]] for each in report["pruned"]}


async def test_the_recommended_model_is_never_called_worse(app: FastAPI, lab: Lab) -> None:
    made = await lab.do("/experiments", name="Three models")
    saved = await lab.save(made, await simulated_draft(app, lab))
    assert saved.json()["problems"] == [], saved.text
    experiment = await lab.do(f"/experiments/{made['id']}/confirm")
    iteration = await lab.until(await lab.start(experiment))
    for number in (2, 3):
        suggestion = iteration["suggestions"][0]
        await lab.do(f"/suggestions/{suggestion['id']}/approve", may_branch=True)
        iteration = await lab.next_iteration(experiment, number)
        report = await lab.get(f"/experiments/{experiment['id']}/report")
        best = (await lab.experiment(experiment))["iterations"][report["best"]["iteration"] - 1]
        found = await lab.get(f"/runs/{best['holdout_run_id']}/summary")
        worse = called_worse(report, found["comparisons"])
        assert worse
        assert report["recommended"]["label"] not in worse
