"""Quantiles, Wilson's interval and the bootstrap, against scipy and by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from edison.pipeline.aggregate import bootstrap
from edison.pipeline.aggregate.bootstrap import bca_interval, bca_intervals
from edison.pipeline.aggregate.estimate import estimate_differences, estimate_means
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile, t_share
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.aggregate.wilson import wilson_interval
from tests.pipeline.aggregate.tables import NAN, unhurried
from tests.support.thorough import IS_THOROUGH


def bounds(intervals: list[Interval | None]) -> list[float]:
    return [bound for one in intervals if one is not None for bound in (one.low, one.high)]


@unhurried
@given(share=st.floats(0.0001, 0.9999), freedom=st.integers(1, 20_000))
def test_quantiles_of_t_equal_those_of_scipy(share: float, freedom: int) -> None:
    expected = stats.t.ppf(share, freedom)
    assert t_quantile(share, freedom) == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert t_share(expected, freedom) == pytest.approx(share, abs=1e-9)


@unhurried
@given(z=st.floats(-30, 30))
def test_normal_probabilities_equal_those_of_scipy(z: float) -> None:
    assert normal_share(z) == pytest.approx(stats.norm.cdf(z), rel=1e-10)


def test_impossible_shares_are_far_out_but_finite() -> None:
    assert normal_quantile(0) < -30
    assert normal_quantile(1) > 30
    assert normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)


@unhurried
@given(
    counts=st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    level=st.sampled_from([0.8, 0.95, 0.99]),
)
def test_wilson_is_that_of_scipy(counts: tuple[int, int], level: float) -> None:
    successes, trials = counts
    interval = wilson_interval(successes, trials, level=level)
    expected = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert interval.low == pytest.approx(expected.low, abs=1e-9)
    assert interval.high == pytest.approx(expected.high, abs=1e-9)


def test_wilson_of_a_published_example() -> None:
    """Newcombe 1998, Statistics in Medicine 17:857, table I: 81/263, 15/148, 0/20, 1/29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0000, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, trials), (low, high) in published.items():
        interval = wilson_interval(successes, trials)
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert wilson_interval(0, 0) == Interval(low=0.0, high=1.0)


def test_the_bootstrap_is_that_of_scipy_at_the_widened_level() -> None:
    """On few and skewed scores, where BCa is far from a percentile interval."""
    cases = 25
    scores = np.random.default_rng(5).beta(1, 0.3, size=(cases, 2))
    z = stats.t.ppf(0.975, cases - 1) * math.sqrt(cases / (cases - 1))
    intervals = bca_intervals(scores, resamples=20_000)
    for column, interval in zip(scores.T, intervals, strict=True):
        reference = stats.bootstrap(
            (column,),
            np.mean,
            n_resamples=20_000,
            confidence_level=2 * stats.norm.cdf(z) - 1,
            rng=np.random.default_rng(6),
        )
        error = reference.standard_error
        assert interval is not None
        assert interval.low == pytest.approx(reference.confidence_interval.low, abs=0.15 * error)
        assert interval.high == pytest.approx(reference.confidence_interval.high, abs=0.15 * error)


def test_cases_that_a_column_does_not_have_change_nothing() -> None:
    scores = np.random.default_rng(7).beta(4, 2, size=40)
    columns = np.column_stack([np.append(scores, [NAN] * 20), np.full(60, NAN)])
    alone = bca_intervals(scores[:, None], resamples=20_000)[0]
    among, nothing = bca_intervals(columns, resamples=20_000)
    assert nothing is None
    assert alone is not None
    assert among is not None
    width = alone.high - alone.low
    assert among.low == pytest.approx(alone.low, abs=0.05 * width)
    assert among.high == pytest.approx(alone.high, abs=0.05 * width)


def test_blocks_of_resamples_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(8).beta(4, 2, size=(1_200, 2))
    at_once = bounds(bca_intervals(scores, resamples=500))
    monkeypatch.setattr(bootstrap, "_BLOCK", 5_000)
    assert bounds(bca_intervals(scores, resamples=500)) == pytest.approx(at_once, abs=1e-7)


def test_the_shortcut_for_many_cases_gives_the_same_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Skewed scores of 1,000 cases, and a column that has half of them."""
    scores = np.random.default_rng(8).beta(0.2, 0.8, size=(1_000, 2))
    scores[::2, 1] = NAN
    quick = bca_intervals(scores, resamples=20_000)
    monkeypatch.setattr(bootstrap, "MANY_CASES", 10_000)
    exact = bca_intervals(scores, resamples=20_000)
    for one, other in zip(quick, exact, strict=True):
        width = np.diff(bounds([other]))[0]
        assert bounds([one]) == pytest.approx(bounds([other]), abs=0.03 * width)


def test_with_many_cases_the_jackknife_agrees_with_resampling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms = np.random.default_rng(10).beta(4, 2, size=(2_000, 2))

    def ratio(sums: Floats) -> Floats:
        return np.asarray(sums[..., 0] / sums[..., 1])

    by_jackknife = bca_interval(terms, ratio)
    monkeypatch.setattr(bootstrap, "MANY_CASES", 10_000)
    resampled = bca_interval(terms, ratio)
    width = np.diff(bounds([resampled]))[0]
    assert bounds([by_jackknife]) == pytest.approx(bounds([resampled]), abs=0.05 * width)
    assert bca_interval(terms[:1], ratio) is None
    assert bca_interval(terms * 0, lambda sums: sums[..., 0] * np.nan) is None


def test_the_same_seed_gives_the_same_interval() -> None:
    scores = np.random.default_rng(9).beta(4, 2, size=(30, 1))
    assert bca_intervals(scores, seed=1) == bca_intervals(scores, seed=1)
    assert bca_intervals(scores, seed=1) != bca_intervals(scores, seed=2)


@unhurried
@given(scores=st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_an_interval_lies_within_the_scores_around_their_mean(scores: list[float]) -> None:
    (interval,) = bca_intervals(np.array(scores)[:, None], resamples=200)
    assert interval is not None
    mean = sum(scores) / len(scores)
    assert min(scores) - 1e-6 <= interval.low <= mean + 1e-6
    assert mean - 1e-6 <= interval.high <= max(scores) + 1e-6


def test_estimates_of_few_or_equal_scores() -> None:
    columns = np.array([[0.7, NAN, 0.4, 1.0], [0.7, NAN, NAN, 1.0], [0.7, NAN, NAN, 1.0]])
    equal, nothing, single, passed = estimate_means(columns)
    # Of three equal scores, as many as Wilson allows for may be exceptions.
    unseen = wilson_interval(0, 3).high
    assert bounds([equal.interval]) == pytest.approx([0.7 * (1 - unseen), 0.7 + 0.3 * unseen])
    assert nothing == Estimate(value=None, interval=None, cases=0)
    assert single == Estimate(value=0.4, interval=None, cases=1)
    # Three passes of three are not certainty.
    assert bounds([passed.interval]) == pytest.approx(bounds([wilson_interval(3, 3)]))
    assert estimate_means(np.empty((0, 1))) == [nothing]


def test_scores_with_two_values_are_proportions() -> None:
    """Nine answers got 0.8 and three 0.5: the share of the better ones has Wilson's interval."""
    scores = np.array([0.8] * 9 + [0.5] * 3)[:, None]
    share = wilson_interval(9, 12)
    expected = [0.5 + 0.3 * share.low, 0.5 + 0.3 * share.high]
    assert bounds([estimate_means(scores)[0].interval]) == pytest.approx(expected)
    # Two different scores of a few cases need not be the only values.
    few = scores[7:11]
    assert estimate_means(few)[0].interval == bca_intervals(few)[0]


def test_intervals_of_equal_differences_allow_for_unseen_exceptions() -> None:
    up, none = estimate_differences(np.tile([0.1, 0.0], (20, 1)))
    unseen = wilson_interval(0, 20).high
    assert bounds([up.interval]) == pytest.approx([0.1 * (1 - 2 * unseen), 0.1])
    assert bounds([none.interval]) == [0.0, 0.0]


def rubric_scores(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Composites of 3 judges x 4 criteria on 0-5, of cases that are not equally hard."""
    hardness = random.beta(6, 2, size=(*shape, 1))
    return np.asarray(random.binomial(5, hardness, size=(*shape, 12)).mean(axis=2) / 5)


def mostly_the_same(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Nearly every answer gets four of five points, as in many real data sets."""
    return np.where(random.random(shape) < 0.95, 0.8, 0.0)


def similarities(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """A fifth of the answers are useless, the others good: bimodal, with a long tail."""
    return np.where(random.random(shape) < 0.2, 0.0, random.beta(8, 2, size=shape))


def coverage(columns: Floats, truth: float) -> float:
    """The share of columns whose interval contains the true value."""
    estimates = estimate_means(columns, resamples=2_000)
    return float(
        np.mean([each.interval is not None and each.interval.holds(truth) for each in estimates])
    )


SIZES = [15, 20, 30, 40, 60, 150, 500] if IS_THOROUGH else [15, 60]


@pytest.mark.parametrize("cases", SIZES)
def test_95_percent_intervals_of_composites_cover_93_to_97_percent(cases: int) -> None:
    """2,000 data sets, as columns."""
    columns = rubric_scores(np.random.default_rng(cases), (cases, 2_000))
    assert 0.93 <= coverage(columns, 0.75) <= 0.97


@pytest.mark.parametrize("cases", SIZES)
def test_intervals_of_bimodal_scores_are_conservative(cases: int) -> None:
    """Around 20 cases they cover 97 %, as the number of useless answers comes in steps."""
    columns = similarities(np.random.default_rng(cases), (cases, 2_000))
    assert 0.93 <= coverage(columns, 0.64) <= 0.98


@pytest.mark.parametrize("cases", [15, 40])
def test_intervals_of_nearly_constant_scores_are_conservative(cases: int) -> None:
    """The bootstrap alone covers 40 % there with 15 cases."""
    columns = mostly_the_same(np.random.default_rng(cases), (cases, 2_000))
    assert coverage(columns, 0.76) >= 0.93


def test_plain_quantiles_would_cover_too_little() -> None:
    """Why intervals are widened: in the same simulation the percentile interval covers
    too little.
    """
    columns = rubric_scores(np.random.default_rng(15), (15, 2_000))
    half = 1.96 * columns.std(axis=0, ddof=1) / math.sqrt(15) * math.sqrt(14 / 15)
    assert np.mean(np.abs(columns.mean(axis=0) - 0.75) <= half) < 0.93


def test_many_cases_with_little_skew_need_no_resampling(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    scores = np.column_stack([random.random(2_000), random.beta(5, 1, 2_000)])
    expanded = bca_intervals(scores)
    monkeypatch.setattr(bootstrap, "_LITTLE_SKEW", -1.0)
    resampled = bca_intervals(scores, resamples=50_000)
    assert expanded != resampled
    error = float(scores.std(axis=0).min()) / math.sqrt(len(scores))
    assert bounds(expanded) == pytest.approx(bounds(resampled), abs=0.04 * error)


def test_many_cases_with_much_skew_are_resampled() -> None:
    scores = np.where(np.arange(1_500) % 75 == 0, 0.0, np.linspace(0.9, 1, 1_500))[:, None]
    first, second = bca_intervals(scores, seed=1), bca_intervals(scores, seed=2)
    assert first != second
    assert bounds(first) == pytest.approx(bounds(second), abs=0.001)
