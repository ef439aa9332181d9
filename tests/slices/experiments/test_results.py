"""Results of experiments: the report, two side by side, and the wizard's assistant."""

from typing import Any

import pytest
from fastapi import FastAPI

from edison.kit import ids
from edison.simulation.material import demo_tasks
from tests.factories.experiments import add_experiment
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_project
from tests.slices.experiments.lab import RULES, TEXT, Lab


async def test_the_report_states_the_gain_and_a_recommendation(lab: Lab) -> None:
    await lab.hold_out(8)
    experiment = await lab.make(
        models={"models": [{"model_id": lab.model_id(name)} for name in ("plain", "fancy")]},
        judges={"is_pairwise": True, "pairwise_judge": lab.model_id("judge")},
        limits={"max_iterations": 2},
    )
    first = await lab.until(await lab.start(experiment))
    assert [each["win_rate"]["value"] for each in first["metrics"]["variants"]] == [0.0, 1.0]
    await lab.do(f"/suggestions/{first['suggestions'][0]['id']}/approve", reason="Try it.")
    await lab.next_iteration(experiment, 2)
    report = await lab.get(f"/experiments/{experiment['id']}/report")
    assert report["state"] == "completed"
    assert report["stop"]["reason"] == "max_iterations"
    assert report["iterations"] == 2
    assert report["best"]["iteration"] == 2
    assert (report["first_text"], f"+{RULES[0]}" in report["diff"]) == (TEXT, True)
    assert [each["train"]["value"] for each in report["trend"]] == [
        pytest.approx(0.44),
        pytest.approx(0.56),
    ]
    assert [(each["name"], each["first"], each["best"]) for each in report["criteria"]] == [
        ("Tone", pytest.approx(0.2), pytest.approx(0.4)),
        ("Facts", pytest.approx(0.8), pytest.approx(0.8)),
    ]
    # Both score alike, so the cheaper one is recommended.
    assert report["recommended"]["label"] in {each["label"] for each in report["variants"]}
    assert [each["name"] for each in report["weaknesses"]] == ["Tone", "Facts"]
    assert [(each["state"], each["decided_by"]) for each in report["decisions"]] == [
        ("approved", await lab.email()),
        ("superseded", None),
    ]
    parts = [float(report["cost"][f"{name}_usd"]) for name in ("execution", "judging", "refining")]
    assert sum(parts) == pytest.approx(float(report["cost"]["total_usd"]))
    assert all(part > 0 for part in parts)
    tokens = report["tokens"]
    assert tokens["total"] == sum(tokens[name] for name in ("execution", "judging", "refining"))
    ledger = await lab.get("/ledger/totals")
    assert tokens["total"] == ledger["input_tokens"] + ledger["output_tokens"]
    (listed,) = (await lab.get("/experiments"))["items"]
    assert listed["best"]["score"] == pytest.approx(0.56)
    assert listed["against_first"] == report["against_first"]
    assert (listed["budget_usd"], listed["is_simulated"]) == ("100", False)
    copy = await lab.do(f"/experiments/{experiment['id']}/duplicate")
    compared = await lab.get(f"/experiments/{experiment['id']}/compare/{copy['id']}")
    assert compared["verdict"] is None
    await lab.do(f"/experiments/{copy['id']}/confirm")
    await lab.until(await lab.start(copy))
    compared = await lab.get(f"/experiments/{experiment['id']}/compare/{copy['id']}")
    assert compared["basis"] == "holdout"
    assert compared["verdict"]["difference"]["value"] == pytest.approx(-0.12)
    assert compared["differences"] == []


async def test_the_assistant_helps_with_every_step(app: FastAPI, lab: Lab) -> None:
    credential = await make_credential(app, lab.dataset.project.id)
    model = await make_model(app, credential, "sim-large")
    task = demo_tasks()["support"]
    draft: dict[str, Any] = lab.draft(
        objective={"goal": task.goal},
        prompt={"text": task.starter},
        rubric={"criteria": []},
    )
    made = await lab.do("/experiments", name="Helped")

    async def ask(step: str, action: str, **more: Any) -> Any:
        body = {"action": action, "draft": draft, "model_id": str(model.id), **more}
        return await lab.do(f"/experiments/assist/{step}", **body)

    options = await ask("objective", "draft", hints="friendly replies to customers of a shop")
    assert len(options["texts"]) == 3
    assert options["is_simulated"] is True
    for action in ("improve", "detail"):
        (better,) = (await ask("objective", action))["texts"]
        assert 20 <= len(better["text"]) <= 2000
    rubric = await ask("rubric", "draft")
    assert sum(each["weight"] for each in rubric["criteria"]) == pytest.approx(1)
    draft["rubric"]["criteria"] = rubric["criteria"]
    assert len((await ask("prompt", "draft"))["texts"]) == 3
    for action in ("improve", "constrain"):
        (better,) = (await ask("prompt", action))["texts"]
        assert "{{message}}" in better["text"]
    assert (await ask("models", "prune"))["models"] == []
    judges = (await ask("judges", "recommend"))["models"]
    assert judges[0]["name"] == "sim-large"
    draft["prompt"] = lab.draft()["prompt"]
    draft["rubric"] = lab.draft()["rubric"]
    limits = await ask("limits", "suggest", experiment_id=made["id"])
    assert limits["limits"]["max_iterations"] == 10
    assert len(limits["reasons"]) == 4
    unknown = await lab.post("/experiments/assist/data", action="draft")
    assert unknown.status_code == 400


@pytest.mark.parametrize(
    ("step", "action"),
    [
        ("objective", "draft"),
        ("objective", "improve"),
        ("rubric", "draft"),
        ("prompt", "improve"),
        ("models", "recommend"),
        ("judges", "recommend"),
        ("limits", "suggest"),
    ],
)
async def test_the_assistant_refuses_experiments_and_models_of_other_projects(
    app: FastAPI, lab: Lab, step: str, action: str
) -> None:
    other = await make_project(app, name="Other")
    async with app.state.database.write() as session:
        experiment_id = (await add_experiment(session, other.id)).id
    foreign = await make_model(app, await make_credential(app, other.id), "sim-large")
    body = {"action": action, "hints": "friendly replies", "draft": lab.draft()}
    at = f"/experiments/assist/{step}"
    for unknown in (experiment_id, ids.new_id()):
        refused = await lab.post(at, **body, experiment_id=str(unknown))
        assert refused.status_code == 404, refused.text
    if step in ("objective", "rubric", "prompt"):
        refused = await lab.post(at, **body, model_id=str(foreign.id))
        assert refused.status_code == 404, refused.text
