"""Providers that fail in every way, never answer, or refuse a key during a run: every cell ends,
and every call is charged.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from edison.runs.store.models import Output
from tests.faults.engine.evidence import (
    find_incompleteness,
    find_losses,
    find_wrong_money,
    find_wrong_sums,
    read,
    take_snapshot,
)
from tests.faults.engine.installation import KEYS, MODELS, Install, Installation
from tests.support.empty_databases import Dialect
from tests.support.thorough import rounds

FEW_CASES = 40
CASES = rounds(FEW_CASES, thorough=100)
# Takes seconds, of which revoking a key needs few.
MANY_CASES = 100
FAIR = {"failing": 0.0, "hanging": 0.0, "revoked": ()}


def run_in_bad_weather(
    installation: Installation, cases: int = CASES, **weather: Any
) -> tuple[str, list[str]]:
    """The run, and the problems found."""
    installation.add_budget("100")
    installation.provider.turn(least_seconds=0.0, most_seconds=0.05, **weather)
    run_id = installation.start_run(cases=cases)
    problems = find_incompleteness(installation.finish(run_id))
    problems += find_wrong_sums(installation, run_id)
    problems += find_wrong_money(installation, installation.provider.record())
    return run_id, problems


def retry_in_fair_weather(installation: Installation, run_id: str) -> list[str]:
    """The problems found when all failed cells were retried."""
    before = take_snapshot(installation)
    answered = {asked: row for asked, row in before.finished.items() if row.status == "ok"}
    installation.provider.turn(**FAIR)
    if len(answered) < len(before.finished):
        assert installation.steer(run_id, "retry").is_success
    run = installation.finish(run_id)
    end = take_snapshot(installation)
    problems = find_losses([replace(before, finished=answered)], end)
    problems += find_incompleteness(run) + find_wrong_sums(installation, run_id)
    problems += find_wrong_money(installation, end.record)
    if run["error_count"]:
        problems.append(f"{run['error_count']} cells still fail")
    return problems


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_every_failure_is_retried_or_reported(dialect: Dialect, install: Install) -> None:
    installation = install(dialect, workers=1)
    run_id, problems = run_in_bad_weather(installation, failing=0.3)

    assert problems == []
    assert retry_in_fair_weather(installation, run_id) == []


def test_uncharged_calls_are_detected(install: Install) -> None:
    """The mutant charges nothing for calls that were cut off. With more failures the circuit
    breaker would open for minutes.
    """
    installation = install("sqlite", twin="charges_no_cut_off_calls")
    _, problems = run_in_bad_weather(installation, FEW_CASES, failing=0.3)

    assert [problem for problem in problems if "reported" in problem]


def test_hanging_calls_time_out_and_the_run_continues(install: Install) -> None:
    installation = install("sqlite", settings={"call_timeout_seconds": 1})
    run_id, problems = run_in_bad_weather(installation, hanging=0.05)

    assert problems == []
    assert retry_in_fair_weather(installation, run_id) == []


def test_a_key_that_is_revoked_halts_only_the_variants_that_need_it(install: Install) -> None:
    installation = install("sqlite")
    installation.provider.turn(least_seconds=0.2, most_seconds=0.4)
    run_id = installation.start_run(cases=MANY_CASES)
    installation.until(run_id, lambda run: run["done_count"] >= 8)
    installation.provider.turn(revoked=KEYS[:1])
    run = installation.finish(run_id)

    assert find_incompleteness(run) == []
    assert find_wrong_sums(installation, run_id) == []
    (rows,) = read(installation, select(Output.variant_position, Output.status, Output.error))
    ends = Counter((row.variant_position, row.status, row.error) for row in rows)
    refused = ends.pop((0, "error", "invalid_key"))
    assert ends == {(0, "ok", None): MANY_CASES - refused, (1, "ok", None): MANY_CASES}
    record = installation.provider.record()
    asked = sum(times for name, times in record.received.items() if name.startswith(MODELS[0]))
    # Calls in progress when the first was refused; none is sent after that.
    assert asked < MANY_CASES
    installation.provider.turn(revoked=())
    assert installation.steer(run_id, "retry").is_success
    assert installation.finish(run_id)["error_count"] == 0
