"""A completed run is scored afterwards by further scorers and comparers."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from edison.runs.store.models import Run
from edison.runs.store.states import IMPORTED
from tests.factories.budgets import exhaust_budget
from tests.slices.runs.conftest import CASES, Desk
from tests.slices.runs.judging import CRITERIA, Bench, open_bench
from tests.support.browser import error_of, fields_of

CONTAINS = {"kind": "contains", "options": {"phrases": ["way"]}}
LENGTH = {"kind": "length", "options": {"maximum": 5}, "label": "Short"}


@pytest.fixture
async def bench(desk: Desk) -> Bench:
    return await open_bench(desk)


def judge(bench: Bench, **changes: Any) -> dict[str, Any]:
    options = {"model_id": str(bench.judge.id), "criteria": CRITERIA}
    return {"kind": "judge", "options": options, **changes}


async def test_answers_are_reused_and_earlier_scores_stay(bench: Bench) -> None:
    desk = bench.desk
    run = await desk.run(variants=bench.variants(bench.plain), scorers=[CONTAINS])
    before, asked = await desk.cells(run["id"]), len(desk.server.received)
    assert "rescore" in run["actions"]

    added = {"scorers": [judge(bench), LENGTH]}
    estimate = await desk.post(f"/runs/{run['id']}/rescore/estimate", **added)
    assert estimate.status_code == 200, estimate.text
    assert (estimate.json()["answer_calls"], estimate.json()["judge_calls"]) == (0, len(CASES))
    response = await desk.post(f"/runs/{run['id']}/rescore", **added)
    assert response.status_code == 200, response.text
    ended = await desk.finish(run["id"])

    assert (ended["state"], ended["scorer_count"], ended["score_count"]) == ("completed", 3, 18)
    assert [each["kind"] for each in ended["scorers"]] == ["contains", "judge", "length"]
    assert bench.asked == len(CASES) == len(desk.server.received) - asked
    after = await desk.cells(run["id"])
    assert [each["id"] for each in after] == [each["id"] for each in before]
    assert [each["scores"][0] for each in after] == [each["scores"][0] for each in before]
    assert {len(each["scores"]) for each in after} == {3}
    ledger = await desk.ledger()
    assert sum(Decimal(each["cost_usd"]) for each in ledger) == Decimal(ended["cost_usd"])
    assert Decimal(run["cost_usd"]) < Decimal(ended["cost_usd"])
    low, high = (Decimal(estimate.json()["cost"][end]) for end in ("low_usd", "high_usd"))
    assert low <= Decimal(ended["cost_usd"]) - Decimal(run["cost_usd"]) <= high
    assert ended["estimate"]["judge_calls"] == len(CASES)


async def test_answers_are_compared_afterwards(bench: Bench) -> None:
    run = await bench.desk.run(variants=bench.variants(bench.plain, bench.fancy))
    asked = len(bench.desk.server.received)

    response = await bench.desk.post(f"/runs/{run['id']}/rescore", comparers=[bench.comparer()])
    assert response.status_code == 200, response.text
    ended = await bench.desk.finish(run["id"])

    assert (ended["state"], ended["comparison_total"], ended["comparison_count"]) == (
        "completed",
        len(CASES),
        len(CASES),
    )
    assert {each["preference"] for each in await bench.comparisons(run["id"])} == {"b"}
    assert len(bench.desk.server.received) - asked == bench.asked == 2 * len(CASES)


async def test_failed_cells_are_not_requested_again(bench: Bench) -> None:
    bench.down = {"plain"}
    run = await bench.desk.run(variants=bench.variants(bench.plain, bench.fancy))
    assert run["error_count"] == len(CASES)
    bench.down = set()
    asked = len(bench.desk.server.received)

    await bench.desk.post(f"/runs/{run['id']}/rescore", scorers=[LENGTH])
    ended = await bench.desk.finish(run["id"])

    assert (ended["state"], ended["error_count"]) == ("completed", len(CASES))
    assert ended["score_count"] == len(CASES)
    assert len(bench.desk.server.received) == asked


async def test_a_run_is_scored_afterwards_more_than_once(desk: Desk) -> None:
    run = await desk.run()
    for scorer in (CONTAINS, LENGTH):
        response = await desk.post(f"/runs/{run['id']}/rescore", scorers=[scorer])
        assert response.status_code == 200, response.text
        await desk.finish(run["id"])

    ended = await desk.get(f"/runs/{run['id']}")
    assert [each["position"] for each in ended["scorers"]] == [0, 1]
    assert ended["variants"][0]["summary"]["scorers"].keys() == {"0", "1"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"scorers": [{"kind": "telepathy"}]}, "scorers.0.kind"),
        ({"scorers": [LENGTH, CONTAINS]}, "scorers.1"),
        ({"scorers": [LENGTH, LENGTH]}, "scorers.1"),
        ({"scorers": [LENGTH] * 20}, "scorers"),
        ({"comparers": [{"kind": "pairwise_judge", "options": {}}]}, "comparers.0"),
        ({"scorers": [{"kind": "judge", "options": {"model_id": "x"}}]}, "scorers.0.options"),
    ],
)
async def test_bad_requests_name_their_field_and_change_nothing(
    desk: Desk, body: dict[str, Any], field: str
) -> None:
    run = await desk.run(scorers=[CONTAINS])

    for path in ("rescore", "rescore/estimate"):
        response = await desk.post(f"/runs/{run['id']}/{path}", **body)
        assert response.status_code == 400, response.text
        assert any(each.startswith(field) for each in fields_of(response)), response.text

    after = await desk.get(f"/runs/{run['id']}")
    assert (after["state"], after["last_number"]) == ("completed", run["last_number"])


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"state": "scoring"}, "CONFLICT"),
        ({"state": "cancelled"}, "CONFLICT"),
        ({"origin": IMPORTED}, "RUN_IS_IMPORTED"),
        ({"scope_ids": ["0190b3a4-0000-7000-8000-000000000000"]}, "RUN_IS_MEASURED"),
    ],
)
async def test_runs_that_cannot_be_scored_afterwards_are_refused(
    desk: Desk, values: dict[str, Any], code: str
) -> None:
    run = await desk.run()
    async with desk.app.state.database.write() as session:
        await session.execute(update(Run).where(Run.id == UUID(run["id"])).values(**values))

    for path in ("rescore", "rescore/estimate"):
        response = await desk.post(f"/runs/{run['id']}/{path}", scorers=[LENGTH])
        assert response.status_code == 409, response.text
        assert error_of(response)["code"] == code
    found = await desk.get(f"/runs/{run['id']}")
    assert (found["scorer_count"], "rescore" in found["actions"]) == (0, False)


async def test_a_replay_is_refused(desk: Desk) -> None:
    run = await desk.run()
    replay = await desk.finish((await desk.post(f"/runs/{run['id']}/replay")).json()["id"])

    response = await desk.post(f"/runs/{replay['id']}/rescore", scorers=[LENGTH])
    assert (response.status_code, error_of(response)["code"]) == (409, "RUN_IS_REPLAY")


async def test_an_exhausted_budget_refuses_judges_but_not_free_scorers(bench: Bench) -> None:
    desk = bench.desk
    run = await desk.run(variants=bench.variants(bench.plain))
    await exhaust_budget(desk.app, desk.dataset.project.id)

    response = await desk.post(f"/runs/{run['id']}/rescore", scorers=[judge(bench)])
    assert response.status_code == 402, response.text
    assert (await desk.get(f"/runs/{run['id']}"))["scorer_count"] == 0
    assert bench.asked == 0

    response = await desk.post(f"/runs/{run['id']}/rescore", scorers=[LENGTH])
    assert response.status_code == 200, response.text
    assert (await desk.finish(run["id"]))["score_count"] == len(CASES)


async def test_a_judge_that_fails_leaves_scores_without_a_value(bench: Bench) -> None:
    run = await bench.desk.run(variants=bench.variants(bench.plain))
    bench.down = {"judge"}

    await bench.desk.post(f"/runs/{run['id']}/rescore", scorers=[judge(bench)])
    ended = await bench.desk.finish(run["id"])

    assert (ended["state"], ended["score_count"]) == ("completed", len(CASES))
    cells = await bench.desk.cells(run["id"])
    assert {each["scores"][0]["value"] for each in cells} == {None}
