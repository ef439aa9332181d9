"""Daily cost, the state of budgets, and projections."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.kit import ids
from edison.workspace.budgets.models import Budget, BudgetDay
from tests.conftest import TurnableClock
from tests.factories.ledger import add_entry
from tests.factories.runs import add_run
from tests.slices.budgets.conftest import URL, Spender
from tests.support.browser import Browser, fields_of

DOLLAR = 1_000_000_000


@pytest.fixture
def at_noon(turnable_clock: TurnableClock) -> TurnableClock:
    """Today at noon, so that a test may go back some hours without changing the day."""
    turnable_clock.time = turnable_clock.time.replace(hour=12, minute=0, second=0)
    return turnable_clock


async def project_of(ada: Browser) -> UUID:
    return UUID((await ada.get(URL)).json()["id"])


async def read(spender: Spender, path: str, **query: str) -> dict[str, Any]:
    response = await spender.ada.get(f"{URL}/budgets/{path}", params=query)
    assert response.status_code == 200, response.text
    return dict(response.json())


async def test_cost_and_tokens_are_told_apart_by_run_and_by_what_started_it(
    spender: Spender, app: FastAPI, at_noon: TurnableClock
) -> None:
    project_id = await project_of(spender.ada)
    async with app.state.database.write() as session:
        run = await add_run(session, project_id, name="Check", origin="monitor")
        gone = ids.new_id()
        for run_id, count in ((run.id, 3), (gone, 2), (None, 1)):
            for _ in range(count):
                entry = add_entry(session, project_id, run_id=run_id)
                entry.input_tokens, entry.output_tokens = 100, 10
    by_run = await read(spender, "spending", by="run")
    assert [
        (each["name"], each["run_id"], each["calls"], each["input_tokens"], each["cost_usd"])
        for each in by_run["groups"]
    ] == [
        ("Check", str(run.id), 3, 300, "3.00"),
        (None, str(gone), 2, 200, "2.00"),
        (None, None, 1, 100, "1.00"),
    ]
    by_origin = await read(spender, "spending", by="origin")
    assert [(each["name"], each["output_tokens"]) for each in by_origin["groups"]] == [
        ("monitor", 30),
        ("deleted", 20),
        ("outside", 10),
    ]
    file = await spender.ada.get(f"{URL}/budgets/spending/export", params={"by": "origin"})
    assert file.text.splitlines()[:2] == [
        "name,run_id,simulated,calls,input_tokens,output_tokens,cost_usd",
        "monitor,,False,3,300,30,3.00",
    ]


async def test_every_day_is_there_and_each_has_its_sum(
    spender: Spender, app: FastAPI, at_noon: TurnableClock
) -> None:
    project_id = await project_of(spender.ada)
    midnight = at_noon.time.replace(hour=0)
    async with app.state.database.write() as session:
        for at in (
            midnight,
            midnight - timedelta(microseconds=1),
            midnight - timedelta(days=1),
            midnight - timedelta(days=2, microseconds=1),
        ):
            add_entry(session, project_id, at=at)
    spent = await read(spender, "spending", days="3")
    today = midnight.date()
    assert spent["days"] == [str(today - timedelta(days=ago)) for ago in (2, 1, 0)]
    assert spent["series"] == [
        {
            "name": None,
            "is_simulated": False,
            "total_usd": "3.00",
            "costs_usd": ["0.00", "2.00", "1.00"],
        }
    ]
    assert spent["total_usd"] == "3.00"


async def test_only_the_dearest_models_have_a_series_of_their_own(
    spender: Spender, app: FastAPI, at_noon: TurnableClock
) -> None:
    project_id = await project_of(spender.ada)
    async with app.state.database.write() as session:
        for number in range(1, 9):
            add_entry(
                session,
                project_id,
                at=at_noon.time,
                model=f"m{number}",
                purpose="even" if number % 2 == 0 else "odd",
                cost_nanos=number * DOLLAR,
            )
    by_model = await read(spender, "spending", days="1", by="model")
    assert [(each["name"], each["total_usd"]) for each in by_model["series"]] == [
        ("m8", "8.00"),
        ("m7", "7.00"),
        ("m6", "6.00"),
        ("m5", "5.00"),
        ("m4", "4.00"),
        ("m3", "3.00"),
        (None, "3.00"),
    ]
    by_purpose = await read(spender, "spending", days="1", by="purpose")
    assert [(each["name"], each["costs_usd"]) for each in by_purpose["series"]] == [
        ("even", ["20.00"]),
        ("odd", ["16.00"]),
    ]


async def test_nothing_spent_is_a_list_of_empty_days(spender: Spender) -> None:
    spent = await read(spender, "spending")
    assert len(spent["days"]) == 30
    assert (spent["series"], spent["total_usd"]) == ([], "0.00")
    assert fields_of(
        await spender.ada.get(f"{URL}/budgets/spending", params={"days": 91, "by": "moon"})
    ) == {"days", "by"}


async def test_the_budget_nearest_to_its_limit_determines_the_project_state(
    spender: Spender,
) -> None:
    assert await read(spender, "state") == {"state": "unlimited", "budget": None}
    await spender.limit("10")
    await spender.limit("4", period="day")
    await spender.limit("100", period="rolling_30_days", threshold=0.01)
    await spender.spend(0.5)
    state = await read(spender, "state")
    assert (state["state"], state["budget"]["period"]) == ("open", "day")
    await spender.spend(0.5)
    state = await read(spender, "state")
    assert (state["state"], state["budget"]["period"]) == ("alert", "rolling_30_days")


async def test_a_rolling_window_moves_without_calls(
    spender: Spender, app: FastAPI, at_noon: TurnableClock
) -> None:
    budget_id = UUID(await spender.limit("10", period="rolling_30_days"))
    today = at_noon.time.date()
    async with app.state.database.write() as session:
        budget = await session.get_one(Budget, budget_id)
        budget.spent_nanos, budget.window_day = 3 * DOLLAR, today - timedelta(days=1)
        for days_ago, dollars in ((30, 1), (29, 2)):
            day = today - timedelta(days=days_ago)
            session.add(BudgetDay(budget_id=budget_id, day=day, spent_nanos=dollars * DOLLAR))
    assert (await spender.amounts())[0] == "2.00"


async def test_a_total_burns_down_by_the_day(spender: Spender, at_noon: TurnableClock) -> None:
    budget_id = await spender.limit("10")
    await spender.spend(1)
    at_noon.advance(days=2)
    await spender.spend(3)
    course = await read(spender, f"{budget_id}/burn-down")
    assert course["step"] == "day"
    assert [point["spent_usd"] for point in course["points"]] == ["0.00", "1.00", "1.00", "4.00"]
    # Four dollars in two days: the other six last three days.
    assert course["usd_per_day"] == "2.00"
    assert datetime.fromisoformat(course["used_up_at"]) == at_noon.time + timedelta(days=3)
    assert course["budget"]["spent_usd"] == "4.00"
    assert course["projection"][0] == course["points"][-1]
    assert course["projection"][-1]["spent_usd"] == "10.00"


async def test_a_day_burns_down_by_the_hour(spender: Spender, at_noon: TurnableClock) -> None:
    at_noon.advance(hours=-6)
    budget_id = await spender.limit("10", period="day")
    await spender.spend(1)
    at_noon.advance(hours=6)
    await spender.spend(2)
    course = await read(spender, f"{budget_id}/burn-down")
    assert course["step"] == "hour"
    spent = [point["spent_usd"] for point in course["points"]]
    assert spent == ["0.00"] * 7 + ["1.00"] * 5 + ["3.00"]
    # Half a dollar per hour for the remaining twelve hours: it resets before it is used up.
    assert (course["usd_per_day"], course["used_up_at"]) == ("12.00", None)
    assert course["projection"][-1]["spent_usd"] == "9.00"


async def test_an_experiments_day_counts_only_its_own_calls(
    spender: Spender, app: FastAPI, at_noon: TurnableClock, experiment: UUID
) -> None:
    project_id = await project_of(spender.ada)
    at_noon.advance(hours=-2)
    body = {"scope": "experiment", "scope_id": str(experiment), "period": "day", "limit_usd": "5"}
    budget = (await spender.ada.post(f"{URL}/budgets", json=body)).json()
    at_noon.advance(hours=2)
    async with app.state.database.write() as session:
        add_entry(session, project_id, at=at_noon.time - timedelta(minutes=90))
        add_entry(
            session,
            project_id,
            at=at_noon.time - timedelta(minutes=90),
            cost_nanos=DOLLAR // 4,
            budget_ids=[budget["id"]],
        )
        (await session.get_one(Budget, UUID(budget["id"]))).spent_nanos = DOLLAR // 4
    course = await read(spender, f"{budget['id']}/burn-down")
    assert [point["spent_usd"] for point in course["points"]][-3:] == ["0.00", "0.25", "0.25"]
