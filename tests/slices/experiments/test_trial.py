"""Suggestions are tried on the training cases before anyone decides about them."""

import json
from decimal import Decimal

import pytest

from edison.workspace.projects.models import Role
from tests.slices.experiments.lab import RULES, TEXT, Lab

GREETING = TEXT.replace("paragraph.\n", f"paragraph.\n{RULES[0]}\n")
# Takes a rule away, which the judge counts.
WORSE = (
    "<diff>\n--- a/prompt.txt\n+++ b/prompt.txt\n@@ -1,2 +1,1 @@\n"
    f" Answer the customer's question in one paragraph.\n-{RULES[0]}\n</diff>\n"
    "<note>\nDrops the greeting.\n</note>"
)


async def test_the_best_candidate_is_offered_first_with_its_scores(lab: Lab) -> None:
    lab.cast.said = WORSE
    experiment = await lab.make(prompt={"text": GREETING})
    first = await lab.until(await lab.start(experiment))
    assert [(each["origin"], each["number"]) for each in first["suggestions"]] == [
        ("rubric", 2),
        ("refiner", 1),
    ]
    assert [each["trial_difference"] for each in first["suggestions"]] == [
        pytest.approx(0),
        pytest.approx(-0.12),
    ]
    queue = (await lab.get("/suggestions"))["items"]
    assert [each["number"] for each in queue] == [2, 1]
    worse = await lab.suggestion(first, 1)
    trial = worse["trial"]
    assert (trial["run_id"], trial["version_label"]) == (first["trial_run_id"], "v1")
    comparison = trial["comparison"]
    assert (comparison["baseline_mean"], comparison["other_mean"]) == (
        pytest.approx(0.56),
        pytest.approx(0.44),
    )
    # Four training cases; the held-out ones are not touched.
    assert (comparison["difference"]["cases"], comparison["regressed"]) == (4, 4)
    assert trial["criteria"] == [
        {"name": "Tone", "before": pytest.approx(0.4), "after": pytest.approx(0.2)},
        {"name": "Facts", "before": pytest.approx(0.8), "after": pytest.approx(0.8)},
    ]
    run = await lab.get(f"/runs/{first['trial_run_id']}")
    assert (run["state"], run["case_count"], run["cell_count"]) == ("completed", 4, 8)
    # Texts are tried without versions.
    versions = (await lab.get(f"/prompts/{experiment['prompt_id']}/versions"))["items"]
    assert [each["label"] for each in versions] == ["v1"]
    found = await lab.experiment(experiment)
    (budget,) = (await lab.get("/budgets"))["items"]
    assert Decimal(budget["spent_usd"]) == Decimal(found["cost_usd"])


async def test_the_refiner_continues_from_the_version_that_leads(lab: Lab) -> None:
    lab.cast.said = WORSE
    experiment = await lab.make(prompt={"text": GREETING})
    first = await lab.until(await lab.start(experiment))
    # A reviewer approves the worse one.
    await lab.do(f"/suggestions/{first['suggestions'][1]['id']}/approve")
    lab.cast.said = None
    second = await lab.next_iteration(experiment, 2)
    assert second["metrics"]["train_gain"] == pytest.approx(-0.12)
    suggestion = await lab.suggestion(second)
    assert suggestion["base"]["label"] == "v1"
    assert suggestion["before"]["text"] == GREETING
    assert suggestion["is_base_latest"] is True
    # The answers of the leading version, not those of the last one.
    assert {round(each["scores"]["Tone"], 3) for each in suggestion["exemplars"]} == {0.4}
    assert suggestion["trial"]["comparison"]["difference"]["value"] == pytest.approx(0.12)
    approved = await lab.do(f"/suggestions/{suggestion['id']}/approve")
    third = await lab.next_iteration(experiment, 3)
    assert third["version_id"] == approved["version_id"]
    assert third["metrics"]["train_gain"] == pytest.approx(0.12)
    lineage = (await lab.experiment(experiment))["lineage"]
    assert [lineage[at]["version_id"] for at in (0, 0)] == [
        each["parent_id"] for each in lineage[1:]
    ]


async def test_without_reviews_only_a_candidate_that_is_not_worse_is_approved(lab: Lab) -> None:
    owner = await lab.member(Role.ADMIN)
    url = f"{lab.project_url}/settings"
    settings = (await owner.get(url)).json()
    del settings["updated_at"]
    await owner.put(url, json=settings | {"require_review_approval": False})
    lab.cast.said = WORSE
    experiment = await lab.make(prompt={"text": GREETING}, limits={"max_iterations": 5})
    await lab.start(experiment)
    ended = await lab.until_it(
        f"/experiments/{experiment['id']}", lambda found: found["state"] in ("completed", "ready")
    )
    first, second = ended["iterations"]
    # Stating the rubric competes with the refiner; later there is only the refiner.
    assert [(each["origin"], each["state"]) for each in first["suggestions"]] == [
        ("rubric", "approved"),
        ("refiner", "superseded"),
    ]
    assert [(each["origin"], each["state"]) for each in second["suggestions"]] == [
        ("refiner", "superseded")
    ]
    assert (second["state"], second["problem"]) == ("completed", "no_suggestion")
    assert second["message"].startswith("Every suggestion did worse on the training cases")


async def test_suggestions_that_cannot_be_tried_are_offered_with_the_reason(lab: Lab) -> None:
    lab.cast.at[("refiner", 1)] = lambda: lab.cast.down.add("plain")
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    assert first["state"] == "reviewing"
    assert [each["trial_difference"] for each in first["suggestions"]] == [None, None]
    assert [each["number"] for each in first["suggestions"]] == [1, 2]
    assert first["refinement"]["trial"]
    assert (await lab.suggestion(first))["trial"] is None


async def test_a_trial_can_be_cancelled(lab: Lab) -> None:
    lab.cast.at[("refiner", 1)] = lab.server.hold
    experiment = await lab.make()
    trying = await lab.until(await lab.start(experiment), ["trying"])
    assert trying["actions"] == ["cancel"]
    # Before the trial has ended, there is nothing to review.
    assert trying["suggestions"] == []
    assert (await lab.get("/suggestions", state="all"))["items"] == []
    assert (await lab.experiment(experiment))["waiting_suggestions"] == 0
    assert (trying["progress"]["cells"], trying["progress"]["cells_done"]) == (8, 0)
    path = f"/experiments/{experiment['id']}/iterations/{trying['id']}"
    cancelled = await lab.do(f"{path}/cancel")
    lab.server.release()
    assert cancelled["state"] == "cancelled"
    assert {each["state"] for each in cancelled["suggestions"]} == {"superseded"}
    assert (await lab.get(f"/runs/{trying['trial_run_id']}"))["state"] == "cancelled"
    assert (await lab.experiment(experiment))["state"] == "ready"


async def test_a_suggestion_may_change_system_text_and_examples(lab: Lab) -> None:
    shots = [{"user": "Where is it?", "assistant": f"{RULES[1]} It comes today."}]
    lab.cast.said = (
        f"<diff>\n</diff>\n<system_text>\n{RULES[0]}\n</system_text>\n"
        f"<few_shots>\n{json.dumps(shots)}\n</few_shots>\n<note>\nShows how.\n</note>"
    )
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    suggestion = await lab.suggestion(first)
    assert (suggestion["origin"], suggestion["before"]["text"]) == ("refiner", TEXT)
    assert suggestion["after"] == {"text": TEXT, "system": RULES[0], "few_shots": shots}
    assert [(each["part"], each["before"], each["after"]) for each in suggestion["changes"]] == [
        ("system", "", RULES[0]),
        ("few_shots", "", f"User:\nWhere is it?\nAssistant:\n{RULES[1]} It comes today.\n"),
    ]
    # Both rules reach the model: two more points for Tone.
    assert suggestion["trial"]["comparison"]["difference"]["value"] == pytest.approx(0.24)
    await lab.do(f"/suggestions/{suggestion['id']}/approve")
    second = await lab.next_iteration(experiment, 2)
    assert second["metrics"]["train_gain"] == pytest.approx(0.24)
    report = await lab.get(f"/experiments/{experiment['id']}/report")
    version = await lab.get(f"/prompts/{experiment['prompt_id']}/versions/{second['version_id']}")
    assert (version["system"], version["text"], version["few_shots"]) == (RULES[0], TEXT, shots)
    assert report["decisions"][0]["parts"] == ["system", "few_shots"]
    draft = (await lab.get(f"/prompts/{experiment['prompt_id']}"))["draft"]
    assert (draft["system"], draft["few_shots"]) == (RULES[0], shots)
