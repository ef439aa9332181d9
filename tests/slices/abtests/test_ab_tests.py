"""A/B tests: create, change, copy, archive, delete, estimate; and what they use."""

import uuid
from typing import Any

from tests.factories.models import make_credential, make_model
from tests.factories.scorers import add_scorer
from tests.slices.abtests.trial import Trial


async def test_a_test_is_created_as_a_draft_with_defaults(trial: Trial) -> None:
    made = await trial.make(pairs=24)
    assert (made["state"], made["mode"]) == ("draft", "sampled")
    assert (made["pairs"], made["worthwhile"], made["budget_usd"]) == (24, 0.05, "1.00")
    assert (made["first"]["version_label"], made["second"]["version_label"]) == ("v1", "v2")
    assert made["first"]["model_name"] == made["second"]["model_name"]
    assert (made["result"], made["looks"], made["cost_usd"]) == (None, [], "0.00")
    budgets = (await trial.get("/budgets"))["items"]
    assert [(each["scope"], each["period"], each["limit_usd"]) for each in budgets] == [
        ("ab_test", "total", "1.00")
    ]
    assert budgets[0]["scope_name"] == "Brief replies"


async def test_bad_input_names_its_field(trial: Trial) -> None:
    unknown = str(uuid.uuid4())
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"second": trial.arm(0)}, "second"),
        ({"first": trial.arm(0, prompt_id=unknown)}, "first.prompt_id"),
        ({"first": trial.arm(0, version_id=unknown)}, "first.version_id"),
        ({"second": trial.arm(1, model_id=unknown)}, "second.model_id"),
        ({"second": trial.arm(1, parameters={"temperature": 9})}, "second.parameters.temperature"),
        ({"dataset_id": unknown}, "dataset_id"),
        ({"scorers": []}, "scorers"),
        ({"scorers": [{"kind": "nonsense"}]}, "scorers.0.kind"),
        ({"scorers": [{"scorer_version_id": unknown}]}, "scorers.0.scorer_version_id"),
        ({"pairs": 9}, "pairs"),
        ({"pairs": 25}, "pairs"),
        ({"worthwhile": 0.6}, "worthwhile"),
        ({"budget_usd": "0"}, "budget_usd"),
        ({"dataset_id": None, "scorers": [{"kind": "nonsense"}]}, "scorers.0.kind"),
    ]
    for changes, field in wrong:
        refused = await trial.post("/ab-tests", **trial.body(**changes))
        assert refused.status_code == 400, (field, refused.text)
        details = refused.json()["error"]["details"]
        assert field in [each["field"] for each in details], details
    assert (await trial.get("/ab-tests"))["items"] == []


async def test_arms_may_differ_in_parameters_alone(trial: Trial) -> None:
    warm = trial.arm(0, parameters={"temperature": 1})
    made = await trial.make(first=trial.arm(0, parameters=None), second=warm)
    assert made["second"]["parameters"] == {"temperature": 1}
    refused = await trial.patch(
        made, first=warm | {"parameters": {"temperature": 1.0, "seed": None}}
    )
    assert (refused.status_code, refused.json()["error"]["path"]) == (400, "second")
    await trial.do(f"/ab-tests/{made['id']}/start")


async def test_a_budget_needs_prices(trial: Trial) -> None:
    credential = await make_credential(trial.app, trial.dataset.project.id, "sim", label="Free")
    model = await make_model(trial.app, credential, "unpriced", prices=None)
    second = trial.arm(0, model_id=str(model.id))
    refused = await trial.post("/ab-tests", **trial.body(second=second))
    assert refused.json()["error"]["path"] == "second.model_id"
    await trial.make(second=second, budget_usd=None)


async def test_a_draft_changes_and_a_started_test_only_its_name(trial: Trial) -> None:
    made = await trial.make(dataset_id=None)
    changed = await trial.patch(made, pairs=60, worthwhile=0.1, budget_usd="3")
    assert changed.status_code == 200, changed.text
    assert (changed.json()["pairs"], changed.json()["budget_usd"]) == (60, "3.00")
    refused = await trial.patch(made, second=trial.arm(0))
    assert refused.json()["error"]["path"] == "second"
    await trial.do(f"/ab-tests/{made['id']}/start")
    refused = await trial.patch(made, pairs=70)
    assert (refused.status_code, refused.json()["error"]["path"]) == (409, "pairs")
    renamed = await trial.patch(made, name="Another name")
    assert (renamed.json()["name"], renamed.json()["pairs"]) == ("Another name", 60)


async def test_a_copy_is_a_draft_with_the_same_plan(trial: Trial) -> None:
    made = await trial.start(dataset_id=None, budget_usd="2")
    copy = await trial.do(f"/ab-tests/{made['id']}/duplicate")
    assert (copy["state"], copy["name"]) == ("draft", "Brief replies copy")
    assert (copy["budget_usd"], copy["second"]) == ("2.00", made["second"])


async def test_a_running_test_is_neither_deleted_nor_archived(trial: Trial) -> None:
    made = await trial.start(dataset_id=None)
    for path in ("archive", "start"):
        refused = await trial.post(f"/ab-tests/{made['id']}/{path}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "WRONG_STATE")
    assert (await trial.delete(f"/ab-tests/{made['id']}")).status_code == 409
    await trial.do(f"/ab-tests/{made['id']}/stop")
    await trial.do(f"/ab-tests/{made['id']}/archive")
    assert (await trial.get("/ab-tests"))["items"] == []
    assert (await trial.delete(f"/ab-tests/{made['id']}")).status_code == 204
    assert (await trial.get("/budgets"))["items"] == []


async def test_what_a_test_uses_is_not_deleted_unnoticed(trial: Trial) -> None:
    async with trial.app.state.database.write() as session:
        scorer_id = await add_scorer(
            session, trial.dataset.project.id, options={"phrases": ["on its way"]}
        )
    saved = await trial.get(f"/scorers/{scorer_id}")
    scorers = [{"scorer_version_id": saved["latest"]["id"]}]
    made = await trial.make(scorers=scorers)
    used = (
        f"/prompts/{trial.prompt.id}",
        f"/models/{trial.model.id}",
        f"/datasets/{trial.dataset.id}",
        f"/scorers/{scorer_id}",
    )
    for path in used:
        refused = await trial.delete(path)
        assert refused.status_code == 409, path
        assert "The A/B test Brief replies" in refused.json()["error"]["message"], path
    await trial.do(f"/ab-tests/{made['id']}/archive")
    for path in used:
        assert (await trial.delete(path)).status_code == 204, path
    kept = await trial.read(made)
    assert (kept["first"]["prompt_id"], kept["first"]["prompt_name"]) == (None, "Replies")


async def test_the_estimate_covers_all_pairs(trial: Trial) -> None:
    body = trial.body(budget_usd="5")
    del body["name"]
    found = await trial.do("/ab-tests/estimate", **body)
    assert found["run"]["answer_calls"] == 40
    assert found["fits_budget"] is True
    tight = await trial.do("/ab-tests/estimate", **{**body, "budget_usd": "0.00001"})
    assert tight["fits_budget"] is False
    recorded = await trial.do("/ab-tests/estimate", **{**body, "dataset_id": None})
    assert recorded == {"run": None, "fits_budget": None}
