"""Model insight: every name comes with evidence, or with the reason why there is none."""

from decimal import Decimal

import numpy as np
import pytest

from edison.pipeline.aggregate.advice import (
    Advice,
    AdviceReason,
    ModelRecord,
    compare_models,
    find_cheaper,
    recommend,
)
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.aggregate.table import Floats

CASES = 60


def record(
    key: str, scores: Floats, *, cost: float | None = 1.0, seconds: Floats | float = 1.0
) -> ModelRecord:
    times = np.broadcast_to(seconds, scores.shape)
    return ModelRecord(
        key=key,
        scores={f"case {at}": float(score) for at, score in enumerate(scores)},
        cost=cost,
        seconds={f"case {at}": float(each) for at, each in enumerate(times)},
    )


def quality(seed: int, mean: float, *, cases: int = CASES, spread: float = 0.03) -> Floats:
    """Scores of cases that are equally difficult for all models."""
    difficulty = np.random.default_rng(99).normal(0, 0.1, cases)
    noise = np.random.default_rng(seed).normal(0, spread, cases)
    return np.clip(mean + difficulty - difficulty.mean() + noise - noise.mean(), 0, 1)


def test_the_most_accurate_model_is_separated_from_all_others() -> None:
    records = [record("a", quality(1, 0.6)), record("b", quality(2, 0.75))]
    found = compare_models([*records, record("c", quality(3, 0.5))]).most_accurate
    assert (found.key, found.reason, found.cases) == ("b", AdviceReason.SEPARATED, CASES)
    assert found.comparison is not None
    assert {found.comparison.baseline, found.comparison.other} == {"a", "b"}
    assert found.comparison.verdict in (Verdict.BETTER, Verdict.WORSE)


def test_models_that_a_test_does_not_separate_are_named() -> None:
    records = [
        record("a", quality(1, 0.70, spread=0.2)),
        record("b", quality(2, 0.71, spread=0.2)),
        record("c", quality(3, 0.3)),
    ]
    found = compare_models(records).most_accurate
    assert (found.key, found.leading, found.undecided) == (None, "b", ["a"])
    assert found.reason is AdviceReason.NOT_SEPARATED
    assert found.comparison is not None
    assert found.comparison.verdict is Verdict.NO_EVIDENCE


def test_only_cases_that_all_models_have_count() -> None:
    easy = record("a", np.append(quality(1, 0.6), np.ones(200)))
    found = compare_models([easy, record("b", quality(2, 0.75))]).most_accurate
    assert (found.key, found.cases) == ("b", CASES)


def test_the_fastest_model_is_separated_by_factors() -> None:
    random = np.random.default_rng(4)
    slow = random.lognormal(0.0, 0.3, CASES)
    fast = slow / 2 * random.lognormal(0.0, 0.1, CASES)
    scores = quality(1, 0.6)
    records = [record("slow", scores, seconds=slow), record("fast", scores, seconds=fast)]
    found = compare_models(records).fastest
    assert (found.key, found.reason) == ("fast", AdviceReason.SEPARATED)
    assert found.factor == pytest.approx(np.exp(np.mean(np.log(slow / fast))))
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert found.comparison is None


def test_one_slow_answer_makes_no_model_the_fastest() -> None:
    random = np.random.default_rng(5)
    times = [random.lognormal(0.0, 0.3, CASES) for _ in range(2)]
    times[0][0] = 600.0
    records = [record(f"{at}", quality(1, 0.6), seconds=each) for at, each in enumerate(times)]
    found = compare_models(records).fastest
    assert (found.key, found.reason) == (None, AdviceReason.NOT_SEPARATED)


def test_the_best_value_is_the_cheapest_that_is_proven_as_good() -> None:
    records = [
        record("top", quality(1, 0.80), cost=10.0),
        record("good", quality(2, 0.795), cost=3.0),
        record("also good", quality(3, 0.796), cost=5.0),
        record("bad", quality(4, 0.5), cost=1.0),
    ]
    found = compare_models(records).best_value
    assert (found.key, found.reason) == ("good", AdviceReason.AS_GOOD_AND_CHEAPER)
    assert found.leading == "top"
    assert found.comparison is not None
    assert found.comparison.equivalence is not None


def test_no_evidence_of_a_difference_is_no_proof_of_value() -> None:
    records = [
        record("top", quality(1, 0.72, cases=20, spread=0.2), cost=10.0),
        record("cheap", quality(2, 0.70, cases=20, spread=0.2), cost=1.0),
    ]
    found = compare_models(records).best_value
    assert (found.key, found.reason) == (None, AdviceReason.NOT_SEPARATED)
    assert (found.leading, found.undecided) == ("top", ["cheap"])


def test_the_best_model_is_worth_its_price_when_cheaper_ones_are_worse() -> None:
    records = [record("top", quality(1, 0.8), cost=10.0), record("bad", quality(2, 0.5), cost=1.0)]
    found = compare_models(records).best_value
    assert (found.key, found.reason) == ("top", AdviceReason.CHEAPER_ONES_WORSE)


def test_the_best_and_cheapest_model_is_the_best_value() -> None:
    records = [record("top", quality(1, 0.8), cost=1.0), record("bad", quality(2, 0.5), cost=1.0)]
    found = compare_models(records).best_value
    assert (found.key, found.reason) == ("top", AdviceReason.BEST_AND_CHEAPEST)


def test_without_prices_nothing_is_said_about_value() -> None:
    records = [record("a", quality(1, 0.8), cost=None), record("b", quality(2, 0.5))]
    found = compare_models(records).best_value
    assert (found.key, found.reason) == (None, AdviceReason.NO_PRICES)


@pytest.mark.parametrize("cases", [0, 4])
def test_too_few_shared_cases_tell_nothing(cases: int) -> None:
    insight = compare_models([record("a", np.ones(cases)), record("b", np.zeros(30))])
    expected = Advice(key=None, reason=AdviceReason.TOO_FEW_CASES, cases=cases)
    assert insight.most_accurate == insight.fastest == insight.best_value == expected


def test_one_model_or_none() -> None:
    only = compare_models([record("a", quality(1, 0.6))])
    assert (only.most_accurate.key, only.most_accurate.reason) == ("a", AdviceReason.ONLY_MODEL)
    assert compare_models([]).best_value.reason is AdviceReason.NO_MODEL


def test_the_cheapest_model_of_proven_quality_is_recommended() -> None:
    records = [
        record("top", quality(1, 0.9), cost=9.0),
        record("good", quality(2, 0.8), cost=2.0),
        record("near", quality(3, 0.71), cost=1.0),
    ]
    found = recommend(records, required_quality=0.7)
    assert (found.key, found.reason) == ("good", AdviceReason.QUALITY_PROVEN)
    assert found.estimate is not None
    assert found.estimate.interval is not None
    assert found.estimate.interval.low >= 0.7
    higher = recommend(records, required_quality=0.85)
    assert higher.key == "top"


@pytest.mark.parametrize(
    ("required", "max_cost", "reason", "leading"),
    [
        (0.8, 0.5, AdviceReason.NOTHING_AFFORDABLE, None),
        (0.71, 5.0, AdviceReason.QUALITY_NOT_PROVEN, "near"),
        (0.99, 5.0, AdviceReason.QUALITY_NOT_REACHED, "near"),
    ],
)
def test_no_recommendation_without_proof(
    required: float, max_cost: float, reason: AdviceReason, leading: str | None
) -> None:
    records = [
        record("top", quality(1, 0.9), cost=9.0),
        record("near", quality(3, 0.71), cost=1.0),
        record("free of any price", quality(2, 0.9), cost=None),
    ]
    found = recommend(records, required_quality=required, max_cost=max_cost)
    assert (found.key, found.reason, found.leading) == (None, reason, leading)


def test_models_without_scores_are_not_recommended() -> None:
    assert recommend([], required_quality=0.5).reason is AdviceReason.NO_MODEL
    empty = record("a", np.array([]))
    assert recommend([empty], required_quality=0.5).reason is AdviceReason.TOO_FEW_CASES


def test_only_a_lower_price_is_cheaper() -> None:
    costs = {"top": Decimal(2), "same": Decimal(2), "less": Decimal(1), "unknown": None}
    assert find_cheaper("top", costs, ["same", "less", "unknown"]) == "less"
    assert find_cheaper("top", costs, ["same", "unknown"]) is None
    assert find_cheaper("unknown", costs, ["less"]) is None
