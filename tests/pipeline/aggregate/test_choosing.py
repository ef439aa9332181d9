"""When to stop a comparison, and which variants are worth their cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.aggregate.pareto import pareto_front
from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.aggregate.sequence import (
    FEWEST_CASES,
    FINAL_ALPHA,
    SequentialDecision,
    look,
    radius,
)
from edison.pipeline.aggregate.table import Floats
from tests.pipeline.aggregate.tables import NAN, unhurried

LOOKS = tuple(range(FEWEST_CASES, FEWEST_CASES + 48 * 5, 5))


def is_ever_alarmed(differences: Floats, reach: list[float]) -> Floats:
    """Per column, whether the mean is ever farther from 0 than `reach` standard deviations."""
    counts = np.array(LOOKS)[:, None]
    sums = np.cumsum(differences, axis=0)[counts[:, 0] - 1]
    squares = np.cumsum(differences**2, axis=0)[counts[:, 0] - 1]
    spread = np.sqrt((squares - sums**2 / counts) / (counts - 1))
    return np.any(np.abs(sums / counts) > spread * np.array(reach)[:, None], axis=0)


@pytest.mark.parametrize(
    "shape",
    [
        lambda random, size: random.normal(size=size),
        lambda random, size: random.choice([-1.0, 0.0, 0.0, 0.0, 1.0], size=size),
        lambda random, size: random.beta(2, 6, size=size) - 0.25,
    ],
    ids=["normal", "pass or fail", "skewed"],
)
def test_48_looks_give_at_most_5_percent_false_alarms(shape: object) -> None:
    """4,000 comparisons of equals. A t-test at each look gives five times as many."""
    assert callable(shape)
    differences = shape(np.random.default_rng(61), (max(LOOKS), 4_000))
    assert len(LOOKS) == 48
    sequence = [radius(count, planned_cases=max(LOOKS)) for count in LOOKS]
    assert is_ever_alarmed(differences, sequence).mean() <= 0.05
    naive = [t_quantile(0.975, count - 1) / np.sqrt(count) for count in LOOKS]
    assert is_ever_alarmed(differences, naive).mean() > 0.2


def test_the_radius_of_an_example_worked_by_hand() -> None:
    """rho^2 = (5.9915 + log 6.9915) / 100 = 0.079362; at 100 cases sqrt(2 * 8.9362 / (10,000 *
    0.079362) * log(sqrt(8.9362) / 0.05)) = 0.30352; times t over z, 1.98422 / 1.95996."""
    assert radius(100, planned_cases=100) == pytest.approx(0.30352 * 1.98422 / 1.95996, rel=1e-4)


def test_the_sequence_is_narrowest_where_it_was_planned_to_be() -> None:
    at_100 = {planned: radius(100, planned_cases=planned) for planned in (30, 100, 1_000)}
    assert min(at_100, key=lambda planned: at_100[planned]) == 100


def test_decisions_are_better_worse_too_close_and_continue() -> None:
    noise = np.random.default_rng(62).normal(0, 0.1, size=300)
    noise -= noise.mean()
    decisions = [
        look(noise + shift, planned_cases=300, worthwhile=worthwhile).decision
        for shift, worthwhile in ((0.1, 0.0), (-0.1, 0.0), (0.0, 0.05), (0.0, 0.001))
    ]
    assert decisions == [
        SequentialDecision.BETTER,
        SequentialDecision.WORSE,
        SequentialDecision.TOO_CLOSE,
        SequentialDecision.CONTINUE,
    ]


def test_a_comparison_without_hope_is_too_close() -> None:
    """Half way without any difference; one of 0.02 from here on would give a sum of 2 +- 1, and
    2.05 * 0.1 * sqrt(200) = 2.9 is needed: a chance of 18 %. For one of 0.022 it is 25 %."""
    even = np.tile([-0.1, 0.1], 50)
    assert look(even, planned_cases=200, worthwhile=0.02).decision is SequentialDecision.TOO_CLOSE
    assert look(even, planned_cases=200, worthwhile=0.022).decision is SequentialDecision.CONTINUE


def test_stopping_early_keeps_false_alarms_and_saves_cases() -> None:
    """1,000 comparisons of equals, and as many of a clear difference, looked at every 10 cases."""
    random = np.random.default_rng(63)
    false_alarms, cases_used = ended(random, 0.0, comparisons=1_000)
    assert false_alarms <= 0.05
    assert cases_used < 0.8
    found, cases_used = ended(random, 0.4, comparisons=200)
    assert found >= 0.99
    assert cases_used < 0.6


def ended(random: np.random.Generator, effect: float, *, comparisons: int) -> tuple[float, float]:
    """The share in which a difference was found, and of the planned cases what that took."""
    planned = 200
    found = used = 0
    for differences in random.normal(effect, 1.0, size=(comparisons, planned)):
        for count in range(FEWEST_CASES, planned, 10):
            seen = look(differences[:count], planned_cases=planned, worthwhile=0.2)
            if seen.decision is not SequentialDecision.CONTINUE:
                found += seen.decision is not SequentialDecision.TOO_CLOSE
                used += count
                break
        else:
            needed = t_quantile(1 - FINAL_ALPHA / 2, planned - 1)
            t = differences.mean() / differences.std(ddof=1) * np.sqrt(planned)
            found += abs(t) > needed
            used += planned
    return found / comparisons, used / comparisons / planned


def test_few_cases_decide_nothing() -> None:
    early = look(np.full(FEWEST_CASES - 1, 0.5), planned_cases=100)
    assert (early.decision, early.interval, early.difference) == (
        SequentialDecision.CONTINUE,
        None,
        0.5,
    )
    nothing = look(np.array([NAN]), planned_cases=100)
    assert (nothing.difference, nothing.cases) == (None, 0)


def test_equal_scores_are_too_close_once_there_are_enough() -> None:
    equal = np.zeros(FEWEST_CASES)
    assert look(equal, planned_cases=100, worthwhile=0.01).decision is SequentialDecision.TOO_CLOSE
    assert look(equal, planned_cases=100).decision is SequentialDecision.CONTINUE


def test_the_pareto_front_contains_undominated_variants() -> None:
    scores = np.array([0.9, 0.8, 0.8, 0.7, 0.6, NAN, 0.95])
    costs = np.array([10.0, 5.0, 5.0, 6.0, 1.0, 0.0, NAN])
    front = pareto_front(scores, costs)
    assert front.tolist() == [True, True, True, False, True, False, False]
    assert pareto_front(np.array([]), np.array([])).tolist() == []


def test_a_second_cost_can_keep_a_variant_on_the_front() -> None:
    scores = np.array([0.9, 0.8])
    assert pareto_front(scores, np.array([1.0, 2.0])).tolist() == [True, False]
    with_latency = np.array([[1.0, 9.0], [2.0, 3.0]])
    assert pareto_front(scores, with_latency).tolist() == [True, True]


@unhurried
@given(points=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_everything_off_the_front_is_beaten_by_something_on_it(
    points: list[tuple[int, int]],
) -> None:
    scores, costs = np.array(points, dtype=float).T
    front = pareto_front(scores, costs)
    assert front.any()
    for at in np.flatnonzero(~front):
        no_worse = (scores >= scores[at]) & (costs <= costs[at]) & front
        assert ((scores > scores[at]) | (costs < costs[at]))[no_worse].any()
