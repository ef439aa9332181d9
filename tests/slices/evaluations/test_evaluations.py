"""Evaluations through the API: a run with a cost limit that holds."""

from tests.slices.runs.conftest import Desk
from tests.support.browser import fields_of


async def test_an_evaluation_is_a_run_with_a_limit_of_its_own(desk: Desk) -> None:
    made = await desk.post(
        "/evaluations",
        run=desk.body(name="Nightly"),
        max_cost_usd="1",
        tags={"branch": "main"},
    )
    assert made.status_code == 201, made.text
    started = made.json()
    (run,) = started["runs"]
    await desk.until(run["id"], "completed")
    found = await desk.get(f"/evaluations/{started['id']}")
    assert found["is_waiting"]
    assert (found["name"], found["tags"]) == ("Nightly", {"branch": "main"})
    assert (found["done_count"], found["cell_count"]) == (6, 6)
    (budget,) = (await desk.get("/budgets"))["items"]
    assert (budget["scope"], budget["scope_id"]) == ("evaluation", started["id"])
    assert (await desk.get(f"/runs/{run['id']}"))["origin"] == "eval"


async def test_a_limit_below_the_estimate_starts_nothing(desk: Desk) -> None:
    refused = await desk.post("/evaluations", run=desk.body(), max_cost_usd="0.000001")
    assert refused.status_code == 402, refused.text
    assert (await desk.get("/runs"))["items"] == []
    assert (await desk.get("/budgets"))["items"] == []
    assert fields_of(await desk.post("/evaluations", run=desk.body(), max_cost_usd="0")) == {
        "max_cost_usd"
    }
