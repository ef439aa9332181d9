"""Simulated dollars: counted apart, and in no budget that does not ask for them."""

from dataclasses import replace
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.pipeline.generate.path.ports import AttemptCost
from edison.workspace.budgets import service
from edison.workspace.budgets.errors import BudgetExhausted, PriceUnknown
from edison.workspace.budgets.types import Need
from tests.slices.budgets.conftest import URL, Spender, intent

DOLLAR = 1_000_000_000


async def simulate(spender: Spender, nanos: int) -> None:
    wanted = replace(intent(nanos), provider="sim", is_simulated=True)
    await spender.charge(await spender.ledger.reserve(wanted), nanos)


async def test_simulated_dollars_use_up_no_budget_and_raise_no_alert(spender: Spender) -> None:
    await spender.limit("1", threshold=0.5)
    await simulate(spender, 3 * DOLLAR)
    assert await spender.amounts() == ("0.00", "0.00", "open")
    assert (await spender.ada.get("/api/v1/notifications")).json()["items"] == []
    totals = (await spender.ada.get(f"{URL}/ledger/totals")).json()
    assert (totals["cost_usd"], totals["simulated_usd"]) == ("0.00", "3.00")
    (entry,) = await spender.entries()
    assert (entry["is_simulated"], entry["cost_usd"]) == (True, "3.00")
    spending = (await spender.ada.get(f"{URL}/budgets/spending?days=7&by=day")).json()
    assert (spending["total_usd"], spending["simulated_usd"]) == ("0.00", "3.00")
    assert [each["is_simulated"] for each in spending["series"]] == [True]


async def test_a_budget_may_count_them(spender: Spender) -> None:
    budget = await spender.limit("1")
    changed = await spender.ada.patch(f"{URL}/budgets/{budget}", json={"counts_simulated": True})
    assert changed.json()["counts_simulated"] is True
    await simulate(spender, DOLLAR)
    assert await spender.amounts() == ("1.00", "0.00", "exhausted")
    with pytest.raises(BudgetExhausted):
        await simulate(spender, 1)


@pytest.mark.parametrize("counts_simulated", [False, True])
@pytest.mark.parametrize(
    ("need", "is_refused", "is_refused_if_counted"),
    [
        (Need(real_nanos=DOLLAR), False, False),
        (Need(real_nanos=DOLLAR + 1), True, True),
        (Need(real_nanos=None, simulated_nanos=5 * DOLLAR), False, True),
        (Need(real_nanos=1, simulated_nanos=DOLLAR), False, True),
        (Need(real_nanos=None, simulated_nanos=DOLLAR), False, False),
    ],
)
async def test_a_start_is_checked_against_the_dollars_that_count(
    spender: Spender,
    app: FastAPI,
    need: Need,
    is_refused: bool,
    is_refused_if_counted: bool,
    counts_simulated: bool,
) -> None:
    budget = await spender.limit("1")
    await spender.ada.patch(f"{URL}/budgets/{budget}", json={"counts_simulated": counts_simulated})
    project_id = UUID((await spender.ada.get(URL)).json()["id"])
    refusals = []
    async with app.state.database.read() as session:
        try:
            await service.check_open(session, project_id=project_id, need=need)
        except BudgetExhausted as exhausted:
            refusals.append(exhausted.message)
    assert bool(refusals) == (is_refused_if_counted if counts_simulated else is_refused)


async def test_models_without_a_price_are_refused_by_name_where_a_budget_applies(
    spender: Spender, app: FastAPI
) -> None:
    project_id = UUID((await spender.ada.get(URL)).json()["id"])
    need = Need(unpriced=("Grader", "Judge"))
    async with app.state.database.read() as session:
        await service.check_open(session, project_id=project_id, need=need)
    await spender.limit("1")
    async with app.state.database.read() as session:
        with pytest.raises(PriceUnknown, match="prices of Grader and Judge are unknown"):
            await service.check_open(session, project_id=project_id, need=need)


async def test_a_timeout_that_was_charged_is_shown_as_such(spender: Spender) -> None:
    reservation = await spender.ledger.reserve(intent(DOLLAR))
    reservation.charge(AttemptCost(cost_nanos=DOLLAR, usage=None, failure="timeout"))
    released = await spender.ledger.reserve(intent(DOLLAR))
    released.charge(AttemptCost(cost_nanos=0, usage=None, failure="network", has_left=False))
    await spender.batch_writer.flush()
    assert {each["failure"]: each["is_unanswered"] for each in await spender.entries()} == {
        "timeout": True,
        "network": False,
    }
    totals = (await spender.ada.get(f"{URL}/ledger/totals")).json()
    assert (totals["unanswered_calls"], totals["unanswered_usd"]) == (1, "1.00")


async def test_messages_name_the_budget_what_is_left_what_was_needed_and_what_to_do(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("1", period="day")
    project_id = UUID((await spender.ada.get(URL)).json()["id"])
    async with app.state.database.read() as session:
        with pytest.raises(BudgetExhausted) as short:
            await service.check_open(
                session, project_id=project_id, need=Need(real_nanos=2 * DOLLAR)
            )
    assert short.value.message == (
        "The budget of the project ($1.00 per day) has $1.00 left, and this needs at least $2.00. "
        "Raise it under Budgets, choose less work, or wait until midnight UTC."
    )
