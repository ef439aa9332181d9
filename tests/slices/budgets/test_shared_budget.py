"""Two processes that reserve in the same budget: entries are written for what it was expected to
allow, and corrected when it is locked.
"""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.heartbeat import Heartbeat
from edison.pipeline.generate.path.ports import Ledger
from edison.workspace.budgets import service
from edison.workspace.budgets.balances import Balances
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.budgets.ledger import UNUSED, LedgerReservation
from edison.workspace.budgets.types import LedgerAccount
from tests.slices.budgets.conftest import Spender, intent

DOLLAR = 1_000_000_000


@pytest.fixture(autouse=True)
def database(app: FastAPI) -> Database:
    database: Database = app.state.database
    if database.is_sqlite:
        pytest.skip("SQLite has one writer at a time.")
    return database


@pytest.fixture
async def other(spender: Spender, database: Database) -> BatchWriter:
    """The batch writer of another process."""
    return BatchWriter(database, Heartbeat(kind="worker"))


def before_lock(
    monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[object]]
) -> None:
    """Runs `meanwhile` once, after the next transaction wrote its entries."""
    lock = Balances.lock

    async def waiting(balances: Balances) -> None:
        monkeypatch.setattr(Balances, "lock", lock)
        await meanwhile()
        await lock(balances)

    monkeypatch.setattr(Balances, "lock", waiting)


async def open_other_ledger(spender: Spender, other: BatchWriter) -> Ledger:
    project = (await spender.ada.get("/api/v1/projects/mine")).json()
    return service.open_ledger(other, LedgerAccount(project_id=UUID(project["id"]), purpose="try"))


async def test_what_another_process_took_meanwhile_is_refused_and_leaves_no_entry(
    spender: Spender, other: BatchWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    await spender.limit("10")
    theirs = await open_other_ledger(spender, other)
    before_lock(monkeypatch, lambda: theirs.reserve(intent(6 * DOLLAR)))
    results = await asyncio.gather(
        *(spender.ledger.reserve(intent(amount * DOLLAR)) for amount in (3, 5, 1)),
        return_exceptions=True,
    )
    assert [type(each) for each in results] == [
        LedgerReservation,
        BudgetExhausted,
        LedgerReservation,
    ]
    assert await spender.amounts() == ("0.00", "10.00", "open")
    entries = await spender.entries()
    assert sorted(entry["reserved_usd"] for entry in entries) == ["1.00", "3.00", "6.00"]
    await other.close()


async def test_what_another_process_freed_meanwhile_is_reserved(
    spender: Spender, other: BatchWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    await spender.limit("10")
    theirs = await open_other_ledger(spender, other)
    taken = await theirs.reserve(intent(8 * DOLLAR))

    async def free() -> None:
        taken.charge(UNUSED)
        await other.flush()

    before_lock(monkeypatch, free)
    mine = await spender.ledger.reserve(intent(9 * DOLLAR))
    assert await spender.amounts() == ("0.00", "9.00", "open")
    await spender.charge(mine, 2 * DOLLAR)
    assert await spender.amounts() == ("2.00", "0.00", "open")
    states = sorted((each["state"], each["reserved_usd"]) for each in await spender.entries())
    assert states == [("released", "8.00"), ("settled", "9.00")]
    await other.close()
