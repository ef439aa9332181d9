"""Monitors: create, change, copy, archive, delete; schedules, estimates, drafts."""

import uuid
from datetime import datetime
from typing import Any

import pytest

from edison.kit.errors import FieldProblem, Invalid
from edison.loops.monitors.configure import rename_problems
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member
from tests.factories.scorers import add_scorer
from tests.slices.monitors.ward import Ward
from tests.slices.runs.conftest import PRICES


async def test_a_monitor_is_created_with_defaults(ward: Ward) -> None:
    made = await ward.make()
    assert made["state"] == "active"
    assert made["schedule"] == "At 09:00 every day"
    assert made["prompt"]["is_production"]
    assert made["prompt"]["version_label"] == "v1"
    assert made["money"] == {
        "daily_budget_usd": "1.00",
        "today_usd": "0.00",
        "lifetime_usd": "0.00",
    }
    assert made["config"]["rules"]["drop"] == {
        "kind": "two_stage",
        "threshold": 0.1,
        "recovery": 0.05,
    }
    assert len(made["next_times"]) == 5
    assert made["next_run_at"] == made["next_times"][0]
    assert datetime.fromisoformat(made["next_run_at"]).hour == 9
    budgets = (await ward.get("/budgets"))["items"]
    assert [(each["scope"], each["period"], each["limit_usd"]) for each in budgets] == [
        ("monitor", "day", "1.00")
    ]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"cron": "61 * * * *"}, "cron"),
    ({"cron": "0 9 * * * *"}, "cron"),
    ({"cron": "0 0 31 2 *"}, "cron"),
    ({"prompt_id": str(uuid.uuid4())}, "prompt_id"),
    ({"version_id": str(uuid.uuid4())}, "version_id"),
    ({"dataset_id": str(uuid.uuid4())}, "dataset_id"),
    ({"models": [{"model_id": str(uuid.uuid4())}]}, "models.0.model_id"),
    ({"models": []}, "models"),
    ({"scorers": []}, "scorers"),
    ({"scorers": [{"kind": "nonsense"}]}, "scorers.0.kind"),
    ({"scorers": [{"scorer_version_id": str(uuid.uuid4())}]}, "scorers.0.scorer_version_id"),
    ({"daily_budget_usd": "0"}, "daily_budget_usd"),
    ({"repeats": 6}, "repeats"),
    ({"cases": {"filter": {"tag": "missing"}}}, "cases"),
    ({"rules": {"drop": {"threshold": 1.5}}}, "rules.drop.threshold"),
]


async def test_bad_input_names_its_field(ward: Ward) -> None:
    for changes, field in WRONG:
        refused = await ward.post("/monitors", **ward.body(**changes))
        assert refused.status_code == 400, (field, refused.text)
        details = refused.json()["error"]["details"]
        assert field in [each["field"] for each in details], details
    assert (await ward.get("/monitors"))["items"] == []


async def test_a_prompt_without_production_version_is_refused(ward: Ward) -> None:
    await ward.mark_production(None)
    refused = await ward.post("/monitors", **ward.body())
    assert refused.status_code == 400
    assert "no production version" in refused.json()["error"]["message"]
    fixed = await ward.make(version_id=str(ward.version.id))
    assert not fixed["prompt"]["is_production"]


async def test_a_daily_budget_needs_prices(ward: Ward) -> None:
    credential = await make_credential(ward.app, ward.dataset.project.id, "sim", label="Free")
    model = await make_model(ward.app, credential, "unpriced", prices=None)
    models = [{"model_id": str(model.id)}]
    refused = await ward.post("/monitors", **ward.body(models=models))
    assert refused.status_code == 400
    assert refused.json()["error"]["path"] == "models.0.model_id"
    assert "price of" in refused.json()["error"]["message"]
    await ward.make(models=models, daily_budget_usd=None)


async def test_a_budget_changed_under_budgets_is_the_monitors(ward: Ward) -> None:
    made = await ward.make()
    (budget,) = (await ward.get("/budgets"))["items"]
    admin = (await make_member(ward.app, ward.dataset.project, Role.ADMIN)).browser
    url = f"{ward.project_url}/budgets/{budget['id']}"
    changed = await admin.patch(url, json={"limit_usd": "3"})
    assert changed.status_code == 200, changed.text
    assert (await ward.monitor(made))["money"]["daily_budget_usd"] == "3.00"
    await ward.patch(made, repeats=2)
    assert (await ward.monitor(made))["money"]["daily_budget_usd"] == "3.00"


async def test_simulated_dollars_count_when_there_are_no_others(ward: Ward) -> None:
    credential = await make_credential(ward.app, ward.dataset.project.id, "sim", label="Free")
    model = await make_model(ward.app, credential, "sim-large", prices=PRICES)
    simulated = {"model_id": str(model.id)}
    made = await ward.make(models=[simulated], daily_budget_usd="100")

    async def counting() -> list[bool]:
        return [each["counts_simulated"] for each in (await ward.get("/budgets"))["items"]]

    assert await counting() == [True]
    await ward.patch(made, models=[simulated, {"model_id": str(ward.model.id)}])
    assert await counting() == [False]
    await ward.patch(made, models=[simulated])
    check = await ward.check(made)
    money = (await ward.monitor(made))["money"]
    assert float(check["cost_usd"]) > 0
    assert money["today_usd"] == money["lifetime_usd"] == check["cost_usd"]
    await ward.do(f"/monitors/{made['id']}/duplicate")
    assert await counting() == [True, True]


def test_a_problem_that_all_models_share_is_reported_once() -> None:
    def problem(field: str) -> FieldProblem:
        return FieldProblem(field=field, message="It is a grader.", code="is_grader")

    asked = ("variants.0.prompt_id", "variants.1.prompt_id", "variants.1.model_id", "dataset_id")
    renamed = rename_problems(Invalid(*map(problem, asked)))
    found = [each.field for each in renamed.problems]
    assert found == ["prompt_id", "models.1.model_id", "dataset_id"]


async def test_names_are_unique(ward: Ward) -> None:
    await ward.make()
    refused = await ward.post("/monitors", **ward.body())
    assert refused.json()["error"]["code"] == "DUPLICATE_NAME"


async def test_changes_apply_and_keep_the_rest(ward: Ward) -> None:
    made = await ward.make()
    changed = await ward.patch(made, name="Parcels, hourly", cron="0 * * * *")
    assert changed.status_code == 200, changed.text
    after = changed.json()
    assert (after["name"], after["cron"]) == ("Parcels, hourly", "0 * * * *")
    assert after["config"] == made["config"]
    assert after["next_run_at"] != made["next_run_at"] or "T09" in after["next_run_at"]
    unlimited = (await ward.patch(made, daily_budget_usd=None)).json()
    assert unlimited["money"]["daily_budget_usd"] is None
    assert (await ward.get("/budgets"))["items"] == []
    again = (await ward.patch(made, daily_budget_usd="2.50")).json()
    assert again["money"]["daily_budget_usd"] == "2.50"
    for field, value in {"models": [], "cron": None, "repeats": 9, "prompt_id": None}.items():
        refused = await ward.patch(made, **{field: value})
        assert refused.status_code == 400, refused.text
        assert refused.json()["error"]["path"] == field


async def test_another_scorer_begins_a_new_baseline(ward: Ward) -> None:
    made = await ward.make()
    scorers = [{"kind": "contains", "options": {"phrases": ["way"]}}]
    after = (await ward.patch(made, scorers=scorers)).json()
    assert "not comparable" in after["baseline"]["history"][0]["note"]
    assert after["baseline"]["since"] is not None


async def test_a_copy_is_paused(ward: Ward) -> None:
    made = await ward.make()
    copy = await ward.do(f"/monitors/{made['id']}/duplicate")
    assert (copy["name"], copy["state"]) == ("Parcels copy", "paused")
    assert (copy["next_run_at"], copy["config"]) == (None, made["config"])


async def test_pause_resume_archive_and_delete(ward: Ward) -> None:
    made = await ward.make()
    path = f"/monitors/{made['id']}"
    paused = await ward.do(f"{path}/pause")
    assert (paused["state"], paused["pause"]["reason"]) == ("paused", "person")
    assert (await ward.post(f"{path}/pause")).status_code == 409
    assert (await ward.do(f"{path}/resume"))["state"] == "active"
    assert (await ward.post(f"{path}/resume")).status_code == 409
    archived = await ward.do(f"{path}/archive")
    assert (archived["state"], archived["next_run_at"]) == ("paused", None)
    assert (await ward.post(f"{path}/run")).json()["error"]["code"] == "ARCHIVED"
    assert (await ward.do(f"{path}/unarchive"))["state"] == "paused"
    assert (await ward.delete(path)).status_code == 204
    assert (await ward.get("/monitors"))["items"] == []
    assert (await ward.get("/budgets"))["items"] == []


async def test_what_a_monitor_uses_cannot_be_deleted(ward: Ward) -> None:
    async with ward.app.state.database.write() as session:
        scorer_id = await add_scorer(
            session, ward.dataset.project.id, name="Kind", options={"phrases": ["way"]}
        )
    saved = await ward.get(f"/scorers/{scorer_id}")
    made = await ward.make(scorers=[{"scorer_version_id": saved["latest"]["id"]}])
    admin = (await make_member(ward.app, ward.dataset.project, Role.ADMIN)).browser
    paths = [
        f"/prompts/{ward.prompt.id}",
        f"/datasets/{ward.dataset.id}",
        f"/models/{ward.model.id}",
        f"/scorers/{scorer_id}",
    ]
    for path in paths:
        refused = await admin.delete(f"{ward.project_url}{path}")
        assert refused.status_code == 409, path
        assert "The monitor Parcels" in refused.json()["error"]["message"]
    await ward.do(f"/monitors/{made['id']}/archive")
    for path in paths:
        assert (await admin.delete(f"{ward.project_url}{path}")).status_code == 204, path
    assert (await ward.monitor(made))["prompt"]["id"] is None


async def test_a_schedule_is_previewed(ward: Ward, turnable_clock: TurnableClock) -> None:
    turnable_clock.time = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
    shown = await ward.get("/monitors/schedule", cron="0 9 * * 1-5")
    assert shown["words"] == "At 09:00 on Monday through Friday"
    assert shown["next_times"][:2] == ["2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z"]
    assert len(shown["next_times"]) == 5
    wrong = await ward.get("/monitors/schedule", cron="0 25 * * *")
    assert wrong["problem"].startswith("'25' is not a valid hour")
    assert (wrong["words"], wrong["next_times"]) == (None, [])
    assert len(wrong["presets"]) == 8


async def test_an_estimate_says_what_checks_cost_and_show(ward: Ward) -> None:
    body = ward.body(cron="*/15 * * * *")
    del body["name"]
    found = await ward.do("/monitors/estimate", **body)
    assert found["cases"] == 24
    assert found["checks_a_day"] == pytest.approx(96)
    assert float(found["check_usd"]) > 0
    assert found["confirmation_usd"] is not None
    # As simulated in the design: at 20 to 32 cases about one check in four or five.
    assert 5_000 < found["false_alarms"]["plain"] < 12_000
    assert found["false_alarms"]["two_stage"] < 0.2
    assert found["fits_budget"] is False
    assert any("daily budget" in each for each in found["warnings"])
    few = await ward.do("/monitors/estimate", **body | {"cases": {"limit": 5}})
    assert any("With 5 cases" in each for each in few["warnings"])


async def test_a_form_is_filled_from_a_prompt(ward: Ward) -> None:
    found = await ward.get("/monitors/draft", prompt_id=str(ward.prompt.id))
    assert (found["name"], found["prompt_id"]) == ("Replies", str(ward.prompt.id))
    assert found["problems"] == []


async def test_a_form_is_filled_from_a_run(ward: Ward) -> None:
    body = ward.body()
    run = await ward.do(
        "/runs",
        variants=[
            {
                "prompt_id": body["prompt_id"],
                "version_id": str(ward.version.id),
                "model_id": str(ward.model.id),
            }
        ],
        dataset_id=body["dataset_id"],
        cases={"limit": 1},
        scorers=body["scorers"],
    )
    found = await ward.get("/monitors/draft", run_id=run["id"])
    assert found["problems"] == []
    wanted = {
        name: found[name]
        for name in ("name", "prompt_id", "version_id", "dataset_id", "models", "scorers", "cron")
    }
    assert wanted["version_id"] is None
    made = await ward.do("/monitors", **wanted)
    assert made["prompt"]["is_production"]


async def test_viewers_read_and_cannot_change(ward: Ward) -> None:
    made = await ward.make()
    viewer = (await make_member(ward.app, ward.dataset.project, Role.VIEWER)).browser
    url = f"{ward.project_url}/monitors/{made['id']}"
    assert (await viewer.get(url)).status_code == 200
    assert (await viewer.post(f"{url}/run", json={})).status_code == 403
    assert (await viewer.delete(url)).status_code == 403
