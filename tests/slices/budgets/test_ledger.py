"""The ledger: written before a call leaves, settled afterwards, never forgotten in between."""

from datetime import timedelta
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.kit import clock
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.generate.path.ports import Intent, Settlement
from edison.workspace.budgets import service
from edison.workspace.budgets.till import LedgerTill
from tests.support.browser import Browser

INTENT = Intent(
    provider="openai", model="gpt-x", attempt=1, worst_case_nanos=5_000_000, price_version="own"
)


@pytest.fixture
async def project(ada: Browser) -> dict[str, str]:
    return dict((await ada.post("/api/v1/projects", json={"name": "Mine"})).json())


@pytest.fixture
def till(app: FastAPI, project: dict[str, str]) -> LedgerTill:
    return LedgerTill(database=app.state.database, project_id=UUID(project["id"]), purpose="try")


async def entries(ada: Browser) -> list[dict[str, object]]:
    return list((await ada.get("/api/v1/projects/mine/ledger")).json()["items"])


async def test_a_reservation_is_there_before_the_call_leaves(
    ada: Browser, till: LedgerTill
) -> None:
    await till.reserve(INTENT)
    (entry,) = await entries(ada)
    assert (entry["state"], entry["reserved_usd"], entry["cost_usd"]) == ("reserved", "0.005", None)
    assert (entry["attempt"], entry["price_version"], entry["purpose"]) == (1, "own", "try")


async def test_settling_states_what_it_came_to(ada: Browser, till: LedgerTill) -> None:
    reservation = await till.reserve(INTENT)
    usage = Usage(input_tokens=30, output_tokens=4, cached_input_tokens=10, reasoning_tokens=2)
    await reservation.settle(Settlement(cost_nanos=123, usage=usage, failure=None))
    (entry,) = await entries(ada)
    assert (entry["state"], entry["cost_usd"], entry["failure"]) == (
        "settled",
        "0.000000123",
        None,
    )
    assert (entry["input_tokens"], entry["output_tokens"]) == (30, 4)
    assert (entry["cached_input_tokens"], entry["reasoning_tokens"]) == (10, 2)


async def test_an_attempt_whose_process_died_counts_in_full(ada: Browser, till: LedgerTill) -> None:
    await till.reserve(INTENT)
    settled = await till.reserve(INTENT)
    await settled.settle(Settlement(cost_nanos=0, usage=None, failure="rate_limit"))
    for minutes, state in ((-1, "reserved"), (1, "unconfirmed")):
        async with till.database.write() as session:
            await service.give_up_on_unsettled(
                session, made_before=clock.now() + timedelta(minutes=minutes)
            )
        found = {str(entry["state"]): entry for entry in await entries(ada)}
        assert set(found) == {"settled", state}
    assert found["unconfirmed"]["cost_usd"] == "0.005"
    assert found["settled"]["cost_usd"] == "0.00"


async def test_a_late_word_settles_what_was_given_up(ada: Browser, till: LedgerTill) -> None:
    reservation = await till.reserve(INTENT)
    async with till.database.write() as session:
        await service.give_up_on_unsettled(session, made_before=clock.now() + timedelta(minutes=1))
    await reservation.settle(Settlement(cost_nanos=7, usage=None, failure=None))
    (entry,) = await entries(ada)
    assert (entry["state"], entry["cost_usd"]) == ("settled", "0.000000007")


async def test_the_latest_come_first_and_models_can_be_searched(
    ada: Browser, till: LedgerTill
) -> None:
    for attempt in (1, 2, 3):
        await till.reserve(
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
