"""kill -9 while some calls are sent and others wait for a slot: sent calls are charged as
unconfirmed, the others are released, and run, ledger and budget add up.
"""

import time
from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlalchemy import select

from edison.workspace.budgets.models import LedgerEntry
from tests.faults.engine.evidence import Rows, find_wrong_money, find_wrong_sums, read
from tests.faults.engine.installation import (
    CALLS_PER_CREDENTIAL,
    LOOK_SECONDS,
    MODELS,
    Install,
    Installation,
)
from tests.faults.engine.process import Pace
from tests.support.empty_databases import Dialect
from tests.support.patience import PATIENCE_SECONDS

SLOTS = CALLS_PER_CREDENTIAL * len(MODELS)
CASES = 40
IMPATIENT = Pace(silence_seconds=3.0)


def list_entries(installation: Installation) -> Rows:
    wanted = select(
        LedgerEntry.id,
        LedgerEntry.state,
        LedgerEntry.left_at,
        LedgerEntry.cost_nanos,
        LedgerEntry.reserved_nanos,
    )
    (entries,) = read(installation, wanted)
    return entries


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(LOOK_SECONDS)


def kill_with_calls_at_both_moments(installation: Installation) -> tuple[str, Rows]:
    """The run, and its ledger entries at the moment of the kill."""
    installation.provider.turn(hanging=1.0)
    installation.add_budget("100")
    # Streamed: all cells reserve before they wait for a slot, and are marked when they have it.
    run_id = installation.start_watched_run(cases=CASES, prefix="thing")

    def is_full() -> bool:
        entries = list_entries(installation)
        has_waiting = any(row.left_at is None for row in entries)
        return has_waiting and installation.provider.record().calls == SLOTS

    until(is_full)
    starts = [installation.kill(each) for each in installation.processes]
    entries = list_entries(installation)
    installation.provider.turn(hanging=0.0)
    for start in starts:
        start()
    return run_id, entries


@pytest.mark.everyday
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_unsent_calls_are_released_and_sent_calls_stay_charged(
    dialect: Dialect, install: Install
) -> None:
    installation = install(dialect, pace=IMPATIENT)
    run_id, before = kill_with_calls_at_both_moments(installation)
    run = installation.finish(run_id)

    assert {row.state for row in before} == {"reserved"}
    left = {row.id for row in before if row.left_at is not None}
    assert len(left) == SLOTS
    after = {row.id: row for row in list_entries(installation)}
    assert {after[each].state for each in left} == {"unconfirmed"}
    assert all(after[each].cost_nanos == after[each].reserved_nanos for each in left)
    waiting = {row.id for row in before} - left
    assert {(after[each].state, after[each].cost_nanos) for each in waiting} == {("released", 0)}

    unconfirmed = sum(after[each].cost_nanos for each in left)
    total = sum(row.cost_nanos for row in after.values())
    assert Decimal(run["unconfirmed_usd"]) == Decimal(unconfirmed) / 10**9
    assert Decimal(run["cost_usd"]) == Decimal(total) / 10**9
    assert find_wrong_sums(installation, run_id) == []
    assert find_wrong_money(installation, installation.provider.record()) == []
