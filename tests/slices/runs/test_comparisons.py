"""Answers to the same case are compared with each other, and stored with the run."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import pytest
from sqlalchemy import delete, select, update

from edison.kit import clock
from edison.pipeline.score.comparer import Compared, Winner
from edison.runs.fill.aggregate import aggregate_run
from edison.runs.read.comparisons import list_shown_pairs
from edison.runs.store.batch import STORE_COMPARISON
from edison.runs.store.models import Comparison, Output, Run
from edison.runs.store.rows import restore_output
from edison.runs.store.types import NewComparison
from tests.slices.runs.conftest import CASES, Desk
from tests.slices.runs.judging import Bench, open_bench
from tests.support.browser import error_of


@pytest.fixture
async def bench(desk: Desk) -> Bench:
    return await open_bench(desk)


async def test_all_pairs_of_a_case_are_compared_in_both_orders(bench: Bench) -> None:
    bench.biased, bench.chatty = {"number 3"}, {"number 4"}
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy, bench.plain),
        comparers=[bench.comparer(label="Taste")],
    )

    assert run["state"] == "completed", run["message"]
    assert (run["comparison_total"], run["comparison_count"]) == (18, 18)
    assert [(each["label"], each["baseline"]) for each in run["comparers"]] == [("Taste", None)]
    found = await bench.comparisons(run["id"])
    pairs = [(each["case_position"], each["variant_a"], each["variant_b"]) for each in found]
    assert sorted(pairs) == [(case, a, b) for case in range(6) for a, b in ((0, 1), (0, 2), (1, 2))]
    of_first = [
        (each["preference"], each["verdict_ab"], each["verdict_ba"], each["flag"])
        for each in found
        if (each["variant_a"], each["variant_b"]) == (0, 1)
    ]
    liked, torn, lost = ("b", "b", "b", None), ("tie", "a", "b", "orders_disagree"), None
    assert of_first[:4] == [liked, liked, liked, torn]
    assert of_first[4] == (lost, None, None, "judge_unreadable")
    same = [each for each in found if (each["variant_a"], each["variant_b"]) == (0, 2)]
    assert {(each["preference"], each["flag"], each["cost_usd"]) for each in same} == {
        ("tie", None, "0.00")
    }
    # Two pairs of each case with different answers, in both orders, and a repair where it is
    # unreadable.
    assert bench.asked == 2 * 2 * len(CASES) + 4
    one = next(each for each in found if each["case_position"] == 0 and each["variant_b"] == 1)
    assert [order["shown_first"] for order in one["orders"]] == ["a", "b"]
    assert [order["reasons"] for order in one["orders"]] == [["Nicer."], ["Nicer."]]
    assert one["judge_text"] == "pairwise-1"
    assert one["output_a_id"] in {cell["id"] for cell in await bench.desk.cells(run["id"])}
    async with bench.desk.app.state.database.read() as session:
        shown = await list_shown_pairs(session, run_id=UUID(run["id"]))
    by_case = {
        case: [
            (each.first, each.second, each.outcome) for each in shown if each.case_position == case
        ]
        for case in (0, 3, 4)
    }
    same = [(0, 2, 0), (2, 0, 0)]
    assert by_case[0] == [(0, 1, -1), (1, 0, 1), *same, (1, 2, 1), (2, 1, -1)]
    assert by_case[3] == [(0, 1, 1), (1, 0, 1), *same, (1, 2, 1), (2, 1, 1)]
    assert by_case[4] == same
    ledger = await bench.desk.ledger()
    assert sum(Decimal(entry["cost_usd"]) for entry in ledger) == Decimal(run["cost_usd"]) > 0


async def test_with_a_baseline_all_others_are_compared_with_it(bench: Bench) -> None:
    request = {
        "variants": bench.variants(bench.plain, bench.fancy, bench.plain),
        "comparers": [bench.comparer(baseline=1)],
    }
    response = await bench.desk.post("/runs/estimate", **bench.desk.body(**request))
    assert response.status_code == 200, response.text
    assert response.json()["judge_calls"] == 2 * 2 * len(CASES)
    assert "judge is asked up to 24 times" in str(response.json())

    run = await bench.desk.run(**request)
    found = await bench.comparisons(run["id"], case_position=2)
    assert [(each["variant_a"], each["variant_b"], each["preference"]) for each in found] == [
        (0, 1, "b"),
        (1, 2, "a"),
    ]
    assert run["comparison_count"] == 12


async def test_a_failed_cell_is_not_compared_until_it_is_rerun(bench: Bench) -> None:
    bench.down = {"fancy"}
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    assert (run["state"], run["comparison_count"], bench.asked) == ("completed", 6, 0)
    found = await bench.comparisons(run["id"])
    assert {(each["preference"], each["flag"]) for each in found} == {(None, "no_answer")}

    bench.down = set()
    response = await bench.desk.post(f"/runs/{run['id']}/retry")
    assert response.status_code == 200, response.text
    ended = await bench.desk.finish(run["id"])
    assert (ended["state"], ended["comparison_count"], bench.asked) == ("completed", 6, 12)
    assert {each["preference"] for each in await bench.comparisons(run["id"])} == {"b"}


async def test_only_a_rerun_cell_is_compared_again(bench: Bench) -> None:
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    before = {each["id"]: each for each in await bench.comparisons(run["id"])}
    cell = (await bench.desk.cells(run["id"]))[1]
    asked = bench.asked

    response = await bench.desk.post(f"/outputs/{cell['id']}/rerun")
    assert response.status_code == 200, response.text
    ended = await bench.desk.finish(run["id"])

    after = {each["id"]: each for each in await bench.comparisons(run["id"])}
    assert (ended["state"], ended["comparison_count"]) == ("completed", 6)
    assert len(before.keys() & after.keys()) == 5
    (gone,), (new,) = before.keys() - after.keys(), after.keys() - before.keys()
    assert before[gone]["case_position"] == after[new]["case_position"] == 0
    # The answer is the same as before, so the verdict is cached.
    assert bench.asked == asked


async def test_a_comparison_of_a_replaced_answer_is_dropped(bench: Bench) -> None:
    """As when the cell is re-run while the judge is still working."""
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    database, batch_writer = bench.desk.app.state.database, bench.desk.app.state.batch_writer
    async with database.write() as session:
        old = await session.scalar(select(Comparison).where(Comparison.case_position == 2))
        assert old is not None
        a = await session.get_one(Output, old.output_a_id)
        b = await session.get_one(Output, old.output_b_id)
        new = NewComparison(
            id=old.id,
            comparer_position=old.comparer_position,
            a=restore_output(a),
            b=restore_output(b),
            compared=Compared(preference=Winner.A),
            answers={},
            charged_nanos=0,
            created_at=old.created_at,
        )
        await session.delete(old)

    stale = replace(new, a=replace(new.a, created_at=clock.now()))
    assert not await batch_writer.record(STORE_COMPARISON, stale)
    assert len(await bench.comparisons(run["id"])) == 5
    assert await batch_writer.record(STORE_COMPARISON, new)
    assert len(await bench.comparisons(run["id"])) == 6


async def test_a_replay_compares_stored_answers(bench: Bench) -> None:
    bench.biased = {"number 1"}
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    received = len(bench.desk.server.received)

    response = await bench.desk.post(f"/runs/{run['id']}/replay")
    assert response.status_code == 201, response.text
    replay = await bench.desk.finish(response.json()["id"])
    same = await bench.desk.get(f"/runs/{replay['id']}/replay-comparison")

    assert len(bench.desk.server.received) == received
    assert (replay["state"], replay["comparison_count"]) == ("completed", 6)
    assert Decimal(replay["cost_usd"]) == 0
    assert same == {
        "is_identical": True,
        "outputs_compared": 12,
        "scores_compared": 0,
        "differing_outputs": 0,
        "differing_scores": 0,
        "comparisons_compared": 6,
        "differing_comparisons": 0,
    }


async def test_a_run_makes_exactly_its_missing_comparisons(bench: Bench) -> None:
    """As after a crash between the answers and their comparisons."""
    run = await bench.desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    before = {each["id"]: each["case_position"] for each in await bench.comparisons(run["id"])}
    lost = [UUID(each) for each, position in before.items() if position in (1, 4)]
    database = bench.desk.app.state.database
    async with database.write() as session:
        await session.execute(delete(Comparison).where(Comparison.id.in_(lost)))
        await session.execute(update(Run).where(Run.id == UUID(run["id"])).values(state="scoring"))

    await aggregate_run(database, UUID(run["id"]))
    ended = await bench.desk.finish(run["id"])

    after = {each["id"]: each["case_position"] for each in await bench.comparisons(run["id"])}
    assert (ended["state"], ended["comparison_count"]) == ("completed", 6)
    assert sorted(after.values()) == list(range(6))
    assert len(before.keys() & after.keys()) == 4
    assert ended["cost_usd"] == run["cost_usd"]


async def test_invalid_comparers_are_refused_before_the_run(bench: Bench) -> None:
    body = bench.desk.body(
        comparers=[
            bench.comparer(baseline=1),
            {"kind": "coin", "options": {}},
            {"kind": "pairwise_judge", "options": {"criteria": []}},
        ]
    )
    response = await bench.desk.post("/runs", **body)
    assert response.status_code == 400
    found = {(each["field"], each["code"]) for each in error_of(response)["details"]}
    few = {(f"comparers.{at}", "too_few_variants") for at in range(3)}
    assert found == few | {
        ("comparers.0.baseline", "unknown_variant"),
        ("comparers.1.kind", "unknown_comparer"),
        ("comparers.2.options.model_id", "missing"),
        ("comparers.2.options.criteria", "value_error"),
    }


async def test_the_kinds_of_comparers_come_with_their_forms(desk: Desk) -> None:
    (kind,) = await desk.get("/comparers/kinds")
    assert (kind["kind"], kind["cost_class"]) == ("pairwise_judge", "llm_call")
    assert kind["options_schema"]["properties"]["model_id"]["x-choose"] == "model"
