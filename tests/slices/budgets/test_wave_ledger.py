"""Reservations and charges of a wave: one item each, with the results of single ones."""

import asyncio
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.jobs.heartbeat import Replaced
from edison.jobs.models import WorkerProcess
from edison.kit import ids
from edison.pipeline.generate.path.ports import AttemptCost, Reserved, WaveLedger
from edison.workspace.budgets import service
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.models import LedgerEntry
from edison.workspace.budgets.repository.entries import Entries
from edison.workspace.budgets.types import LedgerAccount
from tests.slices.budgets.conftest import URL, Spender, intent
from tests.support.patience import PATIENCE_SECONDS

CENT = 10_000_000


class Waiter:
    """Collects what became of reservations."""

    def __init__(self) -> None:
        self.refusals: dict[UUID, BaseException | None] = {}
        self._news = asyncio.Event()

    def hear(self, reserved: Reserved) -> None:
        self.refusals.update(reserved)
        self._news.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.refusals) < count:
                self._news.clear()
                await self._news.wait()


@pytest.fixture
def waiter() -> Waiter:
    return Waiter()


@pytest.fixture
async def ledger(spender: Spender, waiter: Waiter) -> WaveLedger:
    project = (await spender.ada.get(URL)).json()
    account = LedgerAccount(
        project_id=UUID(project["id"]), purpose="try", scope_ids=(), run_id=None, permit=None
    )
    return service.open_wave_ledger(spender.batch_writer, account)


def cost(nanos: int, *, has_left: bool = True) -> AttemptCost:
    return AttemptCost(cost_nanos=nanos, usage=None, failure=None, has_left=has_left)


async def test_a_wave_is_reserved_charged_and_released(
    spender: Spender, ledger: WaveLedger, waiter: Waiter
) -> None:
    await spender.limit("1")
    first, second, third = (ledger.reserve(intent(10 * CENT), waiter.hear) for _ in range(3))
    await waiter.until(3)
    assert waiter.refusals == {first: None, second: None, third: None}
    assert await spender.amounts() == ("0.00", "0.30", "open")

    ledger.charge(first, cost(2 * CENT))
    ledger.charge(second, cost(3 * CENT))
    ledger.release(third)
    await spender.batch_writer.flush()
    assert await spender.amounts() == ("0.05", "0.00", "open")
    states = sorted((entry["state"], entry["cost_usd"]) for entry in await spender.entries())
    assert states == [("released", "0.00"), ("settled", "0.02"), ("settled", "0.03")]


async def test_a_wave_is_cut_where_the_budget_ends(
    spender: Spender, ledger: WaveLedger, waiter: Waiter
) -> None:
    await spender.limit("0.25")
    reserved = [ledger.reserve(intent(10 * CENT), waiter.hear) for _ in range(4)]
    await waiter.until(4)
    refused = [isinstance(waiter.refusals[each], BudgetExhausted) for each in reserved]
    assert refused == [False, False, True, True]
    assert await spender.amounts() == ("0.00", "0.20", "open")
    assert len(await spender.entries()) == 2


async def test_a_charge_is_exact_although_its_entry_was_resolved_meanwhile(
    spender: Spender, ledger: WaveLedger, waiter: Waiter, app: FastAPI
) -> None:
    """Peers took this process for dead: they charged the worst case. The charge replaces it."""
    await spender.limit("1")
    first, second = (ledger.reserve(intent(10 * CENT), waiter.hear) for _ in range(2))
    await waiter.until(2)
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)
    assert await spender.amounts() == ("0.20", "0.00", "open")

    ledger.charge(first, cost(2 * CENT))
    ledger.charge(second, cost(3 * CENT))
    await spender.batch_writer.flush()
    assert await spender.amounts() == ("0.05", "0.00", "open")
    ledger.charge(first, cost(2 * CENT))
    await spender.batch_writer.flush()
    assert await spender.amounts() == ("0.05", "0.00", "open")


async def test_charges_of_a_wave_are_exact_although_some_entries_were_resolved_meanwhile(
    spender: Spender, ledger: WaveLedger, waiter: Waiter, app: FastAPI
) -> None:
    """Another process charged the second call its worst case. The entry of the third was deleted.
    The first one is as it was reserved.
    """
    await spender.limit("1")
    first, second, third = (ledger.reserve(intent(10 * CENT), waiter.hear) for _ in range(3))
    await waiter.until(3)
    async with app.state.database.write() as session:
        lost = await session.get_one(LedgerEntry, second)
        lost.process_id = ids.new_id()
        await session.delete(await session.get_one(LedgerEntry, third))
        await session.flush()
        await service.reap_process(session, lost.process_id)
    assert await spender.amounts() == ("0.10", "0.20", "open")

    for entry_id in (first, second, third):
        ledger.charge(entry_id, cost(2 * CENT))
    await spender.batch_writer.flush()
    states = [(entry["state"], entry["cost_usd"]) for entry in await spender.entries()]
    assert states == [("settled", "0.02")] * 2
    # What the deleted entry had reserved goes with its project.
    assert await spender.amounts() == ("0.04", "0.10", "open")


async def test_an_entry_is_charged_once_in_one_transaction(
    spender: Spender, ledger: WaveLedger, waiter: Waiter
) -> None:
    await spender.limit("1")
    entry_id = ledger.reserve(intent(10 * CENT), waiter.hear)
    await waiter.until(1)
    ledger.charge(entry_id, cost(2 * CENT))
    ledger.charge(entry_id, cost(3 * CENT))
    await spender.batch_writer.flush()
    assert await spender.amounts() == ("0.02", "0.00", "open")


async def test_the_entries_of_a_wave_are_not_read_again(
    spender: Spender,
    ledger: WaveLedger,
    waiter: Waiter,
    app: FastAPI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not app.state.database.is_sqlite:
        pytest.skip("Only SQLite has a single writer.")
    entry_id = ledger.reserve(intent(CENT), waiter.hear)
    await waiter.until(1)
    monkeypatch.setattr(Entries, "lock", None)
    ledger.charge(entry_id, cost(CENT))
    await spender.batch_writer.flush()
    assert [entry["state"] for entry in await spender.entries()] == ["settled"]


async def test_a_call_that_leaves_later_is_confirmed(
    spender: Spender, ledger: WaveLedger, waiter: Waiter, app: FastAPI
) -> None:
    first, second = (ledger.reserve(intent(CENT), waiter.hear) for _ in range(2))
    await waiter.until(2)
    confirmed = Waiter()
    ledger.confirm(first, confirmed.hear)
    assert confirmed.refusals == {first: None}

    heartbeat = spender.batch_writer.heartbeat
    async with app.state.database.write() as session:
        await session.delete(await session.get_one(WorkerProcess, heartbeat.id))
    heartbeat.replace()
    ledger.confirm(second, confirmed.hear)
    await confirmed.until(2)
    assert isinstance(confirmed.refusals[second], Replaced)
