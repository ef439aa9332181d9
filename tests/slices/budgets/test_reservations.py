"""Reservations of many calls in one transaction: exact in any order, from all budgets or none, and
only while the run may continue.
"""

import asyncio
from collections.abc import Collection
from pathlib import Path
from uuid import UUID

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.heartbeat import Heartbeat, Replaced
from edison.jobs.models import WorkerProcess
from edison.kit import clock, ids
from edison.pipeline.generate.path.ports import AttemptCost
from edison.workspace.budgets import service
from edison.workspace.budgets.errors import BudgetExhausted, NotPermitted
from edison.workspace.budgets.ledger import LedgerReservation
from edison.workspace.budgets.models import Budget
from edison.workspace.budgets.types import LedgerAccount, Permit
from edison.workspace.projects.models import Project
from tests.slices.budgets.conftest import Spender, intent
from tests.support.databases import Databases
from tests.support.examples import run_example
from tests.support.thorough import rounds

DOLLAR = 1_000_000_000


async def test_a_refusal_states_whether_it_is_temporary(spender: Spender) -> None:
    budget_id = await spender.limit("10")
    under_way = await spender.ledger.reserve(intent(6 * DOLLAR))
    with pytest.raises(BudgetExhausted) as refused:
        await spender.ledger.reserve(intent(5 * DOLLAR))
    assert (refused.value.is_passing, str(refused.value.budget_id)) == (True, budget_id)
    await spender.charge(under_way, 6 * DOLLAR)
    with pytest.raises(BudgetExhausted) as refused:
        await spender.ledger.reserve(intent(5 * DOLLAR))
    assert (refused.value.is_passing, str(refused.value.budget_id)) == (False, budget_id)


async def test_a_batch_beyond_the_budget_reserves_as_many_calls_as_fit(spender: Spender) -> None:
    await spender.limit("10")
    await spender.limit("4", period="day")
    results = await asyncio.gather(
        *(spender.ledger.reserve(intent(amount * DOLLAR)) for amount in (3, 2, 1, 1)),
        return_exceptions=True,
    )
    assert [isinstance(result, BudgetExhausted) for result in results] == [False, True, False, True]
    assert [budget["reserved_usd"] for budget in await spender.budgets()] == ["4.00", "4.00"]


async def test_nothing_is_reserved_when_the_run_may_not_continue(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("10")
    allowed, stopped = ids.new_id(), ids.new_id()
    asked: list[Collection[UUID]] = []

    async def check(session: AsyncSession, subjects: Collection[UUID]) -> Collection[UUID]:
        asked.append(set(subjects))
        return {allowed}

    project_id = UUID((await spender.ada.get("/api/v1/projects/mine")).json()["id"])
    results = await asyncio.gather(
        *(
            service.open_ledger(
                spender.batch_writer,
                LedgerAccount(
                    project_id=project_id,
                    purpose="answer",
                    run_id=subject,
                    permit=Permit(check=check, subject_id=subject),
                ),
            ).reserve(intent(DOLLAR))
            for subject in (allowed, stopped, allowed)
        ),
        return_exceptions=True,
    )
    assert [isinstance(result, NotPermitted) for result in results] == [False, True, False]
    assert asked == [{allowed, stopped}]
    assert await spender.amounts() == ("0.00", "2.00", "open")


async def test_a_replaced_process_cannot_reserve_but_charges_earlier_reservations(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("10")
    before = await spender.ledger.reserve(intent(4 * DOLLAR))
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)
        await session.delete(
            await session.get_one(WorkerProcess, spender.batch_writer.heartbeat.id)
        )
    with pytest.raises(Replaced):
        await spender.ledger.reserve(intent(DOLLAR))
    assert await spender.amounts() == ("4.00", "0.00", "open")
    await spender.charge(before, DOLLAR)
    assert await spender.amounts() == ("1.00", "0.00", "open")
    await spender.spend(2)
    assert await spender.amounts() == ("3.00", "0.00", "open")


class Model:
    """The expected state of the budgets: limit, and per entry the amounts reserved and charged."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.reserved: dict[int, int] = {}
        self.spent: dict[int, int] = {}
        self.queued: set[int] = set()

    @property
    def amounts(self) -> tuple[int, int]:
        return sum(self.spent.values()), sum(self.reserved.values())

    def reserve(self, number: int, amount: int) -> bool:
        if sum(self.amounts) + amount > self.limit:
            return False
        self.reserved[number] = amount
        return True

    def charge(self, number: int, cost: int) -> None:
        self.reserved.pop(number, None)
        self.spent[number] = cost

    def give_up(self) -> None:
        """Sent calls are charged, the rest is released."""
        self.spent |= {
            number: amount for number, amount in self.reserved.items() if number not in self.queued
        }
        self.reserved = {}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("reserve"), st.integers(0, 60)),
        # Reserved, but waiting for a slot.
        st.tuples(st.just("queue"), st.integers(0, 60)),
        # A share of the reservation; may exceed it.
        st.tuples(st.just("charge"), st.integers(0, 130)),
        st.tuples(st.just("give up"), st.just(0)),
        st.tuples(st.just("pause"), st.just(0)),
    ),
    min_size=1,
    max_size=25,
)


@given(steps=STEPS, data=st.data())
@settings(
    max_examples=rounds(15, thorough=400),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_amounts_stay_exact_in_any_order_of_reserving_charging_and_reaping(
    databases: Databases, tmp_path: Path, steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    async def example(database: Database) -> None:
        batch_writer = BatchWriter(database, Heartbeat(kind="worker"))
        try:
            await _play(batch_writer, database, steps, data)
        finally:
            await batch_writer.close()

    run_example(databases, tmp_path, example)


async def _play(
    batch_writer: BatchWriter, database: Database, steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    project_id, budget_id = await _make_budget(database, limit=100)
    ledger = service.open_ledger(batch_writer, LedgerAccount(project_id=project_id, purpose="try"))
    model, open_entries, amounts = Model(limit=100), {}, {}
    for number, (step, amount) in enumerate(steps):
        if step in {"reserve", "queue"}:
            wanted = intent(amount, leaves_at_once=step == "reserve")
            reserving = asyncio.ensure_future(ledger.reserve(wanted))
            result = (await asyncio.gather(reserving, return_exceptions=True))[0]
            assert model.reserve(number, amount) == (not isinstance(result, BaseException))
            if isinstance(result, LedgerReservation):
                open_entries[number], amounts[number] = result, amount
                if step == "queue":
                    model.queued.add(number)
        elif step == "charge" and open_entries:
            chosen = data.draw(st.sampled_from(sorted(open_entries)))
            cost = amounts[chosen] * amount // 100
            open_entries.pop(chosen).charge(AttemptCost(cost_nanos=cost, usage=None, failure=None))
            model.charge(chosen, cost)
        elif step == "give up":
            await batch_writer.flush()
            async with database.write() as session:
                await service.reap_process(session, batch_writer.heartbeat.id)
            model.give_up()
        elif step == "pause":
            await batch_writer.flush()
            assert await _read(database, budget_id) == model.amounts
    await batch_writer.flush()
    assert await _read(database, budget_id) == model.amounts


async def _make_budget(database: Database, *, limit: int) -> tuple[UUID, UUID]:
    async with database.write() as session:
        project = Project(id=ids.new_id(), name="Mine", slug="mine")
        session.add(project)
        await session.flush()
        budget = Budget(
            id=ids.new_id(),
            project_id=project.id,
            scope="project",
            scope_id=project.id,
            period="total",
            limit_nanos=limit,
            window_day=clock.now().date(),
            alert_threshold=1,
        )
        session.add(budget)
    return project.id, budget.id


async def _read(database: Database, budget_id: UUID) -> tuple[int, int]:
    async with database.read() as session:
        found = await session.execute(
            select(Budget.spent_nanos, Budget.reserved_nanos).where(Budget.id == budget_id)
        )
        spent, reserved = found.one()
    return spent, reserved
