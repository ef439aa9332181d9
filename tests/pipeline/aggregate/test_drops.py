"""Drops of a monitor's score: the comparison with the baseline, and both stages of the rule."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from edison.pipeline.aggregate.drops import (
    DEFAULT_RULE,
    CheckScores,
    Drop,
    DropRule,
    NotComparable,
    build_baseline,
    has_recovered,
    is_confirmed,
    is_drop_without_confirmation,
    is_suspicious,
    measure_drop,
)

RULE = DEFAULT_RULE
DAILY, HOURLY, QUARTERLY = 365.0, 8_760.0, 35_040.0


def check(scores: Sequence[float]) -> CheckScores:
    return {f"case {at}": [float(score)] for at, score in enumerate(scores)}


def measured(before: Sequence[float], after: Sequence[float], rule: DropRule = RULE) -> Drop:
    drop = measure_drop(build_baseline([check(before)]), check(after), rule)
    assert isinstance(drop, Drop)
    return drop


def drop(relative: float, p_value: float) -> Drop:
    return Drop(
        shared=32,
        baseline=0.8,
        current=0.8 * (1 - relative),
        relative=relative,
        p_value=p_value,
        smallest_visible=None,
    )


def test_a_baseline_is_the_mean_over_the_checks_that_have_the_case() -> None:
    baseline = build_baseline(
        [{"a": [1.0, 0.0, 0.5], "b": [0.2]}, {"a": [1.0], "b": []}, {"c": [0.4, 0.6]}]
    )
    assert baseline == pytest.approx({"a": 0.75, "b": 0.2, "c": 0.5})


def test_no_checks_give_an_empty_baseline() -> None:
    assert build_baseline([]) == {}
    assert measure_drop({}, check([1.0] * 30)) == NotComparable(shared=0, needed=20)


@pytest.mark.parametrize(("lost", "regained"), [(6, 0), (7, 2), (2, 2), (1, 4)])
def test_pass_and_fail_are_tested_with_mcnemars_statistic(lost: int, regained: int) -> None:
    before = [1.0] * 20 + [0.0] * 20
    after = list(before)
    after[:lost] = [0.0] * lost
    after[20 : 20 + regained] = [1.0] * regained
    z = (lost - regained) / math.sqrt(lost + regained)
    found = measured(before, after)
    assert found.p_value == pytest.approx(stats.norm.sf(z))
    assert found.relative == pytest.approx((lost - regained) / 20)
    assert (found.shared, found.baseline) == (40, 0.5)
    assert found.current == pytest.approx(0.5 - (lost - regained) / 40)


@pytest.mark.parametrize("shift", [-0.06, -0.02, 0.0, 0.04])
def test_graded_scores_agree_with_the_one_sided_t_test(shift: float) -> None:
    random = np.random.default_rng(7)
    before = random.uniform(0.5, 0.9, 60)
    after = before + random.normal(shift, 0.1, 60)
    expected = stats.ttest_rel(after, before, alternative="less").pvalue
    assert measured(before, after).p_value == pytest.approx(expected, abs=0.02)


def test_p_values_of_clear_drops_are_as_small_as_frequent_checks_need() -> None:
    random = np.random.default_rng(8)
    before = random.uniform(0.7, 0.9, 40)
    found = measured(before, before - random.uniform(0.1, 0.3, 40))
    assert found.p_value <= 1 / QUARTERLY
    assert is_confirmed(found, RULE, checks_a_year=QUARTERLY)


def test_repeats_of_a_case_count_once() -> None:
    baseline = build_baseline([check([1.0] * 30)])
    once = measure_drop(baseline, check([0.5] * 10 + [1.0] * 20))
    repeated = {
        f"case {at}": [0.0, 1.0, 0.0, 1.0] if at < 10 else [1.0, 1.0, 1.0, 1.0] for at in range(30)
    }
    assert measure_drop(baseline, repeated) == once


def test_only_shared_cases_count() -> None:
    before = {f"case {at}": 0.8 for at in range(30)} | {"gone": 0.0}
    after = dict(check([0.8] * 30)) | {"new": [0.0], "case 3": []}
    found = measure_drop(before, after)
    assert isinstance(found, Drop)
    assert (found.shared, found.relative) == (29, 0.0)
    assert found.p_value == 0.5


@pytest.mark.parametrize(
    ("of_baseline", "shared", "needed"), [(25, 19, 20), (60, 29, 30), (61, 30, 31), (8, 8, 20)]
)
def test_too_few_shared_cases_are_not_comparable(
    of_baseline: int, shared: int, needed: int
) -> None:
    baseline = build_baseline([check([1.0] * of_baseline)])
    assert measure_drop(baseline, check([0.0] * shared)) == NotComparable(
        shared=shared, needed=needed
    )


def test_enough_shared_cases_are_comparable() -> None:
    baseline = build_baseline([check([1.0] * 60)])
    assert isinstance(measure_drop(baseline, check([1.0] * 30)), Drop)


def test_a_baseline_of_0_cannot_drop() -> None:
    found = measured([0.0] * 20, [0.0] * 20)
    assert (found.relative, found.smallest_visible) == (0.0, None)
    assert not is_suspicious(found, RULE)


@pytest.mark.parametrize(
    ("relative", "p_value", "expected"),
    [(0.11, 0.05, True), (0.11, 0.051, False), (0.10, 0.001, False), (-0.2, 0.001, False)],
)
def test_a_suspicious_check_is_far_and_significantly_lower(
    relative: float, p_value: float, expected: bool
) -> None:
    assert is_suspicious(drop(relative, p_value), RULE) is expected


def test_a_drop_of_exactly_the_threshold_is_not_above_it() -> None:
    found = measured([0.8] * 100, [0.72] * 100)
    assert found.relative == pytest.approx(0.10)
    assert not is_suspicious(found, RULE)


@pytest.mark.parametrize(
    ("checks_a_year", "level"),
    [(52.0, 0.01), (DAILY, 0.01), (HOURLY, 1.445e-4), (QUARTERLY, 2.275e-5)],
)
def test_frequent_checks_need_a_smaller_p_value_to_confirm(
    checks_a_year: float, level: float
) -> None:
    assert is_confirmed(drop(0.2, level * 0.999), RULE, checks_a_year=checks_a_year)
    assert not is_confirmed(drop(0.2, level * 1.001), RULE, checks_a_year=checks_a_year)
    assert not is_confirmed(drop(0.1, 0.0), RULE, checks_a_year=checks_a_year)


@pytest.mark.parametrize(
    ("checks_a_year", "level"), [(12.0, 0.05), (DAILY, 1 / 365), (HOURLY, 1 / 8_760)]
)
def test_without_confirmation_the_p_value_is_one_false_alarm_a_year(
    checks_a_year: float, level: float
) -> None:
    for factor, expected in ((0.999, True), (1.001, False)):
        found = drop(0.2, level * factor)
        assert is_drop_without_confirmation(found, RULE, checks_a_year=checks_a_year) is expected
    assert not is_drop_without_confirmation(drop(0.1, 0.0), RULE, checks_a_year=checks_a_year)


@pytest.mark.parametrize(
    ("relative", "p_value", "expected"),
    [(0.04, 0.2, True), (0.05, 0.2, False), (0.04, 0.05, False), (-0.1, 0.9, True)],
)
def test_recovered_is_close_and_not_significantly_lower(
    relative: float, p_value: float, expected: bool
) -> None:
    assert has_recovered(drop(relative, p_value), RULE) is expected


def test_the_smallest_visible_drop_of_noisy_cases_follows_from_their_spread() -> None:
    """(t.95 + t.80) standard errors of the difference, relative to the baseline."""
    before = [0.8] * 40
    after = [0.0, 1.0, 1.0, 1.0] * 10
    error = np.std(after, ddof=1) / math.sqrt(40)
    expected = (stats.t.ppf(0.95, 39) + stats.t.ppf(0.8, 39)) * error / 0.8
    assert measured(before, after).smallest_visible == pytest.approx(expected)


@pytest.mark.parametrize("cases", [20, 32, 100])
def test_cases_without_noise_show_breaks_of_so_many(cases: int) -> None:
    """The share of broken cases is seen as a suspicious check in 80 % of samples."""
    share = measured([1.0] * cases, [1.0] * cases).smallest_visible
    assert share is not None
    fewest = next(
        broken
        for broken in range(1, cases)
        if is_suspicious(measured([1.0] * cases, [0.0] * broken + [1.0] * (cases - broken)), RULE)
    )
    assert stats.binom.sf(fewest - 1, cases, share) >= 0.8 - 1e-6


def test_the_smallest_visible_drop_is_above_the_threshold() -> None:
    found = measured([0.9] * 500, [0.9] * 500, DropRule(threshold=0.2))
    assert found.smallest_visible is not None
    assert 0.2 < found.smallest_visible < 0.25
