"""Noise of a monitor's checks, and the false alarms of the plain rule."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from edison.pipeline.aggregate.check_noise import (
    CaseNoise,
    expected_plain_alarms,
    measure_case_noise,
    measure_noise,
)
from edison.pipeline.aggregate.drops import (
    CheckNoise,
    CheckScores,
    Drop,
    build_baseline,
    measure_drop,
)


def check(scores: Sequence[float]) -> CheckScores:
    return {f"case {at}": [float(score)] for at, score in enumerate(scores)}


def checks_of(random: np.random.Generator, *, count: int, cases: int) -> list[CheckScores]:
    return [check(random.normal(0.7, 0.1, cases)) for _ in range(count)]


def test_noise_is_the_variance_of_the_means_of_checks() -> None:
    found = np.random.default_rng(1).uniform(0.3, 0.9, (12, 40))
    noise = measure_noise([check(row) for row in found], baseline_checks=10)
    assert noise is not None
    assert noise.variance == pytest.approx(40 * np.var(found.mean(axis=1), ddof=1))
    assert (noise.freedom, noise.baseline_checks) == (11, 10)


def test_fewer_than_five_checks_show_no_noise() -> None:
    checks = checks_of(np.random.default_rng(2), count=5, cases=30)
    assert measure_noise(checks[:4], baseline_checks=4) is None
    assert measure_noise(checks, baseline_checks=5) is not None
    assert measure_noise([], baseline_checks=5) is None


def test_a_check_with_other_cases_is_compared_on_its_own() -> None:
    """Leaving out the easy cases of one check is no noise."""
    scores = [0.9] * 20 + [0.4] * 20
    checks = [check(scores) for _ in range(6)]
    checks[2] = {key: found for key, found in checks[2].items() if found == [0.4]}
    noise = measure_noise(checks, baseline_checks=6)
    assert noise is not None
    assert noise.variance == pytest.approx(0, abs=1e-12)


def test_a_check_with_few_of_the_cases_is_left_out() -> None:
    checks = checks_of(np.random.default_rng(3), count=6, cases=30)
    partial = {f"case {at}": [0.0] for at in range(3)}
    alone = measure_noise(checks, baseline_checks=6)
    both = measure_noise([*checks, partial], baseline_checks=6)
    assert alone is not None
    assert both is not None
    assert both.freedom == alone.freedom


def test_the_p_value_is_that_of_a_t_test_between_checks() -> None:
    noise = CheckNoise(variance=0.16, freedom=29, baseline_checks=25)
    error = math.sqrt(0.16 / 32 * (1 / 3 + 1 / 25))
    found = noise.lower_p_value(-0.12, 32, repeats=3)
    assert found == pytest.approx(stats.t.cdf(-0.12 / error, 29))
    still = CheckNoise(variance=0.0, freedom=29, baseline_checks=25)
    assert still.lower_p_value(-0.01, 32, repeats=1) == 0.0
    assert still.lower_p_value(0.0, 32, repeats=1) == 1.0


def test_a_drop_within_the_noise_of_checks_is_not_significant() -> None:
    """All cases of a check move together, so the paired test alone is far too sure."""
    random = np.random.default_rng(4)
    quality = random.uniform(0.6, 0.9, 32)
    checks = [check(quality + random.normal(0, 0.1)) for _ in range(30)]
    baseline = build_baseline(checks)
    noise = measure_noise(checks, baseline_checks=30)
    lower = check([baseline[f"case {at}"] - 0.11 + at / 3_200 for at in range(32)])
    alone, found = measure_drop(baseline, lower), measure_drop(baseline, lower, noise=noise)
    assert isinstance(alone, Drop)
    assert isinstance(found, Drop)
    assert alone.p_value < 1e-4
    assert 0.1 < found.p_value < 0.3
    assert found.smallest_visible is not None
    assert alone.smallest_visible is not None
    assert found.smallest_visible > alone.smallest_visible


def test_more_repeats_make_a_drop_more_significant() -> None:
    random = np.random.default_rng(5)
    checks = checks_of(random, count=30, cases=30)
    noise = measure_noise(checks, baseline_checks=30)
    baseline = build_baseline(checks)
    lower = check([score - 0.04 for score in baseline.values()])
    p_values = []
    for repeats in (1, 3):
        found = measure_drop(baseline, lower, noise=noise, repeats=repeats)
        assert isinstance(found, Drop)
        p_values.append(found.p_value)
    assert p_values[1] < p_values[0]


def test_the_noise_of_cases_is_their_mean_variance_over_checks() -> None:
    found = np.random.default_rng(6).uniform(0.3, 0.9, (8, 25))
    noise = measure_case_noise([check(row) for row in found])
    assert noise is not None
    assert noise.mean == pytest.approx(found.mean())
    assert noise.variance == pytest.approx(np.var(found, axis=0, ddof=1).mean())


@pytest.mark.parametrize("cases", [20, 32, 100])
def test_false_alarms_of_the_plain_rule_are_those_of_a_simulation(cases: int) -> None:
    random = np.random.default_rng(cases)
    found = (random.random((60, cases)) < 0.8).astype(float)
    noise = measure_case_noise([check(row) for row in found])
    assert noise is not None
    expected = expected_plain_alarms(noise, cases=cases, threshold=0.1, checks_a_year=365)
    means = random.binomial(cases, 0.8, 40_000) / cases
    simulated = 365 * np.mean(means[1:] < 0.9 * means[:-1] - 1e-9)
    assert expected == pytest.approx(simulated, rel=0.15)


def test_the_plain_rule_has_no_false_alarms_where_nothing_varies() -> None:
    for mean, variance in ((0.9, 0.0), (0.0, 0.1)):
        noise = CaseNoise(mean=mean, variance=variance)
        assert expected_plain_alarms(noise, cases=30, threshold=0.1, checks_a_year=365) == 0.0


def test_the_noise_of_cases_needs_two_checks() -> None:
    assert measure_case_noise([check([1.0, 0.0])]) is None
    assert measure_case_noise([]) is None
