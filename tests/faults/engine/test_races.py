"""Races for the same chunk, for the last money of a budget, and between users who pause, resume and
cancel one run.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.db.engine import open_engine
from edison.jobs.distributed import install as install_queue
from edison.kit import clock
from edison.runs.store.models import Run
from edison.workspace.budgets.models import Budget, LedgerEntry
from tests.faults.engine.evidence import (
    TRUE_COST_OF_A_CALL,
    find_incompleteness,
    find_repetitions,
    find_wrong_money,
    find_wrong_sums,
    ledger_states,
    read,
)
from tests.faults.engine.installation import Install, Installation, Refused
from tests.faults.engine.provider import OUTPUT_TOKENS
from tests.support.empty_databases import Dialect
from tests.support.thorough import rounds

WORKERS = 3
STARTS = rounds(24, thorough=200)
LIMIT_NANOS = 10 * TRUE_COST_OF_A_CALL
# So that many calls reserve money at the same moment.
MANY_AT_ONCE = {"calls_per_credential": 64}
BLOWS = rounds(40, thorough=400)
QUIET_SECONDS = 1.0

# A queue may deliver a job twice. So often that no worker takes all of them.
COPIES = 64
_REPEAT_JOBS = text(
    "INSERT INTO edison_jobs.pgqueuer"
    " (priority, status, entrypoint, dedupe_key, payload, headers)"
    " SELECT priority, status, entrypoint, dedupe_key || ':' || again, payload, headers"
    " FROM edison_jobs.pgqueuer, generate_series(2, :copies) AS again"
)


def race_for_chunks(installation: Installation) -> list[str]:
    """The problems found when every job was delivered to several workers at once."""
    installation.provider.turn(least_seconds=0.05, most_seconds=0.1)
    asyncio.run(on_database(installation, install_queue))
    for worker in installation.workers:
        worker.freeze()
    run_id = installation.start_run(cases=40)
    asyncio.run(on_database(installation, repeat_jobs))
    for worker in installation.workers:
        worker.thaw()
    problems = find_incompleteness(installation.finish(run_id))
    problems += find_wrong_sums(installation, run_id)
    return problems + find_repetitions(installation.provider.record())


async def on_database(
    installation: Installation, do: Callable[[AsyncEngine], Awaitable[None]]
) -> None:
    engine = open_engine(installation.database_url, pooled=False)
    await do(engine)
    await engine.dispose()


async def repeat_jobs(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        repeated = await connection.execute(_REPEAT_JOBS, {"copies": COPIES})
    assert repeated.rowcount > 0


def test_workers_that_race_for_a_chunk_do_its_work_once(install: Install) -> None:
    assert race_for_chunks(install("postgresql", workers=WORKERS)) == []


def test_a_worker_that_claims_taken_chunks_is_detected(install: Install) -> None:
    """The mutant does not check the claim of a chunk."""
    twin = install("postgresql", workers=WORKERS, twin="claims_what_others_have")
    problems = race_for_chunks(twin)

    assert [problem for problem in problems if problem.startswith("asked")]


def storm_a_budget(installation: Installation) -> list[str]:
    """The problems found when a large run and many small ones had money for ten calls."""
    installation.provider.turn(least_seconds=0.0, most_seconds=0.1)
    installation.add_budget(f"{LIMIT_NANOS / 1e9:.9f}")
    variant = installation.variants[0] | {"parameters": {"max_tokens": OUTPUT_TOKENS}}

    def start(number: int) -> str | None:
        """None when no money is left; concurrent starts may be asked to retry."""
        cases = 100 if number == 0 else 1
        while True:
            try:
                return installation.start_run(cases=cases, prefix=f"{number}/", variants=[variant])
            except Refused as refused:
                if refused.status == httpx.codes.PAYMENT_REQUIRED:
                    return None
                if refused.status != httpx.codes.SERVICE_UNAVAILABLE:
                    raise

    with ThreadPoolExecutor(16) as people:
        run_ids = [each for each in people.map(start, range(STARTS)) if each is not None]
    problems = wait_for_rest(installation)
    for run_id in run_ids:
        problems += find_wrong_sums(installation, run_id)
    record = installation.provider.record()
    if record.billed.total() * TRUE_COST_OF_A_CALL > LIMIT_NANOS:
        problems.append(f"{record.billed.total()} calls were made on money for ten")
    if not record.calls:
        problems.append("nothing was asked")
    return problems + find_wrong_money(installation, record)


def wait_for_rest(installation: Installation) -> list[str]:
    """Waits until every run has ended or waits for money, checking the budget all the while."""
    while True:
        budgets, runs = read(
            installation,
            select(Budget.spent_nanos, Budget.reserved_nanos, Budget.limit_nanos),
            select(Run.state, Run.reason),
        )
        if sum(budgets[0][:2]) > budgets[0].limit_nanos:
            return [f"{budgets[0]} is more than there is"]
        states = Counter((run.state, run.reason) for run in runs)
        if set(states) <= {("completed", None), ("paused", "budget")}:
            return []
        time.sleep(0.1)


@pytest.mark.everyday
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_no_number_of_runs_overspends_a_budget(dialect: Dialect, install: Install) -> None:
    assert storm_a_budget(install(dialect, settings=MANY_AT_ONCE)) == []


def test_a_budget_that_is_checked_before_it_is_charged_is_detected(install: Install) -> None:
    """The mutant compares concurrent calls with the same remaining amount."""
    installation = install("sqlite", settings=MANY_AT_ONCE, twin="checks_before_it_adds")

    assert storm_a_budget(installation) != []


def hammer(installation: Installation, run_id: str, *ways: str) -> Counter[int]:
    """Sends commands of several users at once; returns the responses."""
    luck = random.Random()  # noqa: S311 - a test's dice

    def strike(_: int) -> int:
        time.sleep(luck.uniform(0, 0.1))
        return installation.steer(run_id, luck.choice(ways)).status_code

    with ThreadPoolExecutor(4) as people:
        return Counter(people.map(strike, range(BLOWS)))


def find_calls_while_paused(installation: Installation, run_id: str) -> list[str]:
    """After a confirmed pause, no call is sent that had not reserved its money before."""
    assert installation.steer(run_id, "pause").is_success
    confirmed_at = clock.now()
    time.sleep(QUIET_SECONDS)
    later = select(LedgerEntry.id).where(LedgerEntry.created_at > confirmed_at)
    (calls,) = read(installation, later)
    assert installation.steer(run_id, "resume").is_success
    return [f"{len(calls)} calls left while it was paused"] if calls else []


def pause_and_resume(installation: Installation) -> list[str]:
    """The problems found when a run was paused and resumed repeatedly."""
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    run_id = installation.start_run(cases=100)
    installation.until(run_id, lambda run: run["done_count"] >= 8)
    problems = find_calls_while_paused(installation, run_id)
    answers = hammer(installation, run_id, "pause", "resume")
    problems += [f"answered {code}" for code in answers if code not in (200, 409)]
    installation.steer(run_id, "resume")
    problems += find_incompleteness(installation.finish(run_id))
    problems += find_wrong_sums(installation, run_id)
    record = installation.provider.record()
    return problems + find_repetitions(record) + find_wrong_money(installation, record)


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_run_is_paused_and_resumed_over_and_over(dialect: Dialect, install: Install) -> None:
    assert pause_and_resume(install(dialect)) == []


def test_a_process_that_continues_a_paused_run_is_detected(install: Install) -> None:
    """The mutant ignores the run's state."""
    problems = pause_and_resume(install("sqlite", twin="does_not_listen"))

    assert [problem for problem in problems if "while it was paused" in problem]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_cancelled_run_keeps_finished_cells_and_stays_cancelled(
    dialect: Dialect, install: Install
) -> None:
    installation = install(dialect)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    installation.add_budget("100")
    run_id = installation.start_run(cases=100)
    installation.until(run_id, lambda run: run["done_count"] >= 8)
    answers = hammer(installation, run_id, "pause", "resume", "cancel")

    assert set(answers) <= {200, 409}
    assert installation.run(run_id)["state"] == "cancelled"
    installation.until(run_id, lambda _: "reserved" not in ledger_states(installation).values())
    assert find_wrong_sums(installation, run_id) == []
    assert find_wrong_money(installation, installation.provider.record()) == []
    before = ledger_states(installation)
    time.sleep(QUIET_SECONDS)
    assert ledger_states(installation) == before
    # Calls that were reserved and not sent yet are released.
    assert set(before.values()) <= {"settled", "released"}
