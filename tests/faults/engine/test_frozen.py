"""A worker freezes until others take over; when it resumes, it notices before its next call, and no
work is done twice.
"""

import time

import pytest

from tests.faults.engine.evidence import (
    count_processes,
    find_incompleteness,
    find_losses,
    find_wrong_money,
    find_wrong_sums,
    take_snapshot,
)
from tests.faults.engine.installation import CALLS_PER_CREDENTIAL, MODELS, Install, Installation
from tests.faults.engine.process import IMPATIENT
from tests.support.thorough import IS_THOROUGH, rounds

# Thorough runs use Edison's own intervals and a minute; others the time until replacement.
PACE = None if IS_THOROUGH else IMPATIENT
LEAST_FROZEN_SECONDS = rounds(0, thorough=60)
# So that the run is not finished by then.
LEAST_SECONDS, MOST_SECONDS = (4, 6) if IS_THOROUGH else (0.1, 0.2)
CASES = 100
# Its connections are open by then. A call that is opening one has passed its last check, and may
# still be sent by the worker when it resumes.
WARM_CELLS = 3 * CALLS_PER_CREDENTIAL * len(MODELS)


def freeze_one(installation: Installation) -> list[str]:
    """The problems found when a worker was frozen until another had done half of its work."""
    installation.provider.turn(least_seconds=LEAST_SECONDS, most_seconds=MOST_SECONDS)
    run_id = installation.start_run(cases=CASES)
    frozen = installation.workers[0]
    installation.until(run_id, lambda run: run["done_count"] >= WARM_CELLS)
    frozen.freeze()
    began = time.monotonic()
    installation.start_worker()
    done = int(installation.run(run_id)["done_count"])
    installation.until(run_id, lambda run: run["done_count"] > done)
    print(f"went on {time.monotonic() - began:.1f} s after it froze")  # noqa: T201 - a figure
    installation.until(run_id, lambda run: run["done_count"] >= CASES)
    time.sleep(max(0, began + LEAST_FROZEN_SECONDS - time.monotonic()))
    assert count_processes(installation, frozen.pid) == 0
    before = take_snapshot(installation)
    frozen.thaw()
    run = installation.finish(run_id)
    end = take_snapshot(installation)
    problems = find_incompleteness(run) + find_losses([before], end)
    problems += find_wrong_sums(installation, run_id)
    return problems + find_wrong_money(installation, end.record)


@pytest.mark.everyday
def test_a_frozen_worker_notices_that_it_was_replaced(install: Install) -> None:
    assert freeze_one(install("postgresql", workers=1, pace=PACE)) == []


def test_a_worker_that_continues_after_replacement_is_detected(install: Install) -> None:
    """The mutant continues under its old id."""
    installation = install("postgresql", workers=1, pace=PACE, twin="comes_back_from_the_dead")
    problems = freeze_one(installation)

    assert [problem for problem in problems if "again" in problem]
