"""The recommended model of a report: by held-out cases, evidence, and price."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from edison.loops.experiments.reports.recommend import recommend_model
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.runs.results.schemas.statistics import ComparisonVerdict


def a_mean(value: float) -> dict[str, Any]:
    return {"value": value, "interval": {"low": value - 0.1, "high": value + 0.1}, "cases": 30}


def a_variant(name: str, train: float, holdout: float | None, price: str | None) -> dict[str, Any]:
    return {
        "key": name,
        "label": name,
        "model_id": None,
        "model_name": name,
        "is_simulated": False,
        "train": a_mean(train),
        "holdout": None if holdout is None else a_mean(holdout),
        "win_rate": None,
        "cost_usd": "1",
        "cost_per_answer_usd": price,
        "latency_p50_seconds": 0.5,
        "failed": 0,
    }


def metrics_of(*variants: dict[str, Any]) -> IterationMetrics:
    counts = ("answers", "failed", "malformed", "safety_findings", "unscored")
    tokens = ("execution_tokens", "judging_tokens", "execution_nanos", "judging_nanos")
    return IterationMetrics.model_validate(
        {
            "train": a_mean(0.5),
            "holdout": a_mean(0.5),
            "change": None,
            "against_first": None,
            "variants": list(variants),
            "criteria": [],
            **dict.fromkeys((*counts, *tokens), 0),
            "is_unjudged": False,
        }
    )


def a_comparison(
    baseline: int,
    other: int,
    verdict: str,
    as_good: tuple[bool, bool] | None = None,
) -> ComparisonVerdict:
    """`as_good`: whether the baseline is as good, and whether the other one is."""
    baseline_is, other_is = as_good or (verdict == "no_evidence",) * 2
    return ComparisonVerdict.model_validate(
        {
            "baseline": baseline,
            "other": other,
            "baseline_mean": 0.5,
            "other_mean": 0.5,
            "difference": {
                "value": 0.0,
                "interval": {"low": -0.04, "high": 0.04},
                "cases": 30,
            },
            "verdict": verdict,
            "p_value": 0.5,
            "adjusted_p_value": 0.5,
            "effect_size": 0.0,
            "minimum_detectable_effect": 0.1,
            "cases_needed": 9,
            "improved": 1,
            "regressed": 1,
            "unchanged": 28,
            "equivalence": {
                "margin": 0.05,
                "cases": 30,
                "interval": {"low": -0.03, "high": 0.03},
                "baseline_is_as_good": baseline_is,
                "other_is_as_good": other_is,
                "reason": "Shown by two one-sided tests.",
            },
        }
    )


LEARNED = a_variant("learned", 0.9, 0.6, "0.010")
STEADY = a_variant("steady", 0.7, 0.8, "0.020")
CHEAP = a_variant("cheap", 0.6, 0.7, "0.001")


@pytest.mark.parametrize(
    ("verdicts", "chosen"),
    [
        # Worse than the best on held-out cases, however well it did on train cases.
        ({(0, 1): "better", (1, 2): "worse"}, "steady"),
        # The cheapest is as good as the best.
        ({(0, 1): "better", (1, 2): "no_evidence"}, "cheap"),
        # The cheapest of those as good as the best.
        ({(0, 1): "no_evidence", (1, 2): "no_evidence"}, "cheap"),
        ({(0, 1): "no_evidence", (1, 2): "worse"}, "learned"),
        # A variant without a comparison does not count as equal.
        ({}, "steady"),
    ],
)
def test_recommends_the_best_or_a_cheaper_equal_model_on_holdout_cases(
    verdicts: dict[tuple[int, int], str], chosen: str
) -> None:
    comparisons = [a_comparison(*pair, verdict) for pair, verdict in verdicts.items()]
    found = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), comparisons)
    assert found is not None
    assert found.label == chosen


def test_the_reasons_have_the_figures() -> None:
    best = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), [])
    assert best is not None
    assert (best.score.value, best.cost_per_answer_usd) == (0.8, Decimal("0.020"))
    assert best.reasons == [
        "Highest score of 3 variants: 8.0/10.",
        "Cost per answer: $0.02.",
    ]
    equal = [a_comparison(1, 2, "no_evidence")]
    cheaper = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), equal)
    assert cheaper is not None
    assert cheaper.reasons[0] == ("As good as steady (7.0/10 against 8.0/10) at a lower cost.")
    assert cheaper.reasons[1] == "Shown by two one-sided tests."


def test_pruned_variants_are_never_recommended() -> None:
    equal = [a_comparison(1, 2, "no_evidence"), a_comparison(0, 1, "no_evidence")]
    found = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), equal, ["cheap"])
    assert found is not None
    assert found.label == "learned"


@pytest.mark.parametrize(
    ("comparison", "chosen"),
    [
        (a_comparison(1, 2, "no_evidence", (False, True)), "cheap"),
        (a_comparison(1, 2, "no_evidence", (True, False)), "steady"),
        (a_comparison(2, 1, "no_evidence", (True, False)), "cheap"),
        (a_comparison(2, 1, "no_evidence", (False, True)), "steady"),
    ],
)
def test_an_inconclusive_difference_does_not_count_as_equal(
    comparison: ComparisonVerdict, chosen: str
) -> None:
    found = recommend_model(
        metrics_of(STEADY | {"label": "-", "holdout": a_mean(0.1)}, STEADY, CHEAP), [comparison]
    )
    assert found is not None
    assert found.label == chosen


def test_without_held_out_cases_or_prices_the_highest_score_counts() -> None:
    first, second = a_variant("a", 0.6, None, None), a_variant("b", 0.7, None, None)
    found = recommend_model(metrics_of(first, second), [a_comparison(0, 1, "no_evidence")])
    assert found is not None
    assert (found.label, found.score.value) == ("b", 0.7)
    alone = recommend_model(metrics_of(first), [])
    assert alone is not None
    assert alone.reasons == ["The only variant tested."]
    assert recommend_model(None, []) is None


@pytest.mark.parametrize("pruned", [[], ["steady"], ["cheap", "steady"]])
def test_what_a_comparison_calls_worse_is_never_recommended(pruned: list[str]) -> None:
    """Whatever the verdicts are, and even if it is as good within the margin and costs less."""
    names = ("learned", "steady", "cheap")
    pairs = ((0, 1), (0, 2), (1, 2))
    for verdicts in product(("better", "worse", "no_evidence"), repeat=len(pairs)):
        comparisons = [
            a_comparison(*pair, verdict, (True, True))
            for pair, verdict in zip(pairs, verdicts, strict=True)
        ]
        found = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), comparisons, pruned)
        worse = {
            names[left if verdict == "better" else right]
            for (left, right), verdict in zip(pairs, verdicts, strict=True)
            if verdict != "no_evidence" and not {names[left], names[right]} & set(pruned)
        }
        if found is None:
            assert worse | set(pruned) == set(names)
        else:
            assert found.label not in worse | set(pruned)


def test_the_reasons_say_when_the_evidence_is_missing() -> None:
    unclear = [a_comparison(1, 2, "no_evidence", (False, False))]
    found = recommend_model(metrics_of(LEARNED, STEADY, CHEAP), unclear)
    assert found is not None
    assert found.reasons[-1] == "Not enough evidence that it differs from cheap."
