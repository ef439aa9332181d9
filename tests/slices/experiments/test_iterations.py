"""Iterations: measured, refined, reviewed, and on to the next until a stop rule holds."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import IterationState
from edison.workspace.projects.models import Role
from tests.factories.budgets import exhaust_budget
from tests.slices.experiments.lab import RULES, TEXT, Lab


def states(iteration: dict[str, Any]) -> list[str]:
    return [phase["state"] for phase in iteration["phases"]]


async def test_an_iteration_is_measured_refined_and_approved_into_the_next(lab: Lab) -> None:
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    assert first["state"] == "reviewing"
    assert states(first) == [
        "pending",
        "executing",
        "judging",
        "aggregating",
        "refining",
        "trying",
        "reviewing",
    ]
    metrics = first["metrics"]
    # Tone 1 of 5 and Facts 4 of 5, by their weights.
    assert metrics["train"]["value"] == pytest.approx(0.6 * 0.2 + 0.4 * 0.8)
    assert (metrics["train"]["cases"], metrics["holdout"]["cases"]) == (4, 2)
    assert metrics["change"] is None
    assert [(each["name"], each["mean"]) for each in metrics["criteria"]] == [
        ("Tone", pytest.approx(0.2)),
        ("Facts", pytest.approx(0.8)),
    ]
    assert metrics["answers"] == 6
    # Six cases, and two candidates on four of them: one gives the same answers, judged already.
    assert [lab.cast.asked.count(name) for name in ("plain", "judge")] == [14, 10]
    # The only requested candidate, and the stated rubric, which needs no search.
    assert [each["origin"] for each in first["suggestions"]] == ["refiner", "rubric"]
    suggestion = await lab.suggestion(first)
    assert suggestion["before"]["text"] == TEXT
    assert suggestion["after"]["text"] == TEXT.replace("paragraph.\n", f"paragraph.\n{RULES[0]}\n")
    assert suggestion["note"] == f"Adds {RULES[0]}"
    assert [each["name"] for each in suggestion["targets"]] == ["Tone", "Facts"]
    assert suggestion["violations"] == []
    # Held-out cases are never shown to the refiner.
    assert {each["inputs"]["question"] for each in suggestion["exemplars"]} <= {
        f"Where is parcel {number}?" for number in range(4)
    }
    assert suggestion["exemplars"][0]["rationales"]["Tone"] == "Keeps 0 rules."
    approved = await lab.do(f"/suggestions/{suggestion['id']}/approve", reason="Good idea.")
    assert approved["suggestion"]["state"] == "approved"
    assert approved["suggestion"]["review"]["reason"] == "Good idea."
    second = await lab.next_iteration(experiment, 2)
    assert second["version_id"] == approved["version_id"]
    assert second["metrics"]["train"]["value"] == pytest.approx(0.6 * 0.4 + 0.4 * 0.8)
    assert second["metrics"]["change"]["difference"]["value"] == pytest.approx(0.12)
    assert second["metrics"]["train_gain"] == pytest.approx(0.12)
    found = await lab.experiment(experiment)
    assert found["state"] == "reviewing"
    assert [each["state"] for each in found["iterations"]] == ["completed", "reviewing"]
    assert [each["state"] for each in found["iterations"][0]["suggestions"]] == [
        "approved",
        "superseded",
    ]
    # Two held-out cases cannot show a gain.
    assert (found["best"]["iteration"], found["best"]["basis"]) == (1, "holdout")
    assert found["best"]["gate"]["state"] == "worn_out"
    assert [(each["label"], each["iteration"]) for each in found["lineage"]] == [
        ("v1", 1),
        ("v2", 2),
    ]
    assert found["lineage"][1]["changelog"] == f"Applied suggestion: Adds {RULES[0]}"
    # The cost of the iterations equals the cost in the budget.
    (budget,) = (await lab.get("/budgets"))["items"]
    assert Decimal(budget["spent_usd"]) == Decimal(found["cost_usd"])
    audited = (await lab.get_as_owner("/audit", action="suggestion.approved"))["items"]
    assert [each["entity_id"] for each in audited] == [suggestion["id"]]


async def test_stop_rules_end_it_with_their_reason(lab: Lab) -> None:
    experiment = await lab.make(limits={"max_iterations": 1})
    only = await lab.until(await lab.start(experiment))
    assert only["state"] == "completed"
    assert only["suggestions"] == []
    found = await lab.experiment(experiment)
    assert found["state"] == "completed"
    assert found["stop"]["reason"] == "max_iterations"
    refused = await lab.post(f"/experiments/{experiment['id']}/iterations")
    assert refused.status_code == 409
    assert [each["code"] for each in refused.json()["error"]["details"]["reasons"]] == [
        "max_iterations"
    ]
    # With more iterations allowed it continues.
    limits = found["draft"]["limits"] | {"max_iterations": 9, "stops_without_suggestion": True}
    await lab.save(found, found["draft"] | {"limits": limits})
    again = await lab.do(f"/experiments/{experiment['id']}/confirm")
    assert again["state"] == "ready"
    lab.cast.said = "<diff>\n</diff>\n<note>\nIt is fine as it is.\n</note>"
    second = await lab.until(await lab.start(experiment))
    assert second["state"] == "completed"
    assert second["refinement"] == {
        "unchanged": ["It is fine as it is."],
        "failures": [],
        "trial": None,
    }
    found = await lab.experiment(experiment)
    assert found["stop"]["reason"] == "no_suggestion"


async def test_an_iteration_without_an_answer_fails_and_does_not_count(lab: Lab) -> None:
    lab.cast.down = {"plain"}
    experiment = await lab.make(limits={"max_iterations": 1})
    unanswered = await lab.until(await lab.start(experiment))
    assert (unanswered["state"], unanswered["problem"]) == ("failed", "answers_failed")
    assert unanswered["message"] == "No model answered, so there was nothing to judge."
    assert unanswered["metrics"]["failed"] == unanswered["metrics"]["answers"] == 6
    assert (await lab.experiment(experiment))["state"] == "failed"
    activity = await lab.get(f"/experiments/{experiment['id']}/activity")
    kinds = [each["kind"] for each in activity["entries"]]
    assert "failed" in kinds
    assert "measured" not in kinds
    lab.cast.down = set()
    second = await lab.until(await lab.start(experiment))
    assert second["metrics"]["is_unjudged"] is False


async def test_failed_judges_and_refiners_are_reported_as_problems(lab: Lab) -> None:
    lab.cast.down = {"judge"}
    experiment = await lab.make()
    unjudged = await lab.until(await lab.start(experiment))
    assert unjudged["state"] == "completed"
    assert unjudged["problem"] == "judging_failed"
    assert unjudged["metrics"]["is_unjudged"] is True
    assert unjudged["metrics"]["answers"] == 6
    lab.cast.down = {"refiner"}
    # Stored answers are reused; only the judge is called.
    asked = lab.cast.asked.count("plain")
    second = await lab.until(await lab.start(experiment))
    assert lab.cast.asked.count("plain") == asked
    assert second["state"] == "reviewing"
    assert second["problem"] == "refining_failed"
    assert second["suggestions"] == []
    assert second["actions"] == ["suggest", "refine", "close"]
    path = f"/experiments/{experiment['id']}/iterations/{second['id']}/suggestions"
    checked = await lab.do(f"{path}/check", text="Say {{order}}.")
    assert "variables" in {each["rail"] for each in checked["violations"]}
    same = await lab.post(path, text=TEXT, system=None, few_shots=[], note="Changes nothing.")
    assert same.status_code == 409
    mine = await lab.do(path, system=RULES[1], note="Says to thank people.")
    assert (mine["origin"], mine["after"]["text"]) == ("person", TEXT)
    assert [(each["part"], each["after"]) for each in mine["changes"]] == [("system", RULES[1])]
    assert mine["author"] == await lab.email()
    decided = await lab.do(f"/suggestions/{mine['id']}/approve")
    assert decided["next_iteration_id"] is not None
    lab.cast.down = set()
    third = await lab.next_iteration(experiment, 3)
    assert third["metrics"]["train"]["value"] == pytest.approx(0.6 * 0.4 + 0.4 * 0.8)
    told = (await lab.notifications())["items"]
    assert {(each["entity_type"], each["entity_id"]) for each in told} == {
        ("experiment", experiment["id"])
    }
    assert [(each["kind"], each["part_type"], each["part_id"]) for each in told] == [
        ("review_waiting", "suggestion", third["suggestions"][0]["id"]),
        ("run_finished", "iteration", third["id"]),
        ("partial_failure", "iteration", second["id"]),
        ("run_finished", "iteration", second["id"]),
        ("partial_failure", "iteration", unjudged["id"]),
    ]


async def test_a_refiner_that_failed_is_asked_again(lab: Lab) -> None:
    lab.cast.said = "I would rather not say."
    experiment = await lab.make(limits={"stops_without_suggestion": False})
    # From the second iteration on, suggestions come only from the refiner.
    first = await lab.until(await lab.start(experiment))
    for each in first["suggestions"]:
        await lab.do(f"/suggestions/{each['id']}/reject", reason="Not like that.")
    second = await lab.until(await lab.start(experiment))
    assert (second["state"], second["problem"]) == ("reviewing", "refining_failed")
    asked = lab.cast.asked.count("refiner")
    url = f"/experiments/{experiment['id']}/iterations/{second['id']}"
    lab.cast.said = "<diff>\n</diff>\n<note>\nIt is fine as it is.\n</note>"
    begun = await lab.do(f"{url}/refine")
    assert begun["number"] == 2
    content = await lab.until_it(url, lambda found: found["problem"] == "no_suggestion")
    assert content["state"] == "reviewing"
    (latest, *_) = (await lab.notifications())["items"]
    assert (latest["kind"], latest["part_id"]) == ("review_waiting", second["id"])
    assert latest["title"] == "Parcels #2 needs your decision"
    lab.cast.said = None
    await lab.do(f"{url}/refine")
    again = await lab.until(second)
    assert lab.cast.asked.count("refiner") > asked
    assert (again["state"], again["problem"], again["message"]) == ("reviewing", None, None)
    assert [each["origin"] for each in again["suggestions"]] == ["refiner"]
    assert again["actions"] == ["suggest", "close"]
    refused = await lab.post(f"{url}/refine")
    assert refused.status_code == 409
    assert "Decide about what is suggested" in refused.json()["error"]["message"]


async def test_an_iteration_is_paused_resumed_and_cancelled(lab: Lab) -> None:
    experiment = await lab.make()
    lab.server.hold()
    running = await lab.until(await lab.start(experiment), ["executing"])
    path = f"/experiments/{experiment['id']}/iterations/{running['id']}"
    again = await lab.post(f"/experiments/{experiment['id']}/iterations")
    assert [each["code"] for each in again.json()["error"]["details"]["reasons"]] == ["under_way"]
    edited = await lab.save(experiment, experiment["draft"])
    assert edited.json()["error"]["code"] == "ITERATION_UNDER_WAY"
    paused = await lab.do(f"{path}/pause")
    assert (paused["state"], paused["problem"]) == ("paused", "person")
    assert (await lab.experiment(experiment))["state"] == "paused"
    assert (await lab.post(f"{path}/pause")).status_code == 409
    assert (await lab.do(f"{path}/resume"))["state"] == "executing"
    lab.server.release()
    assert (await lab.until(running))["state"] == "reviewing"
    assert (await lab.post(f"{path}/cancel")).status_code == 409
    closed = await lab.do(f"{path}/close")
    assert closed["state"] == "completed"
    assert {each["state"] for each in closed["suggestions"]} == {"superseded"}
    lab.server.hold()
    version_id = await lab.save_version(experiment, TEXT + "Be brief.\n")
    second = await lab.start(experiment, version_id=version_id)
    path = f"/experiments/{experiment['id']}/iterations/{second['id']}"
    cancelled = await lab.do(f"{path}/cancel")
    assert cancelled["state"] == "cancelled"
    lab.server.release()
    assert (await lab.experiment(experiment))["state"] == "ready"
    finished = await lab.do(f"/experiments/{experiment['id']}/finish")
    assert finished["state"] == "completed"
    assert finished["stop"]["reason"] == "person"
    told = await lab.get(f"/experiments/{experiment['id']}/activity")
    me = await lab.email()
    steps = [(each["kind"], each["actor"], each["iteration"]) for each in told["entries"]]
    assert steps == [
        ("finished", me, None),
        ("cancelled", me, 2),
        ("started", me, 2),
        ("closed", me, 1),
        ("suggested", None, 1),
        ("measured", None, 1),
        ("resumed", me, 1),
        ("paused", me, 1),
        ("started", me, 1),
        ("confirmed", me, None),
        ("configured", me, None),
        ("created", me, None),
    ]
    assert told["total"] == len(steps)
    (suggested,) = [each for each in told["entries"] if each["kind"] == "suggested"]
    assert (suggested["count"], suggested["version_label"]) == (2, "v1")
    assert suggested["suggestion_id"] == closed["suggestions"][0]["id"]


async def test_nothing_starts_on_an_exhausted_budget(lab: Lab) -> None:
    experiment = await lab.make()
    await exhaust_budget(lab.app, lab.dataset.project.id)
    wanted = {"action": "draft", "draft": lab.draft(), "model_id": lab.model_id("refiner")}
    for path, body in (
        (f"/experiments/{experiment['id']}/iterations", {}),
        ("/experiments/assist/objective", {**wanted, "hints": "friendly replies"}),
    ):
        response = await lab.post(path, **body)
        assert response.status_code == 402, (path, response.text)
        assert response.json()["error"]["code"] == "BUDGET_EXCEEDED"
    assert (await lab.experiment(experiment))["iterations"] == []
    assert lab.server.received == []


async def test_a_paused_iteration_is_not_resumed_on_an_exhausted_budget(lab: Lab) -> None:
    lab.server.hold()
    iteration = await lab.until(await lab.start(await lab.make()), ["executing"])
    path = f"/experiments/{iteration['experiment_id']}/iterations/{iteration['id']}"
    await lab.do(f"{path}/pause")
    lab.server.release()
    await exhaust_budget(lab.app, lab.dataset.project.id)
    response = await lab.post(f"{path}/resume")
    assert response.status_code == 402, response.text
    assert (await lab.get(path))["state"] == "paused"


async def test_an_iteration_waits_for_its_budget_and_continues(lab: Lab) -> None:
    experiment = await lab.make(limits={"budget_usd": "0.033"})
    paused = await lab.until(await lab.start(experiment))
    assert (paused["state"], paused["problem"]) == ("paused", "budget")
    told = (await lab.notifications())["items"]
    assert [each["kind"] for each in told] == ["budget_alert"]
    (budget,) = (await lab.get("/budgets"))["items"]
    admin = await lab.member(Role.ADMIN)
    raised = await admin.patch(
        f"{lab.project_url}/budgets/{budget['id']}", json={"limit_usd": "10"}
    )
    assert raised.status_code == 200, raised.text
    ended = await lab.until(paused, ["reviewing", "failed", "completed"])
    assert ended["state"] == "reviewing"
    assert ended["metrics"]["answers"] == 6


async def test_more_money_does_not_revive_the_runs_of_an_ended_iteration(lab: Lab) -> None:
    experiment = await lab.make(limits={"budget_usd": "0.033"})
    paused = await lab.until(await lab.start(experiment))
    async with lab.app.state.database.write() as session:
        await Iterations(session).change(
            UUID(paused["id"]), {"state": IterationState.CANCELLED, "active_key": None}
        )
    (budget,) = (await lab.get("/budgets"))["items"]
    admin = await lab.member(Role.ADMIN)
    asked = len(lab.server.received)
    raised = await admin.patch(
        f"{lab.project_url}/budgets/{budget['id']}", json={"limit_usd": "10"}
    )
    assert raised.status_code == 200, raised.text
    run = await lab.get(f"/runs/{paused['run_id']}")
    assert (run["state"], run["reason"]) == ("paused", "budget")
    assert len(lab.server.received) == asked
