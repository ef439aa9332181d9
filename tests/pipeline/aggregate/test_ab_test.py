"""Decisions of A/B tests: at every look, at the planned end, and when the money ends."""

import numpy as np
import pytest
from scipy import stats

from edison.pipeline.aggregate.ab_test import (
    AbPlan,
    AbRecommendation,
    AbStop,
    decide,
    pair_arrivals,
)
from edison.pipeline.aggregate.results import PairedTest
from edison.pipeline.aggregate.sequence import EARLY_ALPHA, FEWEST_CASES, FINAL_ALPHA, radius
from edison.pipeline.aggregate.table import Floats

PLAN = AbPlan(pairs=200, worthwhile=0.05)


def sides(count: int, *, effect: float, spread: float = 0.1) -> tuple[Floats, Floats]:
    """The differences have exactly this mean and about this spread."""
    random = np.random.default_rng(count)
    first = random.uniform(0.3, 0.7, count)
    noise = random.normal(0, spread, count)
    return first, first + effect + noise - noise.mean()


@pytest.mark.parametrize(
    ("effect", "expected"),
    [(0.3, AbRecommendation.TAKE_SECOND), (-0.3, AbRecommendation.KEEP_FIRST)],
)
def test_a_clear_difference_decides_early(effect: float, expected: AbRecommendation) -> None:
    found = decide(*sides(80, effect=effect), PLAN)
    assert (found.stop, found.recommendation) == (AbStop.DECIDED, expected)
    assert found.test is PairedTest.CONFIDENCE_SEQUENCE
    assert found.difference == pytest.approx(effect)
    assert found.pairs == 80


def test_the_interval_of_a_look_is_the_confidence_sequence() -> None:
    first, second = sides(100, effect=0.02)
    found = decide(first, second, PLAN)
    half = np.std(second - first, ddof=1) * radius(100, planned_cases=100, alpha=EARLY_ALPHA)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.02 - half)
    assert found.interval.high == pytest.approx(0.02 + half)


def test_few_pairs_decide_nothing() -> None:
    found = decide(*sides(FEWEST_CASES - 1, effect=0.3), PLAN)
    assert (found.stop, found.recommendation) == (None, AbRecommendation.CANNOT_TELL)
    assert found.interval is None
    none = decide(np.array([]), np.array([]), PLAN)
    assert (none.pairs, none.difference, none.stop) == (0, None, None)


def test_the_planned_end_is_an_ordinary_test_at_what_is_left_of_alpha() -> None:
    first, second = sides(200, effect=0.025, spread=0.15)
    found = decide(first, second, PLAN)
    expected = stats.ttest_rel(second, first).pvalue
    assert found.p_value == pytest.approx(expected, abs=0.005)
    assert expected < FINAL_ALPHA
    assert (found.stop, found.recommendation) == (AbStop.COMPLETE, AbRecommendation.TAKE_SECOND)
    assert found.interval is not None
    assert found.interval.low > 0


def test_pairs_beyond_the_plan_are_ignored() -> None:
    first, second = sides(260, effect=0.1, spread=0.3)
    assert decide(first, second, PLAN) == decide(first[:200], second[:200], PLAN)


def test_no_worthwhile_difference_at_the_end_leaves_the_choice() -> None:
    found = decide(*sides(200, effect=0.002), PLAN)
    assert (found.stop, found.recommendation) == (AbStop.COMPLETE, AbRecommendation.EITHER)
    assert found.equivalence is not None
    assert found.equivalence.margin == PLAN.worthwhile


def test_a_wide_interval_at_the_end_cannot_tell() -> None:
    found = decide(*sides(200, effect=0.01, spread=0.5), PLAN)
    assert (found.stop, found.recommendation) == (AbStop.COMPLETE, AbRecommendation.CANNOT_TELL)


def test_a_test_without_hope_stops_as_futile() -> None:
    found = decide(*sides(150, effect=0.0, spread=0.5), PLAN)
    assert (found.stop, found.recommendation) == (AbStop.FUTILE, AbRecommendation.CANNOT_TELL)


def test_a_small_interval_proves_that_either_will_do() -> None:
    found = decide(*sides(150, effect=0.001, spread=0.05), PLAN)
    assert (found.stop, found.recommendation) == (AbStop.FUTILE, AbRecommendation.EITHER)


@pytest.mark.parametrize(
    ("has_money", "is_stopped", "expected"),
    [
        (True, False, None),
        (False, False, AbStop.OUT_OF_MONEY),
        (True, True, AbStop.STOPPED),
        (False, True, AbStop.STOPPED),
    ],
)
def test_an_undecided_test_ends_with_its_money_or_by_a_person(
    has_money: bool, is_stopped: bool, expected: AbStop | None
) -> None:
    found = decide(*sides(70, effect=0.03), PLAN, has_money=has_money, is_stopped=is_stopped)
    assert (found.stop, found.recommendation) == (expected, AbRecommendation.CANNOT_TELL)


def test_a_decided_test_stays_decided_without_money() -> None:
    found = decide(*sides(80, effect=0.3), PLAN, has_money=False, is_stopped=True)
    assert found.stop is AbStop.DECIDED


def test_missing_scores_leave_their_pair_out() -> None:
    first, second = sides(90, effect=0.02)
    with_gaps = first.copy()
    with_gaps[::3] = np.nan
    kept = ~np.isnan(with_gaps)
    assert decide(with_gaps, second, PLAN) == decide(first[kept], second[kept], PLAN)


def test_recorded_answers_are_paired_by_arrival() -> None:
    first = np.array([0.1, np.nan, 0.2, 0.3, 0.4])
    second = np.array([0.9, 0.8, 0.7])
    left, right = pair_arrivals(first, second)
    assert left.tolist() == [0.1, 0.2, 0.3]
    assert right.tolist() == [0.9, 0.8, 0.7]
