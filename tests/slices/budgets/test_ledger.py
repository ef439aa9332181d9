"""The ledger: written before a call is sent, charged afterwards, and never lost in between."""

from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import Uuid, bindparam, delete, text

from edison.jobs import heartbeat
from edison.jobs.models import WorkerProcess
from edison.kit import ids
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.generate.path.ports import AttemptCost, Intent
from edison.workspace.budgets import service
from edison.workspace.budgets.ledger import ProjectLedger
from edison.workspace.budgets.types import LedgerAccount
from tests.support.browser import Browser

INTENT = Intent(
    provider="openai",
    model="gpt-x",
    attempt=1,
    worst_case_nanos=5_000_000,
    price_version="own",
    leaves_at_once=True,
)


@pytest.fixture
async def project(ada: Browser) -> dict[str, str]:
    return dict((await ada.post("/api/v1/projects", json={"name": "Mine"})).json())


@pytest.fixture
def ledger(app: FastAPI, project: dict[str, str]) -> ProjectLedger:
    return ProjectLedger(
        batch_writer=app.state.batch_writer,
        account=LedgerAccount(project_id=UUID(project["id"]), purpose="try"),
    )


async def entries(ada: Browser) -> list[dict[str, object]]:
    return list((await ada.get("/api/v1/projects/mine/ledger")).json()["items"])


async def test_a_reservation_is_written_before_the_call_is_sent(
    ada: Browser, ledger: ProjectLedger
) -> None:
    await ledger.reserve(INTENT)
    (entry,) = await entries(ada)
    assert (entry["state"], entry["reserved_usd"], entry["cost_usd"]) == ("reserved", "0.005", None)
    assert (entry["attempt"], entry["price_version"], entry["purpose"]) == (1, "own", "try")


async def test_charging_stores_cost_and_usage(ada: Browser, ledger: ProjectLedger) -> None:
    reservation = await ledger.reserve(INTENT)
    usage = Usage(input_tokens=30, output_tokens=4, cached_input_tokens=10, reasoning_tokens=2)
    reservation.charge(AttemptCost(cost_nanos=123, usage=usage, failure=None))
    await ledger.batch_writer.flush()
    (entry,) = await entries(ada)
    assert (entry["state"], entry["cost_usd"], entry["failure"]) == (
        "settled",
        "0.000000123",
        None,
    )
    assert (entry["input_tokens"], entry["output_tokens"]) == (30, 4)
    assert (entry["cached_input_tokens"], entry["reasoning_tokens"]) == (10, 2)


async def test_an_attempt_of_a_dead_process_counts_in_full(
    ada: Browser, ledger: ProjectLedger, app: FastAPI
) -> None:
    await ledger.reserve(INTENT)
    settled = await ledger.reserve(INTENT)
    settled.charge(AttemptCost(cost_nanos=0, usage=None, failure="rate_limit"))
    await ledger.batch_writer.flush()
    own_id = ledger.batch_writer.heartbeat.id
    for process_id, state in ((ids.new_id(), "reserved"), (own_id, "unconfirmed")):
        async with app.state.database.write() as session:
            await service.reap_process(session, process_id)
        found = {str(entry["state"]): entry for entry in await entries(ada)}
        assert set(found) == {"settled", state}
    assert found["unconfirmed"]["cost_usd"] == "0.005"
    assert found["settled"]["cost_usd"] == "0.00"


async def test_a_process_that_leaves_or_is_removed_leaves_nothing_reserved(
    ada: Browser, ledger: ProjectLedger, app: FastAPI
) -> None:
    await ledger.reserve(INTENT)
    assert await heartbeat.remove(app.state.database, ledger.batch_writer.heartbeat.id)
    assert [entry["state"] for entry in await entries(ada)] == ["unconfirmed"]


async def test_reservations_of_unlisted_processes_become_unconfirmed(
    ada: Browser, ledger: ProjectLedger, app: FastAPI
) -> None:
    await ledger.reserve(INTENT)
    database = app.state.database
    async with database.write() as session:
        await service.reap_orphans(session)
    assert [entry["state"] for entry in await entries(ada)] == ["reserved"]
    async with database.write() as session:
        await session.execute(delete(WorkerProcess))
    async with database.write() as session:
        await service.reap_orphans(session)
    assert [entry["state"] for entry in await entries(ada)] == ["unconfirmed"]


async def test_a_late_charge_confirms_an_unconfirmed_entry(
    ada: Browser, ledger: ProjectLedger, app: FastAPI
) -> None:
    reservation = await ledger.reserve(INTENT)
    async with app.state.database.write() as session:
        await service.reap_process(session, ledger.batch_writer.heartbeat.id)
    reservation.charge(AttemptCost(cost_nanos=7, usage=None, failure=None))
    await ledger.batch_writer.flush()
    (entry,) = await entries(ada)
    assert (entry["state"], entry["cost_usd"]) == ("settled", "0.000000007")


async def test_entries_are_listed_latest_first_and_searched_by_model(
    ada: Browser, ledger: ProjectLedger
) -> None:
    for attempt in (1, 2, 3):
        await ledger.reserve(
            Intent(
                provider="sim",
                model=f"sim-{attempt}",
                attempt=attempt,
                worst_case_nanos=None,
                price_version=None,
            )
        )
    assert [entry["attempt"] for entry in await entries(ada)] == [3, 2, 1]
    found = await ada.get("/api/v1/projects/mine/ledger", params={"q": "IM-2"})
    assert [entry["model"] for entry in found.json()["items"]] == ["sim-2"]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (
            "SELECT * FROM ledger_entries WHERE state = :state AND process_id = :id",
            "ix_ledger_entries_reserved",
        ),
        (
            "SELECT * FROM ledger_entries WHERE project_id = :id AND state = :state",
            "ix_ledger_entries_unconfirmed",
        ),
    ],
)
async def test_open_entries_are_found_by_indexes_of_their_own(
    app: FastAPI, project: dict[str, str], query: str, index: str
) -> None:
    """Also with values that are bound, as by SQLAlchemy."""
    bound = {"state": index.removeprefix("ix_ledger_entries_"), "id": UUID(project["id"])}
    async with app.state.database.read() as session:
        explain = "EXPLAIN QUERY PLAN"
        if session.get_bind().dialect.name == "postgresql":
            # It reads small tables as a whole.
            await session.execute(text("SET LOCAL enable_seqscan = off"))
            explain = "EXPLAIN"
        explained = text(f"{explain} {query}").bindparams(bindparam("id", type_=Uuid()))
        plan = await session.execute(explained, bound)
        assert index in str(plan.all())
