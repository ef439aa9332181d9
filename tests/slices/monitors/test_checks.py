"""Checks from run to alert: baseline, two stages, recovery, other rules."""

import json
import uuid
from collections import Counter
from datetime import timedelta
from decimal import Decimal

from sqlalchemy import insert, select

from edison.kit import ids
from edison.loops.monitors.advice import compare_checks
from edison.loops.monitors.models import MonitorCheck
from edison.loops.monitors.repository.checks import CheckPart
from tests.factories.models import make_credential, make_model
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.monitors.ward import Ward
from tests.slices.runs.conftest import PRICES

# Two models of a check: one costs a tenth of the other, and is twice as fast.
MEASURED = [
    {
        "key": key,
        "label": key,
        "model_id": None,
        "score": 0.8,
        "low": None,
        "high": None,
        "cases": 200,
        "answers": 200,
        "failed": 0,
        "p50_seconds": seconds,
        "p95_seconds": seconds,
        "answer_usd": usd,
    }
    for key, usd, seconds in (("dear", "0.010", 2.0), ("cheap", "0.001", 1.0))
]


async def test_a_drop_is_confirmed_alerts_once_and_recovers(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    first = await ward.check(monitor)
    assert (first["state"], first["verdict"], first["score"]) == ("done", "good", 1.0)
    assert float(first["cost_usd"]) > 0
    assert first["version_label"] == "v1"

    ward.quality.wrong = 10
    lower = await ward.check(monitor)
    assert (lower["verdict"], lower["score"]) == ("lower", 14 / 24)
    assert lower["confirm_run_id"] is not None
    (measured,) = lower["measures"]["models"]
    assert measured["drop"]["regressed"] == 10
    assert measured["confirmation"]["current"] == 14 / 24
    assert len(measured["worst"]) == 10
    (alert,) = await ward.alerts(state="unresolved")
    assert (alert["rule"], alert["state"], alert["check_number"]) == ("drop", "open", 2)
    assert alert["title"] == "Parcels: score 42% below the baseline"
    assert "10 regressed, 0 improved" in alert["message"]
    evidence = alert["evidence"]
    assert (evidence["run_id"], evidence["baseline_run_id"]) == (lower["run_id"], first["run_id"])
    deltas = await ward.get(f"/runs/{first['run_id']}/compare/{lower['run_id']}/cases", limit=1)
    assert deltas["items"][0]["position"] in [each["position"] for each in evidence["worst"]]

    asked = ward.quality.asked
    again = await ward.check(monitor)
    assert (again["verdict"], again["confirm_run_id"]) == ("lower", None)
    assert ward.quality.asked - asked == 24
    assert len(await ward.alerts()) == 1

    ward.quality.wrong = 0
    back = await ward.check(monitor)
    assert (back["verdict"], back["measures"]["baseline_checks"]) == ("good", [1])
    (resolved,) = await ward.alerts()
    assert (resolved["state"], resolved["resolution"]) == ("resolved", "recovered")
    assert await ward.notices() == ["alert_opened", "alert_recovered"]


async def test_a_drop_that_comes_back_is_accepted_as_the_new_normal(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    await ward.check(monitor)
    for wrong in (12, 0):
        ward.quality.wrong = wrong
        await ward.check(monitor)
    (resolved,) = await ward.alerts()
    assert resolved["resolution"] == "recovered"

    ward.quality.wrong = 12
    await ward.check(monitor)
    (reopened,) = await ward.alerts()
    assert (reopened["id"], reopened["reopened_count"]) == (resolved["id"], 1)

    shown = await ward.do(f"/monitors/{monitor['id']}/baseline", note="The new prompt is terse.")
    assert shown["baseline"]["checks"] == [4]
    (accepted,) = await ward.alerts()
    assert accepted["resolution"] == "accepted"
    assert (await ward.check(monitor))["verdict"] == "good"

    trend = await ward.get(f"/monitors/{monitor['id']}/trend", days="7")
    assert [point["verdict"] for point in trend["points"]] == [
        "good",
        "lower",
        "good",
        "good",
        "good",
    ]
    kinds = [marker["kind"] for marker in trend["markers"]]
    assert sorted(kinds) == ["alert", "baseline", "resolved"]
    listed = (await ward.get("/monitors"))["items"][0]
    assert listed["last_measured"]["number"] == 5
    assert listed["money"]["today_usd"] == listed["money"]["lifetime_usd"] != "0.00"


async def test_a_drop_that_chance_explains_is_not_confirmed(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    await ward.check(monitor)
    ward.quality.wrong = 8
    asked = ward.quality.asked

    def restore() -> None:
        ward.quality.wrong = 0

    # The confirmation's answers are right again.
    ward.quality.at[asked + 25] = restore
    check = await ward.check(monitor)
    assert (check["verdict"], check["state"]) == ("unconfirmed", "done")
    assert "Looked 33% lower, but repeating the answers did not confirm it" in check["message"]
    assert await ward.alerts() == []
    following = await ward.check(monitor)
    assert following["measures"]["baseline_checks"] == [1]


async def test_a_check_is_read_with_its_monitor_only(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    other = await ward.make(name="Other", daily_budget_usd=None)
    check = await ward.check(monitor)
    assert await ward.get(f"/monitors/{monitor['id']}/checks/{check['id']}") == check
    url = f"{ward.project_url}/monitors/{other['id']}/checks/{check['id']}"
    assert (await ward.dataset.editor.get(url)).status_code == 404


async def test_other_rules_alert_and_recover(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None, rules={"errors": {"max_share": 0.2}})
    ward.quality.failing = 6
    await ward.check(monitor)
    (alert,) = await ward.alerts(rule="errors")
    assert alert["title"] == "Parcels: 6 of 24 answers failed"
    ward.quality.failing = 0
    await ward.check(monitor)
    assert (await ward.alerts(rule="errors"))[0]["state"] == "resolved"


async def test_the_plain_rule_compares_with_the_previous_check(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None, rules={"drop": {"kind": "plain"}})
    await ward.check(monitor)
    ward.quality.wrong = 3
    check = await ward.check(monitor)
    assert (check["verdict"], check["confirm_run_id"]) == ("lower", None)
    assert "chance alone can cause it" in (await ward.alerts())[0]["message"]
    ward.quality.wrong = 0
    assert (await ward.check(monitor))["verdict"] == "good"
    assert (await ward.alerts())[0]["state"] == "resolved"


async def test_fewer_shared_cases_are_not_compared(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    await ward.check(monitor)
    ward.quality.wrong = 24
    changed = await ward.patch(monitor, cases={"limit": 19})
    assert changed.status_code == 200, changed.text
    check = await ward.check(monitor)
    assert check["verdict"] == "not_comparable"
    assert "19 shared cases, 20 are needed" in check["message"]
    assert await ward.alerts() == []


async def test_a_check_that_cannot_start_fails_with_a_reason(ward: Ward) -> None:
    monitor = await ward.make()
    await ward.mark_production(None)
    refused = await ward.post(f"/monitors/{monitor['id']}/run")
    assert refused.status_code == 400
    assert "no production version" in refused.json()["error"]["message"]
    await ward.mark_production(ward.version.id)
    url = f"{ward.project_url}/models/{ward.model.id}"
    off = await ward.dataset.editor.patch(url, json={"is_enabled": False})
    assert off.status_code == 200, off.text
    check = await ward.check(monitor)
    assert (check["state"], check["reason"]) == ("failed", "cannot_start")
    assert "switched off" in check["message"]
    (alert,) = await ward.alerts()
    assert alert["rule"] == "not_running"


async def test_alerts_are_acknowledged_muted_and_resolved(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    ward.quality.failing = 12
    muted = await ward.do(f"/monitors/{monitor['id']}/mute", until="2100-01-01T00:00:00Z")
    assert muted["muted_until"] == "2100-01-01T00:00:00Z"
    await ward.check(monitor)
    (alert,) = await ward.alerts(state="open")
    assert await ward.notices() == []
    path = f"/alerts/{alert['id']}"
    seen = await ward.do(f"{path}/acknowledge", note="Looking into it.")
    assert (seen["state"], seen["note"]) == ("acknowledged", "Looking into it.")
    assert seen["acknowledged_by"] is not None
    assert (await ward.post(f"{path}/acknowledge")).status_code == 409
    quiet = await ward.do(f"{path}/mute", until="2100-01-01T00:00:00Z")
    assert quiet["note"] == "Looking into it."
    assert (await ward.post(f"{path}/mute", until="2100-01-01T00:00:00")).status_code == 400
    done = await ward.do(f"{path}/resolve", note="")
    assert (done["state"], done["resolution"], done["note"]) == ("resolved", "person", None)
    assert (await ward.post(f"{path}/resolve")).status_code == 409
    assert await ward.alerts(state="unresolved") == []


async def test_a_long_trend_shows_every_nth_check(ward: Ward) -> None:
    monitor = await ward.make(daily_budget_usd=None)
    await ward.check(monitor)
    async with ward.app.state.database.write() as session:
        table = MonitorCheck.__table__
        row = dict((await session.execute(select(table))).mappings().one())
        copies = [
            row
            | {
                "id": ids.new_id(),
                "number": 2 + n,
                "scheduled_for": row["scheduled_for"] - n * timedelta(seconds=1),
            }
            for n in range(1, 1_000)
        ]
        await session.execute(insert(table), copies)

    trend = await ward.get(f"/monitors/{monitor['id']}/trend", days="all")
    assert trend["every"] == 4
    assert [point["number"] for point in trend["points"]] == list(range(4, 1_002, 4))
    assert sum(each["checks"] for each in trend["day_costs"]) == 1_000
    assert sum(Decimal(each["cost_usd"]) for each in trend["day_costs"]) == Decimal(
        trend["cost_usd"]
    )


async def test_models_are_compared_with_evidence(ward: Ward) -> None:
    cheap = PRICES | {"input_nanos_per_million": 2_000_000, "output_nanos_per_million": 8_000_000}
    credential = await make_credential(
        ward.app,
        ward.dataset.project.id,
        "openai_compatible",
        label="Other",
        settings={"base_url": ward.server.url},
    )
    other = await make_model(ward.app, credential, "cheap", prices=cheap)
    monitor = await ward.make(
        daily_budget_usd=None,
        models=[{"model_id": str(ward.model.id)}, {"model_id": str(other.id)}],
    )
    path = f"/monitors/{monitor['id']}/models"
    assert await ward.get(path) == {"checks": 0, "models": [], "advice": None}

    await ward.check(monitor)
    found = await ward.get(path)
    dear, saving = found["models"]
    assert (found["checks"], dear["score"], saving["score"]) == (1, 1.0, 1.0)
    assert Decimal(saving["month_usd"]) < Decimal(dear["month_usd"])
    advice = found["advice"]
    # Equal answers of 24 cases prove nothing, and speed takes five checks.
    assert [advice[each]["reason"] for each in ("most_accurate", "best_value", "fastest")] == [
        "not_separated",
        "not_separated",
        "too_few_cases",
    ]
    assert (advice["best_value"]["key"], advice["saving_month_usd"]) == (None, None)


def test_the_best_value_says_what_it_saves_a_month() -> None:
    cases = [f"case {number}" for number in range(200)]
    # As good on average, case by case a little better or worse.
    scores = {"dear": (1, 0.8005), "cheap": (3, 0.8)}
    parts = [
        CheckPart(
            id=uuid.uuid4(),
            number=number,
            run_id=None,
            score=0.8,
            measures={"score": 0.8, "low": None, "high": None, "cases": 200, "models": MEASURED},
            case_scores={
                key: {case: score + at * step % 7 / 100 for at, case in enumerate(cases)}
                for key, (step, score) in scores.items()
            },
        )
        for number in range(1, 7)
    ]
    found = compare_checks(parts, checks_a_month=30)
    advice = found.advice
    assert advice is not None
    assert (advice.best_value.key, advice.best_value.reason) == ("cheap", "as_good_and_cheaper")
    # 200 answers, 30 times, 0.9 cents less each.
    assert advice.saving_month_usd == Decimal("54.00")
    assert advice.fastest.key == "cheap"


async def test_answers_are_new_and_judgements_of_identical_answers_are_kept(ward: Ward) -> None:
    credential = await make_credential(
        ward.app,
        ward.dataset.project.id,
        "openai_compatible",
        settings={"base_url": ward.server.url},
    )
    judge = await make_model(ward.app, credential, "judge", prices=PRICES)
    criteria = [{"name": "Tone", "description": "Friendly in tone", "weight": 1}]
    verdict = json.dumps({"rationales": {"Tone": "Kind."}, "scores": {"Tone": 5}})
    asked: Counter[str] = Counter()

    def reply(received: Received) -> Reply:
        asked[received.body["model"]] += 1
        is_judge = received.body["model"] == "judge"
        return openai.completion(verdict) if is_judge else ward.quality.reply(received)

    ward.server.choose = reply
    options = {"model_id": str(judge.id), "criteria": criteria}
    monitor = await ward.make(
        scorers=[{"kind": "judge", "options": options}],
        cases={"limit": 3},
        rules={"drop": {"kind": "off"}},
        daily_budget_usd=None,
    )
    checks = [await ward.check(monitor) for _ in range(2)]
    assert [each["score"] for each in checks] == [1.0, 1.0]
    assert asked == {"plain": 6, "judge": 3}
    ward.quality.wrong = 1
    await ward.check(monitor)
    assert asked == {"plain": 9, "judge": 4}
