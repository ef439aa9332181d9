"""Decisions of the improvement loop: stop rules, pruning and early stopping."""

from decimal import Decimal

import numpy as np
import pytest

from edison.kit.money import NANOS_PER_USD
from edison.pipeline.aggregate.sequence import SequentialDecision
from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.refine.early_stop import look_at
from edison.pipeline.refine.prune import find_weak_variants
from edison.pipeline.refine.stop import (
    LoopProgress,
    Stop,
    StopReason,
    StopRules,
    find_stop,
    list_stops,
)
from tests.pipeline.aggregate.tables import table_of

RULES = StopRules(
    max_iterations=5, max_cost_nanos=2 * NANOS_PER_USD, max_tokens=1_000_000, min_improvement=0.02
)


def test_a_loop_continues_while_no_stop_rule_holds() -> None:
    progress = LoopProgress(
        composites=(0.4, 0.5, 0.6),
        cost_nanos=2 * NANOS_PER_USD - 1,
        tokens=999_999,
        has_suggestion=True,
    )
    assert find_stop(RULES, progress) is None
    assert find_stop(RULES, LoopProgress(composites=())) is None


def test_all_stop_reasons_are_listed_and_the_first_counts() -> None:
    progress = LoopProgress(
        composites=(0.5, 0.6, 0.62, 0.61, 0.61),
        cost_nanos=2_500_000_000,
        tokens=1_200_000,
        has_suggestion=False,
    )
    stops = list_stops(RULES, progress)
    assert stops == (
        Stop(reason=StopReason.MAX_ITERATIONS, message="5 of 5 iterations are done."),
        Stop(reason=StopReason.BUDGET, message="The budget is used up: $2.50 of $2.00 spent."),
        Stop(reason=StopReason.TOKENS, message="1,200,000 of 1,000,000 tokens are used up."),
        Stop(
            reason=StopReason.CONVERGED,
            message="Converged: the last iteration scored 6.10, -1.6% against the best of the 2 "
            "before it (6.20); +2.0% was asked for.",
        ),
        Stop(
            reason=StopReason.NO_SUGGESTION,
            message="The last iteration ended without a suggestion.",
        ),
    )
    assert find_stop(RULES, progress) == stops[0]


@pytest.mark.parametrize(
    ("window", "composites", "is_converged"),
    [
        (3, (0.5, 0.5), False),
        (3, (0.5, 0.5, 0.5), True),
        # Reaching the target exactly is enough.
        (3, (0.25, 0.5, 0.51), False),
        (3, (0.25, 0.5, 0.509), True),
        # Only the window counts.
        (3, (0.9, 0.5, 0.5, 0.6), False),
        (3, (0.9, 0.5, 0.95, 0.6), True),
        (1, (0.5,), False),
        (1, (0.5, 0.5), True),
        (2, (0.5, 0.6), False),
        # Unscored iterations do not count.
        (2, (0.5, None, 0.5), True),
        (3, (0.5, None, 0.5), False),
        # A relative improvement over zero does not count.
        (2, (0.0, 0.1), False),
        (2, (0.0, 0.0), True),
    ],
)
def test_convergence_compares_the_last_with_the_best_of_its_window(
    window: int, composites: tuple[float | None, ...], is_converged: bool
) -> None:
    stop = find_stop(StopRules(convergence_window=window), LoopProgress(composites=composites))
    assert (stop is not None) == is_converged


@pytest.mark.parametrize("best", [number / 100 for number in range(5, 95)])
@pytest.mark.parametrize("percent", [1, 2, 3, 5])
def test_an_improvement_that_is_exactly_reached_is_enough(best: float, percent: int) -> None:
    rules = StopRules(convergence_window=2, min_improvement=percent / 100)
    reached = float(round(Decimal(str(best)) * (100 + percent) / 100, 10))
    assert find_stop(rules, LoopProgress(composites=(best, reached))) is None
    missed = reached - best / 10_000
    assert find_stop(rules, LoopProgress(composites=(best, missed))) is not None


def test_a_missing_suggestion_stops_only_if_configured() -> None:
    progress = LoopProgress(composites=(0.5,), has_suggestion=False)
    assert find_stop(StopRules(stops_without_suggestion=False), progress) is None
    # Not refined yet differs from refined without a suggestion.
    assert find_stop(StopRules(), LoopProgress(composites=(0.5,))) is None


def test_variants_are_dropped_only_with_evidence_and_not_at_once() -> None:
    random = np.random.default_rng(7)
    base = random.uniform(0.4, 0.6, 24)
    scores = {"good": base + 0.3, "like": base + 0.3 + random.normal(0, 0.1, 24), "weak": base}
    table = table_of(
        [
            (case, variant, "judge", "c1", 0, float(np.clip(values[case], 0, 1)))
            for variant, values in scores.items()
            for case in range(24)
        ],
        weights={"c1": 1},
        cases=24,
        variants=("weak", "good", "like"),
    )
    summary = summarise(table, resamples=50)
    assert find_weak_variants(summary, iteration=1) == ()
    (found,) = find_weak_variants(summary, iteration=2)
    assert (found.variant, found.best) == ("weak", "good")
    assert found.message == (
        "Scores 3.00 of 10 points less than the best variant on 24 cases (p = 0.000)."
    )
    assert find_weak_variants(summarise(table.where(table.case < 1)), iteration=2) == ()


def test_a_clear_winner_needs_fewer_cases_than_planned() -> None:
    random = np.random.default_rng(3)
    before = random.uniform(0.3, 0.7, 100)
    after = before + random.normal(0.1, 0.05, 100)
    unseen = np.full(40, np.nan)
    early = look_at(before, np.concatenate([after[:60], unseen]), planned_cases=100)
    assert (early.look.decision, early.is_decided) == (SequentialDecision.BETTER, True)
    assert early.message == "Better after 60 of 100 cases."
    few = look_at(before[:10], after[:10], planned_cases=100)
    assert (few.is_decided, few.message) == (False, "Not decided after 10 of 100 cases.")
    worse = look_at(after[:60], before[:60], planned_cases=100)
    assert worse.message == "Worse after 60 of 100 cases."
    same = look_at(before[:60], before[:60] + random.normal(0, 0.01, 60), planned_cases=100)
    assert same.message == "Too close to go on after 60 of 100 cases."
    noisy = look_at(before[:25], before[:25] + random.normal(0, 0.2, 25), planned_cases=25)
    assert (noisy.is_decided, noisy.message) == (True, "All 25 cases are scored.")
