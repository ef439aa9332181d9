"""Unconfirmed charges: an administrator enters the true cost, or voids them."""

from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.kit import ids
from edison.workspace.budgets import run_costs, service
from edison.workspace.budgets.ledger import ProjectLedger
from edison.workspace.budgets.types import LedgerAccount
from tests.conftest import TurnableClock
from tests.slices.budgets.conftest import URL, Spender, intent
from tests.support.browser import Browser

NOTE = "Compared with the invoice of May."
CENT = 10_000_000


async def lose(spender: Spender, app: FastAPI, *nanos: int) -> list[str]:
    """Calls of a dead process; the ids of their entries."""
    for amount in nanos:
        await spender.ledger.reserve(intent(amount))
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)
    listed = (await spender.ada.get(f"{URL}/ledger?state=unconfirmed&sort=created_at")).json()
    return [entry["id"] for entry in listed["items"]]


async def settle(browser: Browser, entry_id: str, usd: str, **rest: Any) -> Any:
    body = {"amount_usd": usd, "note": NOTE, **rest}
    return await browser.post(f"{URL}/ledger/{entry_id}/settle", json=body)


async def void(browser: Browser, entry_id: str, note: str = NOTE) -> Any:
    return await browser.post(f"{URL}/ledger/{entry_id}/void", json={"note": note})


async def test_confirming_a_cost_replaces_the_charge_everywhere(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("1")
    first, _ = await lose(spender, app, CENT, 2 * CENT)
    response = await settle(spender.ada, first, "0.004000001")
    assert response.status_code == 200, response.text
    entry = response.json()
    assert (entry["state"], entry["cost_usd"], entry["note"]) == ("settled", "0.004000001", NOTE)
    assert await spender.amounts() == ("0.024000001", "0.00", "open")
    totals = (await spender.ada.get(f"{URL}/ledger/totals")).json()
    assert (totals["cost_usd"], totals["unconfirmed_usd"]) == ("0.024000001", "0.02")


async def test_voiding_takes_the_charge_back(spender: Spender, app: FastAPI) -> None:
    await spender.limit("1")
    (entry_id,) = await lose(spender, app, CENT)
    entry = (await void(spender.ada, entry_id)).json()
    assert (entry["state"], entry["cost_usd"]) == ("released", "0.00")
    assert await spender.amounts() == ("0.00", "0.00", "open")


async def test_corrections_are_audited_with_actor_and_note(spender: Spender, app: FastAPI) -> None:
    settled, voided = await lose(spender, app, CENT, CENT)
    await settle(spender.ada, settled, "0.002")
    await void(spender.ada, voided)
    log = (await spender.ada.get(f"{URL}/audit?limit=5")).json()["items"]
    noted = {each["action"]: each for each in log if each["action"].startswith("ledger.")}
    assert set(noted) == {"ledger.settled", "ledger.voided"}
    assert noted["ledger.settled"]["entity_id"] == settled
    assert noted["ledger.settled"]["before"] == {"state": "unconfirmed", "cost_usd": "0.01"}
    assert noted["ledger.settled"]["after"] == {
        "state": "settled",
        "cost_usd": "0.002",
        "note": NOTE,
    }
    assert noted["ledger.voided"]["after"]["state"] == "released"


async def test_a_charge_is_resolved_once(spender: Spender, app: FastAPI) -> None:
    await spender.limit("1")
    (entry_id,) = await lose(spender, app, CENT)
    assert (await settle(spender.ada, entry_id, "0.003")).status_code == 200
    for response in (
        await settle(spender.ada, entry_id, "0.001"),
        await void(spender.ada, entry_id),
    ):
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "NOT_UNCONFIRMED"
    assert await spender.amounts() == ("0.003", "0.00", "open")


async def test_only_unconfirmed_charges_can_be_resolved(spender: Spender) -> None:
    await spender.spend(0.01)
    await spender.ledger.reserve(intent(CENT))
    for entry in await spender.entries():
        assert (await void(spender.ada, entry["id"])).status_code == 409
    assert {each["state"] for each in await spender.entries()} == {"settled", "reserved"}


async def test_a_cost_above_the_reservation_needs_a_confirmation(
    spender: Spender, app: FastAPI
) -> None:
    (entry_id,) = await lose(spender, app, CENT)
    refused = await settle(spender.ada, entry_id, "0.010000001")
    assert refused.status_code == 400
    assert refused.json()["error"]["path"] == "amount_usd"
    assert (await spender.entries())[0]["state"] == "unconfirmed"
    allowed = await settle(
        spender.ada, entry_id, "0.010000001", is_above_reservation_confirmed=True
    )
    assert allowed.json()["cost_usd"] == "0.010000001"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount_usd": "-1"}, "amount_usd"),
        ({"amount_usd": "much"}, "amount_usd"),
        ({"amount_usd": "0.0000000001"}, "amount_usd"),
        ({"amount_usd": None}, "amount_usd"),
        ({"note": "too short"}, "note"),
        ({"note": " " * 40}, "note"),
        ({"note": "x" * 501}, "note"),
        ({"note": None}, "note"),
    ],
)
async def test_bad_input_changes_nothing(
    spender: Spender, app: FastAPI, change: dict[str, Any], field: str
) -> None:
    (entry_id,) = await lose(spender, app, CENT)
    before = await spender.entries()
    body = {"amount_usd": "0.001", "note": NOTE, **change}
    response = await spender.ada.post(f"{URL}/ledger/{entry_id}/settle", json=body)
    assert response.status_code == 400
    assert field in str(response.json()["error"])
    assert await spender.entries() == before


async def test_entries_of_others_are_not_found(spender: Spender, app: FastAPI) -> None:
    await spender.ada.post("/api/v1/projects", json={"name": "Other"})
    (entry_id,) = await lose(spender, app, CENT)
    for path in (f"/api/v1/projects/other/ledger/{entry_id}", f"{URL}/ledger/{ids.new_id()}"):
        assert (await spender.ada.post(f"{path}/void", json={"note": NOTE})).status_code == 404


async def test_a_correction_counts_on_the_day_of_the_charge(
    spender: Spender, app: FastAPI, turnable_clock: TurnableClock
) -> None:
    for period in ("day", "rolling_30_days", "total"):
        await spender.limit("1", period=period)
    (entry_id,) = await lose(spender, app, 50 * CENT)
    turnable_clock.advance(days=1)
    await spender.spend(0.2)
    await settle(spender.ada, entry_id, "0.1")
    spent = {each["period"]: each["spent_usd"] for each in await spender.budgets()}
    assert spent == {"day": "0.20", "rolling_30_days": "0.30", "total": "0.30"}


async def test_a_late_charge_does_not_override_the_administrator(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("1")
    reservation = await spender.ledger.reserve(intent(CENT))
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)
    (entry,) = await spender.entries()
    await settle(spender.ada, entry["id"], "0.004")
    await spender.charge(reservation, 5_000_000)
    assert await spender.amounts() == ("0.004", "0.00", "open")


async def test_the_cost_of_a_run_follows(
    spender: Spender, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums: dict[UUID, list[int]] = {}

    async def add(_session: object, charges: Any) -> None:
        for each in charges:
            of_run = sums.setdefault(each.run_id, [0, 0])
            of_run[0] += each.cost_nanos
            of_run[1] += each.unconfirmed_nanos

    monkeypatch.setattr(run_costs.on_run_charged, "listeners", (add,))
    run_id = ids.new_id()
    assert isinstance(spender.ledger, ProjectLedger)
    spender.ledger = service.open_ledger(
        spender.batch_writer,
        LedgerAccount(
            project_id=spender.ledger.account.project_id, purpose="answer", run_id=run_id
        ),
    )
    await spender.spend(0.01, reserve=0.02)
    entry_ids = await lose(spender, app, CENT, 3 * CENT)
    assert sums[run_id] == [5 * CENT, 4 * CENT]
    await settle(spender.ada, entry_ids[0], "0.004")
    await void(spender.ada, entry_ids[1])
    assert sums[run_id] == [CENT + 4_000_000, 0]
