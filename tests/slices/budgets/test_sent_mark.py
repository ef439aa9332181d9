"""The mark that an attempt was sent: reservations of a dead process are charged with it, and
released without it.
"""

from fastapi import FastAPI

from edison.workspace.budgets import service
from edison.workspace.budgets.ledger import UNUSED
from tests.slices.budgets.conftest import Spender, intent

CENT = 10_000_000


async def give_up(spender: Spender, app: FastAPI) -> None:
    async with app.state.database.write() as session:
        await service.reap_process(session, spender.batch_writer.heartbeat.id)


async def test_only_sent_calls_of_a_dead_process_are_charged(
    spender: Spender, app: FastAPI
) -> None:
    await spender.limit("1")
    at_once = await spender.ledger.reserve(intent(CENT))
    queued = await spender.ledger.reserve(intent(2 * CENT, leaves_at_once=False))
    waiting = await spender.ledger.reserve(intent(4 * CENT, leaves_at_once=False))
    await queued.confirm()
    assert await spender.amounts() == ("0.00", "0.07", "open")

    await give_up(spender, app)

    assert await spender.amounts() == ("0.03", "0.00", "open")
    found = {entry["reserved_usd"]: entry for entry in await spender.entries()}
    assert {usd: (each["state"], each["cost_usd"]) for usd, each in found.items()} == {
        "0.01": ("unconfirmed", "0.01"),
        "0.02": ("unconfirmed", "0.02"),
        "0.04": ("released", "0.00"),
    }
    assert found["0.04"]["left_at"] is None
    assert found["0.04"]["settled_at"] is not None
    del at_once, waiting


async def test_a_call_sent_at_once_needs_no_second_mark(spender: Spender) -> None:
    reservation = await spender.ledger.reserve(intent(CENT))
    (entry,) = await spender.entries()
    assert entry["left_at"] is not None
    await reservation.confirm()
    assert (await spender.entries())[0]["left_at"] == entry["left_at"]


async def test_a_reservation_returned_in_the_queue_is_released(spender: Spender) -> None:
    await spender.limit("1")
    reservation = await spender.ledger.reserve(intent(CENT, leaves_at_once=False))
    reservation.charge(UNUSED)
    await spender.batch_writer.flush()
    (entry,) = await spender.entries()
    assert (entry["state"], entry["cost_usd"], entry["failure"]) == (
        "released",
        "0.00",
        "cancelled",
    )
    assert await spender.amounts() == ("0.00", "0.00", "open")


async def test_reaping_twice_changes_nothing(spender: Spender, app: FastAPI) -> None:
    await spender.limit("1")
    await spender.ledger.reserve(intent(CENT))
    await spender.ledger.reserve(intent(CENT, leaves_at_once=False))
    await give_up(spender, app)
    before = await spender.entries()
    await give_up(spender, app)
    assert await spender.entries() == before
    assert await spender.amounts() == ("0.01", "0.00", "open")
