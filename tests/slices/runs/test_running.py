"""Runs from their request to their results."""

from decimal import Decimal

from tests.slices.runs.conftest import CASES, Desk


async def test_a_run_asks_every_variant_about_every_case(desk: Desk) -> None:
    run = await desk.run(variants=[desk.variant(), desk.variant(parameters={"max_tokens": 50})])

    assert run["state"] == "completed", run["message"]
    assert (run["cell_count"], run["done_count"], run["error_count"]) == (12, 12, 0)
    assert run["name"] == f"Reply on {run['dataset_name']}"
    rows = await desk.rows(run["id"])
    assert [row["inputs"] for row in rows] == CASES
    assert {cell["preview"] for row in rows for cell in row["cells"]} == {"It is on its way."}
    assert len(desk.server.received) == 12
    assert [variant["done_count"] for variant in run["variants"]] == [6, 6]


async def test_the_cost_is_the_sum_of_the_ledger(desk: Desk) -> None:
    run = await desk.run()

    ledger = await desk.ledger()
    assert {entry["state"] for entry in ledger} == {"settled"}
    assert sum(Decimal(entry["cost_usd"]) for entry in ledger) == Decimal(run["cost_usd"]) > 0


async def test_answers_are_scored_at_once(desk: Desk) -> None:
    run = await desk.run(
        scorers=[
            {"kind": "contains", "options": {"phrases": ["way"]}},
            {"kind": "contains", "options": {"phrases": ["nowhere"]}},
        ]
    )

    assert run["state"] == "completed", run["message"]
    assert run["score_count"] == 12
    assert run["variants"][0]["summary"]["scorers"] == {"0": 1.0, "1": 0.0}
    assert run["score"] == 0.5
    scores = [[score["value"] for score in cell["scores"]] for cell in await desk.cells(run["id"])]
    assert scores == [[1.0, 0.0]] * 6


async def test_the_second_run_is_answered_from_the_cache_for_free(desk: Desk) -> None:
    await desk.run()
    second = await desk.run()

    assert len(desk.server.received) == 6
    assert second["cached_count"] == 6
    assert float(second["cost_usd"]) == 0
