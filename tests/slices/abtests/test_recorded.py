"""Answers that a program records."""

from decimal import Decimal
from typing import Any

from edison.pipeline.aggregate.sequence import FEWEST_CASES
from tests.slices.abtests.trial import GOOD, Trial

CRITERIA = [{"name": "Tone", "description": "Is friendly.", "weight": 1, "scale": "0-5"}]


def answer(arm: str, number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"{arm}-{number}",
        "arm": arm,
        "inputs": {"question": f"Where is parcel number {number}?"},
        "answer": GOOD,
        **changes,
    }


def scored(first: float, second: float, numbers: range) -> list[dict[str, Any]]:
    return [
        answer(arm, number, score=score)
        for number in numbers
        for arm, score in (("first", first), ("second", second))
    ]


async def test_recorded_scores_decide_as_soon_as_they_can(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=200)
    assert test["mode"] == "recorded"
    (await trial.record(test, *scored(0.2, 0.9, range(50)))).raise_for_status()
    early = await trial.until(test, lambda found: (found["result"] or {}).get("pairs") == 50)
    assert (early["state"], early["result"]["recommendation"]) == ("running", "cannot_tell")
    (await trial.record(test, *scored(0.2, 0.9, range(50, FEWEST_CASES)))).raise_for_status()
    ended = await trial.until_ended(test)
    assert (ended["state"], ended["result"]["recommendation"]) == ("decided", "take_second")
    assert ended["result"]["test"] == "confidence_sequence"
    assert (ended["answers"], ended["pending"]) == (2 * FEWEST_CASES, 0)
    late = await trial.record(test, answer("first", 99, score=1))
    assert (late.status_code, late.json()["error"]["path"]) == (409, "state")


async def test_answers_without_a_score_are_scored_by_the_scorers(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=10)
    answers = [answer("first", number, answer="Sorry.") for number in range(10)]
    answers += [answer("second", number) for number in range(10)]
    response = await trial.record(test, *answers)
    assert response.json() == {"recorded": 20, "repeated": 0, "pending": 20, "state": "running"}
    ended = await trial.until_ended(test)
    assert (ended["state"], ended["result"]["recommendation"]) == ("complete", "take_second")
    listed = (await trial.get(f"/ab-tests/{test['id']}/answers", arm="first", limit=5))["items"]
    assert [each["number"] for each in listed] == [10, 9, 8, 7, 6]
    assert {each["score"] for each in listed} == {0}
    assert listed[0]["scores"][0]["label"] == "Contains"


async def test_a_repeated_id_is_recorded_once(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=10)
    await trial.record(test, answer("first", 1, score=1))
    again = await trial.record(test, answer("first", 1, score=0), answer("first", 2, score=1))
    assert (again.json()["recorded"], again.json()["repeated"]) == (1, 1)
    assert (await trial.read(test))["answers"] == 2
    twice = await trial.record(test, answer("first", 3), answer("first", 3))
    assert twice.status_code == 400
    assert "once" in twice.json()["error"]["message"]


async def test_bad_answers_name_their_field_and_change_nothing(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=10)
    good = answer("first", 1)
    wrong: list[tuple[list[dict[str, Any]], str]] = [
        ([good, answer("third", 1)], "answers.1.arm"),
        ([good, answer("second", 1, score=1.5)], "answers.1.score"),
        ([good, answer("second", 1, score=-0.1)], "answers.1.score"),
        ([good, {"arm": "first"}], "answers.1.answer"),
        ([good, answer("second", 1, id="")], "answers.1.id"),
        ([good, answer("second", 1, nonsense=1)], "answers.1.nonsense"),
        ([answer("first", number) for number in range(101)], "answers"),
        ([], "answers"),
    ]
    for answers, field in wrong:
        refused = await trial.record(test, *answers)
        assert refused.status_code == 400, (field, refused.text)
        details = refused.json()["error"]["details"]
        assert field in [each["field"] for each in details], details
    assert (await trial.read(test))["answers"] == 0


async def test_answers_need_a_running_test_without_a_dataset(trial: Trial) -> None:
    draft = await trial.make(dataset_id=None)
    refused = await trial.record(draft, answer("first", 1))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "WRONG_STATE")
    sampled = await trial.make(name="Sampled")
    refused = await trial.record(sampled, answer("first", 1))
    assert (refused.status_code, refused.json()["error"]["path"]) == (409, "dataset_id")


async def test_an_answer_that_cannot_be_scored_is_left_out(trial: Trial) -> None:
    test = await trial.start(dataset_id=None, pairs=10, scorers=[{"kind": "exact"}])
    await trial.record(
        test,
        answer("first", 1),
        answer("first", 2, expected=GOOD),
        answer("second", 2, expected="Elsewhere."),
    )
    found = await trial.until(test, lambda found: (found["result"] or {}).get("pairs") == 1)
    assert (found["result"]["first_mean"], found["result"]["second_mean"]) == (1, 0)
    states = (await trial.get(f"/ab-tests/{test['id']}/answers"))["items"]
    assert [each["state"] for each in states] == ["scored", "scored", "unscored"]


async def test_judges_of_recorded_answers_are_paid_from_the_budget(trial: Trial) -> None:
    judge = {"kind": "judge", "options": {"model_id": str(trial.model.id), "criteria": CRITERIA}}
    test = await trial.start(dataset_id=None, pairs=10, scorers=[judge], budget_usd="0.000001")
    await trial.record(test, answer("first", 1))
    ended = await trial.until_ended(test)
    assert (ended["state"], ended["reason"]) == ("out_of_money", "budget")
    assert Decimal(ended["cost_usd"]) == 0
    assert trial.replies.asked == 0
