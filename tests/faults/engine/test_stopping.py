"""Processes stop soon when asked to: calls in progress end and are stored, and the rest is left to
other processes.
"""

from collections import Counter

import pytest

from tests.faults.engine.evidence import (
    count_processes,
    find_incompleteness,
    find_repetitions,
    find_wrong_money,
    find_wrong_sums,
    ledger_states,
    take_snapshot,
)
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.empty_databases import Dialect
from tests.support.thorough import rounds

STOPS = rounds(1, thorough=10)
CASES = 60


def stop_in_the_middle(installation: Installation) -> list[str]:
    """Returns the problems found."""
    installation.provider.turn(least_seconds=0.1, most_seconds=0.4)
    installation.add_budget("100")
    problems = []
    for number in range(STOPS):
        run_id = installation.start_run(cases=CASES, prefix=f"{number}/")
        installation.until(run_id, lambda run: run["done_count"] >= CASES // 4)
        problems += stop_all(installation)
        installation.start()
        problems += find_incompleteness(installation.finish(run_id))
        problems += find_wrong_sums(installation, run_id)
    record = installation.provider.record()
    return problems + find_repetitions(record) + find_wrong_money(installation, record)


def stop_all(installation: Installation) -> list[str]:
    stopped, installation.server, workers = installation.processes, None, installation.workers
    installation.workers = []
    seconds = [
        child.stop() for child in [*workers, *(each for each in stopped if each not in workers)]
    ]
    print(f"{installation.dialect}: ended within {max(seconds):.1f} s")  # noqa: T201 - a figure
    after = take_snapshot(installation)
    # uvicorn exits with the signal it was sent, workers with status 0.
    codes = {child.exit_code for child in workers}
    problems = [f"workers ended with {codes}"] if codes - {0} else []
    if lost := set(after.record.received) - set(after.finished):
        problems.append(f"{len(lost)} answers were lost")
    states = Counter(ledger_states(installation).values())
    if set(states) - {"settled", "released"}:
        problems.append(f"calls are left: {states}")
    if listed := count_processes(installation, *(child.pid for child in stopped)):
        problems.append(f"{listed} processes are listed though they have ended")
    return problems


@pytest.mark.everyday
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_nothing_is_lost_when_processes_are_asked_to_end(
    dialect: Dialect, install: Install
) -> None:
    assert stop_in_the_middle(install(dialect)) == []


def test_a_process_that_drops_its_work_is_detected(install: Install) -> None:
    """The mutant exits at once."""
    problems = stop_in_the_middle(install("sqlite", pace=IMPATIENT, twin="ends_at_once"))

    assert [problem for problem in problems if "lost" in problem]
    assert [problem for problem in problems if "calls are left" in problem]
