"""Clocks of some processes jump an hour, back and forth: no process is treated as dead, and no call
is made twice.
"""

import time
from pathlib import Path

import pytest

from tests.faults.engine.evidence import (
    find_incompleteness,
    find_repetitions,
    find_wrong_money,
    find_wrong_sums,
    ledger_states,
)
from tests.faults.engine.installation import ENDED, Install, Installation
from tests.support.empty_databases import Dialect
from tests.support.thorough import rounds

HOUR = 3600
# Eight cells are done between two jumps.
JUMPS = rounds(3, thorough=24)
CASES = rounds(40, thorough=100)


def jump(installation: Installation, clock: Path) -> list[str]:
    """Returns the problems found."""
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    run_id = installation.start_run(cases=CASES)
    for number in range(JUMPS):
        wanted = 1 + 8 * number
        installation.until(
            run_id,
            lambda run: run["state"] in ENDED or run["done_count"] >= wanted,  # noqa: B023 - at once
        )
        clock.write_text(str((-1) ** number * HOUR))
        time.sleep(0.5)
    run = installation.finish(run_id)
    record = installation.provider.record()
    problems = find_incompleteness(run) + find_wrong_sums(installation, run_id)
    problems += find_repetitions(record) + find_wrong_money(installation, record)
    if "unconfirmed" in ledger_states(installation).values():
        problems.append("a process was taken for dead")
    return problems


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """Offset in seconds of the clocks of processes that read this file."""
    file = tmp_path / "clock"
    file.write_text("0")
    return file


def start(install: Install, dialect: Dialect, clock: Path, **options: str) -> Installation:
    """On PostgreSQL one of two workers has a jumping clock; on SQLite the server has it."""
    installation: Installation = install(dialect, workers=1, clock_file=clock, **options)
    if dialect == "postgresql":
        installation.clock_file = None
        installation.start_worker()
    return installation


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_jumping_clocks_do_not_disturb_processes(
    dialect: Dialect, install: Install, clock: Path
) -> None:
    assert jump(start(install, dialect, clock), clock) == []


def test_a_process_that_trusts_wall_clocks_is_detected(install: Install, clock: Path) -> None:
    """The mutant judges the silence of other processes by its own clock."""
    problems = jump(start(install, "postgresql", clock, twin="trusts_clocks"), clock)

    assert problems
