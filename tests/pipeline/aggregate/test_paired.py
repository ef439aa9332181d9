"""Paired tests: reference values, small samples, and that every interval excludes 0 exactly when
its verdict says so.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from edison.pipeline.aggregate import holm
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.paired import ColumnTest, choose_tests, resamples_for
from edison.pipeline.aggregate.results import Interval, PairedTest, Verdict
from edison.pipeline.aggregate.sign_flip import SignFlipTest, SignTest
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.aggregate.tango import ScoreTest
from tests.pipeline.aggregate.tables import NAN, unhurried


def column_test(differences: list[float] | Floats) -> ColumnTest | None:
    (test,) = choose_tests(np.array(differences, dtype=float)[:, None], [False])
    return test


@pytest.mark.parametrize(
    ("improved", "regressed", "low", "high"),
    [
        (1, 0, -0.1192, 0.2361),
        (0, 0, -0.1611, 0.1611),
        (5, 0, 0.0486, 0.4687),
        (6, 0, 0.0905, 0.5190),
        (0, 5, -0.4687, -0.0486),
    ],
)
def test_tangos_interval_has_its_reference_values(
    improved: int, regressed: int, low: float, high: float
) -> None:
    found = ScoreTest(improved=improved, regressed=regressed, cases=20).interval(0.05)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_score_test_of_no_difference_is_mcnemars() -> None:
    """(b - c) / sqrt(b + c): 5 / sqrt(5) and 4 / sqrt(10)."""
    for improved, regressed in ((5, 0), (7, 3)):
        z = (improved - regressed) / math.sqrt(improved + regressed)
        test = ScoreTest(improved=improved, regressed=regressed, cases=40)
        assert test.p_value == pytest.approx(2 * stats.norm.sf(z))
    assert ScoreTest(improved=0, regressed=0, cases=40).p_value == 1.0


def test_with_few_cases_pass_and_fail_need_the_exact_test_too() -> None:
    """Five of five: the score test gives 0.025, the sign test 2 of 32."""
    five = ScoreTest(improved=5, regressed=0, cases=5)
    assert five.p_value == 2 / 32
    assert five.interval(0.05).low == 0.0
    six = ScoreTest(improved=6, regressed=0, cases=6)
    assert six.p_value == 2 / 64
    assert six.interval(0.05).low > 0


@unhurried
@given(differences=st.lists(st.integers(-5, 5), min_size=2, max_size=9))
def test_with_few_cases_the_test_is_exact_and_that_of_scipy(differences: list[int]) -> None:
    values = np.array(differences, dtype=float)
    reference = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    assert SignFlipTest.of(values).p_value == pytest.approx(reference.pvalue)


def test_darwins_maize_without_its_smallest_pair() -> None:
    """Fisher 1935, The Design of Experiments, section 21, on 14 of Darwin's 15 pairs: every one of
    the 16,384 signs is tried."""
    inches = np.array([49, -67, 8, 16, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=float)
    signs = 1 - 2 * ((np.arange(2**14)[:, None] >> np.arange(14)) & 1)
    as_far = (np.abs(signs @ inches) >= abs(inches.sum())).sum()
    assert SignFlipTest.of(inches).p_value == as_far / 2**14


@unhurried
@given(
    differences=st.lists(st.integers(-10, 10), min_size=6, max_size=10),
    alpha=st.sampled_from([0.05, 0.1, 0.2]),
)
def test_the_sign_flip_interval_contains_the_shifts_that_are_not_rejected(
    differences: list[int], alpha: float
) -> None:
    values = np.array(differences, dtype=float) / 10
    interval = SignFlipTest.of(values).interval(alpha)
    for shift in np.linspace(-1.013, 1.013, 41):
        is_kept = SignFlipTest.of(values - shift).p_value > alpha
        if interval.low > -1 or interval.high < 1:
            assert interval.holds(float(shift)) == is_kept


def test_equal_differences_have_the_sign_test() -> None:
    """As many unseen exceptions as keep the sign test at its level: 1 - 0.025^(1/20) = 16.8 %."""
    test = column_test([0.1] * 20)
    assert test == SignTest(difference=0.1, cases=20)
    assert test.test is PairedTest.SIGN
    assert test.p_value == 2 * 0.5**20
    assert test.interval(0.05) == Interval(
        low=pytest.approx(0.1 * (1 - 2 * (1 - 0.025 ** (1 / 20)))), high=0.1
    )
    none = column_test([0.0] * 20)
    assert none is not None
    assert none.p_value == 1.0
    unseen = 1 - 0.025 ** (1 / 20)
    assert none.interval(0.05) == Interval(low=pytest.approx(-unseen), high=pytest.approx(unseen))


def test_the_studentised_bootstrap_is_close_to_t_where_t_holds() -> None:
    differences = np.random.default_rng(1).normal(0.05, 0.2, 60)
    test = column_test(differences)
    assert test is not None
    assert test.test is PairedTest.BOOTSTRAP_T
    assert test.p_value == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.02)
    expected = stats.t.interval(0.95, 59, differences.mean(), stats.sem(differences))
    found = test.interval(0.05)
    assert (found.low, found.high) == pytest.approx(expected, abs=0.01)


def test_a_resample_without_spread_has_an_infinite_statistic() -> None:
    """One of 20 cases differs: in (19/20)^20 = 36 % of the resamples it is not drawn."""
    test = column_test([0.4] + [0.0] * 19)
    assert test is not None
    statistics = test.statistics  # type: ignore[attr-defined] - of this test only
    assert np.mean(np.isneginf(statistics)) == pytest.approx(0.358, abs=0.02)
    interval = test.interval(0.05)
    assert interval.low < 0
    # Not more than the share of cases that may differ: Clopper and Pearson's bound of 1 of 20.
    assert interval.high == pytest.approx(stats.beta.ppf(0.975, 2, 19))


def test_columns_with_different_cases_are_tested_together_as_alone() -> None:
    random = np.random.default_rng(2)
    columns = random.normal(0.05, 0.2, (40, 3))
    columns[::4, 1] = NAN
    columns[20:, 2] = NAN
    together = choose_tests(columns, [False] * 3)
    for at in range(3):
        alone = column_test(columns[:, at][~np.isnan(columns[:, at])])
        assert alone is not None
        assert together[at] is not None
        assert together[at].p_value == pytest.approx(alone.p_value, abs=0.03)


def test_no_cases_give_no_test_and_one_case_no_interval() -> None:
    assert column_test([]) is None
    assert column_test([NAN, NAN]) is None
    (one,) = compare_pairs([pair([0.2], [0.6])])
    assert (one.p_value, one.difference.interval) == (1.0, None)
    assert one.verdict is Verdict.NO_EVIDENCE


def test_resamples_grow_with_the_number_of_comparisons() -> None:
    assert resamples_for(0.05) == 4_000
    for comparisons in (1, 6, 496):
        count = resamples_for(0.05, comparisons=comparisons)
        assert comparisons * 2 / (count + 1) <= 0.05
    assert resamples_for(1e-9) == 100_000


def pair(before: list[float] | Floats, after: list[float] | Floats) -> Pair:
    return Pair(
        baseline="a",
        other="b",
        baseline_scores=np.array(before, dtype=float),
        other_scores=np.array(after, dtype=float),
    )


KINDS = {
    "pass or fail": st.integers(0, 1).map(float),
    "judge": st.integers(0, 5).map(lambda score: score / 5),
    "composite": st.floats(0, 1, width=32),
    "ceiling": st.sampled_from([1.0, 1.0, 1.0, 1.0, 0.9, 0.0]),
    "same": st.just(0.5),
}


@unhurried
@given(
    data=st.data(),
    kind=st.sampled_from(sorted(KINDS)),
    cases=st.integers(1, 40),
    comparisons=st.integers(1, 4),
    shift=st.sampled_from([0.0, 0.1, 0.3, -0.2]),
)
def test_an_interval_excludes_0_exactly_when_the_verdict_says_so(
    data: st.DataObject, kind: str, cases: int, comparisons: int, shift: float
) -> None:
    column = st.lists(KINDS[kind], min_size=cases, max_size=cases)
    before = np.array(data.draw(column))
    pairs = []
    for _ in range(comparisons):
        after = np.array(data.draw(column))
        if kind != "pass or fail":
            after = np.clip(after + shift, 0, 1)
        pairs.append(pair(before, after))
    for found in compare_pairs(pairs):
        interval = found.difference.interval
        assert (interval is None) == (cases == 1)
        if interval is None:
            assert found.verdict is Verdict.NO_EVIDENCE
            continue
        excludes = not interval.holds(0.0)
        assert excludes == (found.verdict in (Verdict.BETTER, Verdict.WORSE))
        assert excludes == (found.adjusted_p_value is not None and found.adjusted_p_value <= 0.05)
        assert (interval.low > 0) == (found.verdict is Verdict.BETTER)
        assert -1 <= interval.low <= interval.high <= 1
        assert (found.caveat is not None) == excludes
        assert found.test is not None


@unhurried
@given(
    p_values=st.lists(st.floats(0, 0.2), min_size=1, max_size=8),
    alpha=st.sampled_from([0.05, 0.01]),
)
def test_each_p_value_keeps_its_threshold_exactly_when_the_adjusted_one_keeps_alpha(
    p_values: list[float], alpha: float
) -> None:
    raw = np.array(p_values)
    adjusted, levels = holm.adjust(raw), holm.thresholds(raw, alpha)
    is_near = np.isclose(adjusted, alpha, rtol=1e-9)
    assert (((raw <= levels) == (adjusted <= alpha)) | is_near).all()
    assert (levels <= alpha).all()


def test_rare_large_regressions_cause_no_false_verdicts_with_enough_cases() -> None:
    """A tenth of the cases breaks; the means are equal. The sign-flip test is wrong in 9 %."""
    random = np.random.default_rng(3)
    is_broken = random.random((60, 1_000)) < 0.1
    usual, broken = random.normal(0.05, 0.05, (2, 60, 1_000)) + np.array([[[0.0]], [[-0.5]]])
    tests = choose_tests(np.where(is_broken, broken, usual), [False] * 1_000, resamples=1_999)
    assert np.mean([test is not None and test.p_value <= 0.05 for test in tests]) <= 0.065
