"""Agreement beyond chance, against published examples."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.aggregate.agreement import (
    Metric,
    agreements,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from edison.pipeline.aggregate.results import Raters
from edison.pipeline.aggregate.table import Floats
from tests.pipeline.aggregate.tables import NAN, Row, table_of, unhurried

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve
# units, gaps.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


@pytest.mark.parametrize(
    ("metric", "published"),
    [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849)],
)
def test_alpha_of_krippendorffs_own_example(metric: Metric, published: float) -> None:
    alpha = krippendorff_alpha(OBSERVERS, metric)
    assert alpha is not None
    assert round(alpha, 3) == published


@unhurried
@given(
    ratings=st.lists(
        st.lists(st.integers(0, 4) | st.just(NAN), min_size=4, max_size=4), min_size=2, max_size=4
    ),
    metric=st.sampled_from(Metric),
)
def test_alpha_equals_its_definition(ratings: list[list[float]], metric: Metric) -> None:
    """Against the definition by coincidences, pair by pair."""
    values = np.array(ratings, dtype=float)
    expected = _alpha_by_definition(values, metric)
    assert krippendorff_alpha(values, metric) == (
        None if expected is None else pytest.approx(expected, abs=1e-9)
    )


def _alpha_by_definition(ratings: Floats, metric: Metric) -> float | None:
    units = [[float(value) for value in unit if not np.isnan(value)] for unit in ratings.T]
    units = [unit for unit in units if len(unit) >= 2]
    pooled = [value for unit in units for value in unit]

    def distance(one: float, other: float) -> float:
        if metric is Metric.NOMINAL:
            return float(one != other)
        if metric is Metric.INTERVAL:
            return (one - other) ** 2
        low, high = sorted((one, other))
        between = sum(low <= value <= high for value in pooled)
        return float(between - (pooled.count(low) + pooled.count(high)) / 2) ** 2

    observed = sum(
        distance(one, other) / (len(unit) - 1)
        for unit in units
        for one, other in itertools.permutations(unit, 2)
    )
    expected = sum(distance(one, other) for one, other in itertools.permutations(pooled, 2))
    return 1 - (len(pooled) - 1) * observed / expected if expected else None


def test_agreement_of_too_few_or_equal_ratings_is_unknown() -> None:
    assert krippendorff_alpha(np.empty((2, 0)), Metric.NOMINAL) is None
    assert krippendorff_alpha(np.array([[1.0, NAN], [NAN, 2.0]]), Metric.INTERVAL) is None
    assert krippendorff_alpha(np.full((3, 9), 0.8), Metric.ORDINAL) is None
    assert cohen_kappa(np.array([], dtype=int), np.array([], dtype=int)) is None
    assert cohen_kappa(np.zeros(5, dtype=int), np.zeros(5, dtype=int)) is None
    assert fleiss_kappa(np.empty((0, 2), dtype=int)) is None
    assert fleiss_kappa(np.array([[3, 0], [3, 0]])) is None


def test_cohens_kappa_of_a_published_example() -> None:
    """Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions, table 18.1: two
    raters diagnose 100 people; kappa is 0.676."""
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    pairs = [
        (row, column)
        for row, column in itertools.product(range(3), repeat=2)
        for _ in range(table[row][column])
    ]
    first, second = np.array(pairs).T
    kappa = cohen_kappa(first, second)
    assert kappa is not None
    assert round(kappa, 3) == 0.676


def test_fleiss_kappa_of_a_published_example() -> None:
    """statsmodels 0.15, fleiss_kappa of the 14 raters, 10 subjects and 5 categories with which
    the measure is usually explained: 0.20993."""
    counts = np.array(
        [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ]
    )
    assert fleiss_kappa(counts) == pytest.approx(0.20993, abs=1e-5)
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa(np.array([[1, 1], [2, 1]]))


def test_agreement_of_judges_and_of_people_on_each_criterion() -> None:
    random = np.random.default_rng(31)
    rows: list[Row] = []
    for case, variant in itertools.product(range(40), "ab"):
        truth = random.uniform(0.2, 0.8)
        for judge in ("first", "second", "third"):
            close = float(np.clip(truth + random.normal(0, 0.05), 0, 1))
            rows.append((case, variant, judge, "Accuracy", 0, close))
            rows.append((case, variant, judge, "Tone", 0, float(random.uniform())))
        rows += [(case, variant, person, None, 0, round(truth)) for person in ("ann", "bob")]
    rows.append((0, "a", "ann", "Tone", 0, 0.5))
    table = table_of(
        rows,
        weights={"Accuracy": 1.0, "Tone": 1.0},
        cases=40,
        variants="ab",
        people=("ann", "bob"),
    )
    accuracy, tone, whole = agreements(table)
    assert (accuracy.raters, accuracy.criterion) == (Raters.JUDGES, "Accuracy")
    assert accuracy.alpha == pytest.approx(0.92, abs=0.03)
    assert (accuracy.outputs, accuracy.cases) == (80, 40)
    assert accuracy.interval is not None
    assert 0.8 < accuracy.interval.low < accuracy.alpha < accuracy.interval.high < 0.96
    assert tone.interval is not None
    assert tone.interval.holds(0.0)
    assert (whole.raters, whole.criterion, whole.alpha) == (Raters.PEOPLE, None, 1.0)
