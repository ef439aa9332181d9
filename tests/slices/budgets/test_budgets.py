"""Budgets: limits, resets, and refusals at the limit."""

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.db.session import Database
from edison.kit.errors import Exhausted
from edison.pipeline.generate.path.ports import Intent, Reservation
from edison.workspace.budgets import service
from edison.workspace.budgets.errors import BudgetExhausted, PriceUnknown
from edison.workspace.budgets.models import Budget
from edison.workspace.events.models import Event
from edison.workspace.notifications.models import Notification
from tests.conftest import TurnableClock
from tests.slices.budgets.conftest import URL, Spender, intent
from tests.support.browser import error_of, fields_of


async def test_without_a_budget_nothing_is_limited(spender: Spender) -> None:
    await spender.spend(1_000_000)
    assert len(await spender.entries()) == 1


async def test_money_is_reserved_then_charged(spender: Spender) -> None:
    await spender.limit("10")
    reservation = await spender.ledger.reserve(intent(4_000_000_000))
    assert await spender.amounts() == ("0.00", "4.00", "open")
    await spender.charge(reservation, 1_500_000_001)
    assert await spender.amounts() == ("1.500000001", "0.00", "open")


async def test_a_call_that_could_pass_the_limit_is_refused(spender: Spender) -> None:
    await spender.limit("10")
    await spender.spend(6)
    with pytest.raises(BudgetExhausted):
        await spender.ledger.reserve(intent(4_000_000_001))
    assert await spender.amounts() == ("6.00", "0.00", "open")
    assert len(await spender.entries()) == 1
    await spender.spend(4)
    assert await spender.amounts() == ("10.00", "0.00", "exhausted")


async def test_an_exhausted_budget_is_checked_again(spender: Spender, app: FastAPI) -> None:
    async def is_short() -> bool:
        async with app.state.database.write() as session:
            return await service.is_still_short(session, refused.value)

    budget_id = await spender.limit("1")
    with pytest.raises(BudgetExhausted) as refused:
        await spender.ledger.reserve(intent(2_000_000_000))
    assert await is_short()
    await spender.ada.patch(f"{URL}/budgets/{budget_id}", json={"limit_usd": "1.99"})
    assert await is_short()
    await spender.ada.patch(f"{URL}/budgets/{budget_id}", json={"limit_usd": "2"})
    assert not await is_short()
    await spender.spend(0.5)
    assert await is_short()
    await spender.ada.delete(f"{URL}/budgets/{budget_id}")
    assert not await is_short()


async def test_a_reservation_is_taken_from_every_budget_or_from_none(spender: Spender) -> None:
    await spender.limit("10")
    await spender.limit("1", period="day")
    with pytest.raises(BudgetExhausted):
        await spender.ledger.reserve(intent(2_000_000_000))
    assert [budget["reserved_usd"] for budget in await spender.budgets()] == ["0.00", "0.00"]
    await spender.spend(0.5)
    assert [budget["spent_usd"] for budget in await spender.budgets()] == ["0.50", "0.50"]


async def test_an_unknown_price_is_asked_for_before_a_budget_is_touched(spender: Spender) -> None:
    await spender.limit("10")
    with pytest.raises(PriceUnknown, match="gpt-x"):
        await spender.ledger.reserve(intent(None))
    assert await spender.entries() == []


async def test_a_day_budget_resets_at_midnight(
    spender: Spender, turnable_clock: TurnableClock
) -> None:
    await spender.limit("1", period="day")
    await spender.spend(1)
    assert await spender.amounts() == ("1.00", "0.00", "exhausted")
    turnable_clock.advance(days=1)
    assert await spender.amounts() == ("0.00", "0.00", "open")
    await spender.spend(0.25)
    assert await spender.amounts() == ("0.25", "0.00", "open")


async def test_calls_in_progress_at_midnight_count_for_the_new_day(
    spender: Spender, turnable_clock: TurnableClock
) -> None:
    await spender.limit("1", period="day")
    reservation = await spender.ledger.reserve(intent(1_000_000_000))
    turnable_clock.advance(days=1)
    with pytest.raises(BudgetExhausted):
        await spender.ledger.reserve(intent(1))
    await spender.charge(reservation, 400_000_000)
    assert await spender.amounts() == ("0.40", "0.00", "open")


async def test_a_rolling_budget_covers_thirty_days(
    spender: Spender, app: FastAPI, turnable_clock: TurnableClock
) -> None:
    await spender.limit("1", period="rolling_30_days")
    await spender.spend(0.6)
    turnable_clock.advance(days=20)
    await spender.spend(0.4)
    turnable_clock.advance(days=9)
    with pytest.raises(BudgetExhausted):
        await spender.ledger.reserve(intent(1))
    turnable_clock.advance(days=1)
    await spender.spend(0.1)
    # By now Ada would have to sign in again.
    async with app.state.database.read() as session:
        assert await session.scalar(select(Budget.spent_nanos)) == 500_000_000


async def test_reaching_the_threshold_is_announced_once(spender: Spender, app: FastAPI) -> None:
    budget_id = await spender.limit("1", threshold=0.5)
    for _ in range(3):
        await spender.spend(0.3)
    assert (await spender.amounts())[2] == "alert"
    async with app.state.database.read() as session:
        found = (await session.scalars(select(Event).where(Event.kind == "budget.alert"))).all()
        told = (await session.scalars(select(Notification))).all()
    assert [event.data for event in found] == [{"entity_id": budget_id}]
    assert [(each.kind, str(each.entity_id), each.title) for each in told] == [
        ("budget_alert", budget_id, "60% of the budget for the project is spent")
    ]


@pytest.mark.parametrize(("limit", "threshold"), [("10", 0.8), ("3", 0.07), ("10", 0.55)])
async def test_a_threshold_that_is_exactly_reached_is_announced(
    spender: Spender, app: FastAPI, limit: str, threshold: float
) -> None:
    await spender.limit(limit, threshold=threshold)
    reached = Decimal(limit) * Decimal(str(threshold))
    await spender.spend(float(reached - Decimal("0.01")))
    assert (await spender.amounts())[2] == "open"
    await spender.spend(0.01)
    assert (await spender.amounts())[2] == "alert"
    async with app.state.database.read() as session:
        events = (await session.scalars(select(Event).where(Event.kind == "budget.alert"))).all()
    assert len(events) == 1


async def test_charging_a_reservation_twice_counts_once(spender: Spender) -> None:
    await spender.limit("10")
    reservation = await spender.ledger.reserve(intent(4_000_000_000))
    await spender.charge(reservation, 1_000_000_000)
    await spender.charge(reservation, 1_000_000_000)
    assert await spender.amounts() == ("1.00", "0.00", "open")
    await spender.charge(reservation, 3_000_000_000)
    (entry,) = await spender.entries()
    assert (await spender.amounts())[:2] == (entry["cost_usd"], "0.00")


async def test_reservations_of_a_dead_process_stay_charged(spender: Spender, app: FastAPI) -> None:
    await spender.limit("10")
    await spender.ledger.reserve(intent(3_000_000_000))
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)
    assert await spender.amounts() == ("3.00", "0.00", "open")


async def test_a_cancelled_reservation_is_released(
    spender: Spender,
) -> None:
    await spender.limit("10")
    reserving = asyncio.create_task(spender.ledger.reserve(intent(4_000_000_000)))
    await asyncio.sleep(0)
    reserving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reserving
    await spender.batch_writer.flush()
    await spender.batch_writer.flush()
    assert await spender.amounts() == ("0.00", "0.00", "open")
    assert [(each["state"], each["failure"]) for each in await spender.entries()] == [
        ("released", "cancelled")
    ]


async def test_a_budget_deleted_during_a_call_stops_nothing(spender: Spender) -> None:
    budget_id = await spender.limit("10")
    reservation = await spender.ledger.reserve(intent(1_000_000_000))
    assert (await spender.ada.delete(f"{URL}/budgets/{budget_id}")).status_code == 204
    await spender.charge(reservation, 5)
    assert (await spender.entries())[0]["cost_usd"] == "0.000000005"


async def test_raising_the_limit_lets_calls_through_again(spender: Spender) -> None:
    budget_id = await spender.limit("1")
    await spender.spend(1)
    raised = await spender.ada.patch(f"{URL}/budgets/{budget_id}", json={"limit_usd": "2"})
    assert raised.json()["state"] == "open"
    await spender.spend(1)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"period", "limit_usd"}),
        ({"period": "year", "limit_usd": "1"}, {"period"}),
        ({"period": "day", "limit_usd": "-1"}, {"limit_usd"}),
        ({"period": "day", "limit_usd": "0.0000000001"}, {"limit_usd"}),
        ({"period": "day", "limit_usd": "NaN"}, {"limit_usd"}),
        ({"period": "day", "limit_usd": "1", "alert_threshold": 1.1}, {"alert_threshold"}),
        ({"period": "day", "limit_usd": "1", "scope": "moon"}, {"scope"}),
    ],
)
async def test_a_bad_budget_names_its_field(
    spender: Spender, body: dict[str, Any], fields: set[str]
) -> None:
    assert fields_of(await spender.ada.post(f"{URL}/budgets", json=body)) == fields
    assert await spender.budgets() == []


async def test_one_budget_per_period(spender: Spender) -> None:
    await spender.limit("1")
    response = await spender.ada.post(f"{URL}/budgets", json={"period": "total", "limit_usd": "2"})
    assert (response.status_code, error_of(response)["code"]) == (409, "DUPLICATE_BUDGET")


async def race(spender: Spender, starts: int) -> int:
    """The number of concurrent reservations that were accepted."""
    results = await asyncio.gather(
        *(spender.ledger.reserve(intent(1_000_000_000)) for _ in range(starts)),
        return_exceptions=True,
    )
    assert all(not isinstance(r, Exception) or isinstance(r, Exhausted) for r in results)
    return sum(not isinstance(result, BaseException) for result in results)


async def test_of_200_concurrent_reservations_only_as_many_as_fit_succeed(spender: Spender) -> None:
    await spender.limit("10")
    assert await race(spender, 200) == 10
    assert await spender.amounts() == ("0.00", "10.00", "open")


class CheckThenAdd:
    """The mutant checks and writes in separate steps."""

    def __init__(self, database: Database, budget_id: str) -> None:
        self._database = database
        self._budget_id = UUID(budget_id)

    async def reserve(self, intent: Intent) -> Reservation:
        amount = intent.worst_case_nanos or 0
        async with self._database.read() as session:
            budget = await session.get_one(Budget, self._budget_id)
        if budget.spent_nanos + budget.reserved_nanos + amount > budget.limit_nanos:
            raise BudgetExhausted(budget_id=self._budget_id)
        async with self._database.write() as session:
            row = await session.get_one(Budget, self._budget_id, with_for_update=True)
            row.reserved_nanos += amount
        return cast("Reservation", None)


async def test_the_race_detects_a_ledger_that_checks_then_adds(
    spender: Spender, app: FastAPI
) -> None:
    budget_id = await spender.limit("10")
    wrong = replace(spender, ledger=CheckThenAdd(app.state.database, budget_id))
    assert await race(wrong, 200) > 10
