"""Tests on sampled cases: batches, the end, money, failures, stopping."""

from collections.abc import Callable, Collection
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from edison.loops.abtests.drive import AbTestTools, drive
from edison.loops.abtests.service import find_resume_objection
from edison.runs.store.models import Run
from edison.workspace.budgets.models import LedgerEntry
from tests.slices.abtests.trial import Trial


async def list_runs(trial: Trial) -> list[dict[str, Any]]:
    return [each for each in (await trial.get("/runs"))["items"] if each["origin"] == "ab_test"]


async def test_a_test_runs_batch_after_batch_to_its_end(trial: Trial) -> None:
    trial.replies.first_wrong = 1
    ended = await trial.until_ended(await trial.start())
    assert ended["state"] == "complete"
    result = ended["result"]
    assert (result["recommendation"], result["is_final"]) == ("take_second", True)
    assert (result["pairs"], result["first_mean"], result["second_mean"]) == (20, 0, 1)
    assert (result["difference"], result["test"]) == (1, "score")
    assert [(each["number"], each["cases"]) for each in ended["batches"]] == [(1, 10), (2, 10)]
    assert ended["first_usage"]["answers"] == ended["second_usage"]["answers"] == 20
    assert ended["looks"][-1]["pairs"] == 20
    # No case twice: each is one answer per arm.
    assert trial.replies.asked == 40
    questions = [str(each.body["messages"]) for each in trial.server.received]
    assert len(set(questions)) == 40
    assert await trial.notices() == [
        (
            "ab_test_decided",
            "Take the second: it is better. Difference +10.0 points over 20 pairs, between +6.5 "
            "and +10.0.",
        )
    ]


async def test_the_ledger_equals_what_the_test_cost(trial: Trial) -> None:
    ended = await trial.until_ended(await trial.start())
    runs = await list_runs(trial)
    async with trial.app.state.database.read() as session:
        nanos = await session.scalar(select(func.sum(LedgerEntry.cost_nanos)))
    assert Decimal(ended["cost_usd"]) == sum(Decimal(each["cost_usd"]) for each in runs)
    assert Decimal(ended["cost_usd"]) == Decimal(nanos).scaleb(-9) > 0
    (budget,) = (await trial.get("/budgets"))["items"]
    assert Decimal(budget["spent_usd"]) == Decimal(ended["cost_usd"])


async def test_driving_again_repeats_nothing(trial: Trial) -> None:
    ended = await trial.until_ended(await trial.start())
    tools = AbTestTools(database=trial.app.state.database, gateway=trial.app.state.gateway)
    await drive(tools, UUID(ended["id"]))
    assert await trial.read(ended) == ended
    assert len(await list_runs(trial)) == 2


async def test_equal_arms_give_no_recommendation_to_change(trial: Trial) -> None:
    ended = await trial.until_ended(await trial.start())
    assert (ended["state"], ended["result"]["difference"]) == ("complete", 0)
    assert ended["result"]["recommendation"] == "cannot_tell"


async def test_cases_without_an_answer_are_replaced_by_others(trial: Trial) -> None:
    trial.replies.failing = range(2)
    ended = await trial.until_ended(await trial.start())
    assert (ended["state"], ended["result"]["pairs"]) == ("complete", 20)
    assert sum(each["cases"] for each in ended["batches"]) in (20, 21, 22)


async def test_a_replacement_without_an_answer_is_replaced_too(trial: Trial) -> None:
    def fail(cases: Collection[int]) -> Callable[[], None]:
        return lambda: setattr(trial.replies, "failing", cases)

    # The very first answer, and both of the case that replaces it.
    trial.replies.at = {1: fail(range(24)), 2: fail(()), 41: fail(range(24)), 43: fail(())}
    ended = await trial.until_ended(await trial.start())
    assert (ended["state"], ended["result"]["pairs"]) == ("complete", 20)
    assert [each["cases"] for each in ended["batches"]] == [10, 10, 1, 1]


async def test_a_sample_that_is_used_up_ends_with_the_pairs_there_are(trial: Trial) -> None:
    trial.replies.failing = range(6)
    ended = await trial.until_ended(await trial.start(pairs=24))
    assert (ended["state"], ended["result"]["pairs"]) == ("complete", 18)


async def test_a_batch_without_any_score_fails_the_test(trial: Trial) -> None:
    trial.replies.failing = range(24)
    ended = await trial.until_ended(await trial.start())
    assert (ended["state"], ended["reason"]) == ("failed", "no_scores")
    assert "batch 1" in ended["message"]
    assert len(await list_runs(trial)) == 1


async def test_a_test_that_has_spent_its_budget_ends(trial: Trial) -> None:
    ended = await trial.until_ended(await trial.start(budget_usd="0.01"))
    assert (ended["state"], ended["reason"]) == ("out_of_money", "budget")
    assert Decimal(ended["cost_usd"]) <= Decimal("0.01")
    assert ended["result"]["recommendation"] == "cannot_tell"
    runs = await list_runs(trial)
    assert all(each["state"] in ("completed", "cancelled") for each in runs)
    assert [kind for kind, _ in await trial.notices()][-1] == "ab_test_decided"


async def test_a_person_stops_a_test_with_a_note(trial: Trial) -> None:
    trial.server.hold()
    test = await trial.start()
    await trial.until(test, lambda found: len(found["batches"]) == 1)
    ended = await trial.do(f"/ab-tests/{test['id']}/stop", note="Wrong version.")
    trial.server.release()
    assert (ended["state"], ended["note"]) == ("stopped", "Wrong version.")
    assert ended["stopped_by"]
    assert ended["result"]["recommendation"] == "cannot_tell"
    (run,) = await list_runs(trial)
    assert run["state"] == "cancelled"
    refused = await trial.post(f"/ab-tests/{test['id']}/stop")
    assert refused.status_code == 409


async def test_a_cancelled_run_fails_the_test(trial: Trial) -> None:
    trial.server.hold()
    test = await trial.start()
    found = await trial.until(test, lambda found: len(found["batches"]) == 1)
    await trial.do(f"/runs/{found['batches'][0]['run_id']}/cancel")
    trial.server.release()
    ended = await trial.until_ended(test)
    assert (ended["state"], ended["reason"]) == ("failed", "run_cancelled")


async def test_more_money_does_not_resume_runs_of_an_ended_test(trial: Trial) -> None:
    ended = await trial.until_ended(await trial.start())
    async with trial.app.state.database.read() as session:
        run = await session.get_one(Run, UUID(ended["batches"][0]["run_id"]))
        assert await find_resume_objection(session, run) == "The A/B test of this run has ended."
