"""The mark that an attempt left: what a dead process had reserved is charged with it, and released
without it.
"""

from fastapi import FastAPI

from edison.workspace.budgets import service
from edison.workspace.budgets.till import UNUSED
from tests.slices.budgets.conftest import Purse, intent

CENT = 10_000_000


async def give_up(purse: Purse, app: FastAPI) -> None:
    async with app.state.database.write() as session:
        await service.give_up_on_process(session, purse.recorder.presence.id)


async def test_a_dead_process_is_charged_for_what_left_and_nothing_else(
    purse: Purse, app: FastAPI
) -> None:
    await purse.limit("1")
    at_once = await purse.till.reserve(intent(CENT))
    queued = await purse.till.reserve(intent(2 * CENT, leaves_at_once=False))
    waiting = await purse.till.reserve(intent(4 * CENT, leaves_at_once=False))
    await queued.confirm()
    assert await purse.amounts() == ("0.00", "0.07", "open")

    await give_up(purse, app)

    assert await purse.amounts() == ("0.03", "0.00", "open")
    found = {entry["reserved_usd"]: entry for entry in await purse.entries()}
    assert {usd: (each["state"], each["cost_usd"]) for usd, each in found.items()} == {
        "0.01": ("unconfirmed", "0.01"),
        "0.02": ("unconfirmed", "0.02"),
        "0.04": ("released", "0.00"),
    }
    assert found["0.04"]["left_at"] is None
    assert found["0.04"]["settled_at"] is not None
    del at_once, waiting


async def test_a_call_that_leaves_at_once_needs_no_second_mark(purse: Purse) -> None:
    reservation = await purse.till.reserve(intent(CENT))
    (entry,) = await purse.entries()
    assert entry["left_at"] is not None
    await reservation.confirm()
    assert (await purse.entries())[0]["left_at"] == entry["left_at"]


async def test_what_was_given_back_in_the_queue_is_released(purse: Purse) -> None:
    await purse.limit("1")
    reservation = await purse.till.reserve(intent(CENT, leaves_at_once=False))
    reservation.settle(UNUSED)
    await purse.recorder.settled()
    (entry,) = await purse.entries()
    assert (entry["state"], entry["cost_usd"], entry["failure"]) == (
        "released",
        "0.00",
        "cancelled",
    )
    assert await purse.amounts() == ("0.00", "0.00", "open")


async def test_giving_up_twice_changes_nothing(purse: Purse, app: FastAPI) -> None:
    await purse.limit("1")
    await purse.till.reserve(intent(CENT))
    await purse.till.reserve(intent(CENT, leaves_at_once=False))
    await give_up(purse, app)
    before = await purse.entries()
    await give_up(purse, app)
    assert await purse.entries() == before
    assert await purse.amounts() == ("0.01", "0.00", "open")
