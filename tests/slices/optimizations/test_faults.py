"""What goes wrong during an optimization: strategies, judges, money, people, deleted parts."""

from typing import Any

from sqlalchemy import update

from edison.library.datasets.models import Case
from edison.library.models.models import Model
from edison.workspace.projects.models import Role
from tests.factories.projects import make_member
from tests.factories.prompts import make_version
from tests.slices.experiments.lab import diff_adding
from tests.slices.optimizations.workshop import TRAIN, Workshop

NO_VARIABLE = """<diff>
@@ @@
-{{question}}
+the question
</diff>
<note>
Breaks a variable.
</note>"""
EMPTY = "<diff>\n</diff>\n<note>\nNothing.\n</note>"


async def test_a_strategy_that_answers_nonsense_costs_one_generation(shop: Workshop) -> None:
    # Nonsense, an empty reply, a broken variable, and no change: each is asked for twice.
    shop.script.said = ["nonsense", "nonsense", NO_VARIABLE, NO_VARIABLE, EMPTY]
    strategy = shop.strategy("refine", candidates=3)
    ended = await shop.until_ended(await shop.start(strategy=strategy, generations=9))
    assert (ended["stop_reason"], ended["outcome"]) == ("no_candidates", "no_gain")
    assert [each["origin"] for each in ended["candidate_list"]] == ["base", "rubric"]
    (proposed,) = [each for each in await shop.activity(ended) if each["kind"] == "proposed"]
    assert proposed["data"]["candidates"] == 0
    assert len(proposed["data"]["failures"]) >= 1
    assert [each["kind"] for each in ended["rounds"]] == ["train"]


async def test_a_strategy_that_copies_cases_is_not_measured(shop: Workshop) -> None:
    case = "My parcel with the number 4711 has not arrived since last Monday"
    async with shop.app.state.database.write() as session:
        copied = update(Case).where(Case.dataset_id == shop.dataset.id, Case.position == 1)
        await session.execute(copied.values(inputs={"question": f"{case}."}))
    shop.script.said = [f"<diff>\n{diff_adding(case)}\n</diff>\n<note>\nCopies.\n</note>"]
    ended = await shop.until_ended(await shop.start())
    assert (ended["stop_reason"], ended["outcome"]) == ("no_candidates", "no_gain")
    (proposed,) = [each for each in await shop.activity(ended) if each["kind"] == "proposed"]
    assert proposed["data"]["failures"] == [
        "12 words in a row are copied from a training case; 7 are allowed."
    ]


async def test_a_judge_that_fails_half_the_time_gives_no_verdict(shop: Workshop) -> None:
    shop.script.is_unreadable = lambda number: number % 2 == 1
    ended = await shop.until_ended(await shop.start(generations=1))
    assert (ended["outcome"], ended["suggestion_id"]) == ("cannot_tell", None)
    assert ended["gate"]["reason"] == "missing"
    # Candidates are compared on the cases that have scores.
    assert {each["cases"] for each in ended["candidate_list"]} == {4}


async def test_money_that_runs_out_pauses_and_more_money_resumes(shop: Workshop) -> None:
    # Base and stated rubric have answered: this is the first answer of the generation.
    shop.script.at["plain", 2 * TRAIN + 1] = shop.server.hold
    row = await shop.start(generations=1)
    await shop.server.until_held()
    (budget,) = (await shop.get("/budgets"))["items"]
    await set_limit(shop, budget, "0.000001")
    shop.server.release()
    paused = await shop.until_ended(row)
    assert (paused["state"], paused["reason"]) == ("paused", "budget")
    assert paused["rounds"][1]["run_state"] == "paused"
    assert [kind for kind, _ in await shop.notices()][-1:] == ["optimization_paused"]
    await set_limit(shop, budget, "50")
    ended = await shop.until(row, lambda found: found["state"] == "completed")
    assert ended["outcome"] == "promoted"
    assert len(ended["rounds"]) == 3


async def set_limit(shop: Workshop, budget: dict[str, Any], limit: str) -> None:
    url = f"{shop.project_url}/budgets/{budget['id']}"
    admin = await make_member(shop.app, shop.dataset.project, Role.ADMIN)
    response = await admin.browser.patch(url, json={"limit_usd": limit})
    assert response.status_code == 200, response.text


async def test_a_person_pauses_resumes_and_cancels(shop: Workshop) -> None:
    shop.server.hold()
    row = await shop.start()
    await shop.until(row, lambda found: len(found["rounds"]) == 1)
    paused = await shop.do(f"/optimizations/{row['id']}/pause")
    assert (paused["state"], paused["reason"]) == ("paused", "person")
    assert paused["rounds"][0]["run_state"] == "paused"
    # The high estimate of the test is set aside until that begins.
    wanted = shop.body()
    del wanted["name"]
    estimate = await shop.do("/optimizations/estimate", **wanted)
    assert paused["held_usd"] == estimate["gate"]["high_usd"]
    resumed = await shop.do(f"/optimizations/{row['id']}/resume")
    assert (resumed["state"], resumed["reason"]) == ("running", None)
    cancelled = await shop.do(f"/optimizations/{row['id']}/cancel")
    shop.server.release()
    assert (cancelled["state"], cancelled["outcome"]) == ("cancelled", None)
    assert cancelled["held_usd"] is None
    assert cancelled["rounds"][0]["run_state"] == "cancelled"
    kinds = [each["kind"] for each in await shop.activity(row)]
    assert kinds == ["started", "round_begun", "paused", "resumed", "ended"]
    assert await shop.notices() == []


async def test_a_base_that_a_person_changed_needs_a_branch(shop: Workshop) -> None:
    """Two optimizations of one prompt at once differ as little as this: the second to be approved
    finds a newer version.
    """
    ended = await shop.until_ended(await shop.start(generations=1))
    assert ended["outcome"] == "promoted"
    await make_version(shop.app, shop.prompt, text="Another text.\n{{question}}")
    path = f"/suggestions/{ended['suggestion_id']}/approve"
    assert (await shop.get(f"/suggestions/{ended['suggestion_id']}"))["is_base_latest"] is False
    refused = await shop.post(path)
    assert refused.status_code == 409
    accepted = await shop.do(path, may_branch=True)
    assert accepted["version_id"]


async def test_a_model_that_was_disabled_fails_the_next_step(shop: Workshop) -> None:
    shop.server.hold()
    row = await shop.start()
    await shop.until(row, lambda found: len(found["rounds"]) == 1)
    async with shop.app.state.database.write() as session:
        gone = update(Model).where(Model.id == shop.models["refiner"].id)
        await session.execute(gone.values(is_enabled=False))
    shop.server.release()
    ended = await shop.until_ended(row)
    assert (ended["state"], ended["reason"]) == ("failed", "cannot_go_on")
    assert ended["message"] == "refiner is disabled."


async def test_a_finalist_that_is_less_safe_is_refused_with_the_figures(shop: Workshop) -> None:
    options = {"pattern": r"^Parcel \d+\.\s*$"}
    safe = {"kind": "regex", "label": "No rules", "weight": 0, "options": options}
    scorers = [shop.panel(), safe]
    ended = await shop.until_ended(await shop.start(generations=1, scorers=scorers))
    assert (ended["outcome"], ended["gate"]["reason"]) == ("refused", "less_safe"), ended
    (found,) = ended["gate"]["safety"]
    assert (found["name"], found["difference"], found["is_less_safe"]) == ("No rules", -1, True)
    assert found["low"] <= found["difference"] <= found["high"] < 0
