"""Drops of a monitor's score: is a check lower than its baseline, by more than chance explains?

A check is compared with the baseline case by case, on the cases that both have. The rule has two
stages. A check that is more than `threshold` below the baseline, with a one-sided p-value of at
most `suspicious_p`, is suspicious. A second measurement of the same cases, with several repeats,
must show the drop again by itself before it is an alert. The more checks a year, the smaller the
p-value that confirms, so that false alarms a year do not depend on the schedule.

The p-value is the larger of two: the paired test over cases, and the distance in standard errors
that the spread of earlier checks gives. `benchmarks/monitors.py` simulates the false alarms.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.binomial import upper_share
from edison.pipeline.aggregate.bootstrap import RESAMPLES
from edison.pipeline.aggregate.paired import (
    ROUNDING,
    choose_tests,
    differences_of,
    is_pass_or_fail,
)
from edison.pipeline.aggregate.power import POWER
from edison.pipeline.aggregate.quantiles import t_quantile, t_share
from edison.pipeline.aggregate.table import Bools, Floats

# Case key (content hash) -> scores of its answers. Missing scores are left out.
CheckScores = Mapping[str, Sequence[float]]

DAYS_A_YEAR = 365
# Where cases fail together, false alarms shrink with the power 3/4 of the p-value that confirms.
_SHRINKING = 4 / 3
# P-values up to this are computed again with more resamples: rules need p-values as small as one
# in the number of checks a year.
_SMALL_P = 0.01
_RESAMPLES_IF_SMALL = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DropRule:
    """`threshold` and `recovery` are relative to the baseline's mean; p-values are one-sided.
    `confirmed_p` holds for a schedule of at most one check a day.
    """

    threshold: float = 0.10
    suspicious_p: float = 0.05
    confirmed_p: float = 0.01
    recovery: float = 0.05
    min_shared: int = 20


DEFAULT_RULE = DropRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckNoise:
    """`variance` is that of a check's mean times its number of cases; `freedom` its degrees of
    freedom. `baseline_checks` is the number of checks that the baseline is the mean of.
    """

    variance: float
    freedom: int
    baseline_checks: int

    def error(self, cases: int, *, repeats: float) -> float:
        """Standard error of the difference between a check and its baseline."""
        return math.sqrt(self.variance / cases * (1 / repeats + 1 / self.baseline_checks))

    def lower_p_value(self, difference: float, cases: int, *, repeats: float) -> float:
        """One-sided p-value of a check's mean difference from its baseline."""
        error = self.error(cases, repeats=repeats)
        if error == 0:
            return 0.0 if difference < 0 else 1.0
        return t_share(difference / error, self.freedom)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A check compared with its baseline on their shared cases. `relative` is (baseline - current)
    / baseline, and 0 when the baseline is 0. `p_value` is one-sided: small when the check is
    lower. `smallest_visible` is the smallest relative drop that makes a check of these cases
    suspicious with a probability of 80 %; None when no drop does.
    """

    shared: int
    baseline: float
    current: float
    relative: float
    p_value: float
    smallest_visible: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """Too few cases of the check are in the baseline."""

    shared: int
    needed: int


def build_baseline(checks: Sequence[CheckScores]) -> Mapping[str, float]:
    """Per case the mean over the checks that have it; each check counts once, whatever its
    repeats.
    """
    means: dict[str, list[float]] = {}
    for check in checks:
        for key, mean in case_means(check).items():
            means.setdefault(key, []).append(mean)
    return {key: math.fsum(found) / len(found) for key, found in means.items()}


def case_means(check: CheckScores) -> dict[str, float]:
    return {key: math.fsum(scores) / len(scores) for key, scores in check.items() if scores}


def measure_drop(
    baseline: Mapping[str, float],
    current: CheckScores,
    rule: DropRule = DEFAULT_RULE,
    *,
    noise: CheckNoise | None = None,
    repeats: float = 1,
) -> Drop | NotComparable:
    """Compares on the cases that both have. It takes `min_shared` cases, and half of the
    baseline's. `repeats` is the number of answers per case, relative to the checks of `noise`.
    Without `noise` (few checks so far) the paired test decides alone.
    """
    found = case_means(current)
    keys = [key for key in baseline if key in found]
    needed = max(rule.min_shared, math.ceil(len(baseline) / 2))
    if len(keys) < needed:
        return NotComparable(shared=len(keys), needed=needed)
    before = np.array([baseline[key] for key in keys], dtype=np.float64)
    after = np.array([found[key] for key in keys], dtype=np.float64)
    differences = differences_of(before, after)
    is_binary = np.array([is_pass_or_fail(before, after)], dtype=bool)
    p_value = float(lower_p_values(differences[:, None], is_binary)[0])
    error = float(differences.std(ddof=1)) / math.sqrt(len(keys)) if len(keys) > 1 else 0.0
    mean, difference = float(before.mean()), float(differences.mean())
    if noise is not None:
        p_value = max(p_value, noise.lower_p_value(difference, len(keys), repeats=repeats))
        error = max(error, noise.error(len(keys), repeats=repeats))
    return Drop(
        shared=len(keys),
        baseline=mean,
        current=float(after.mean()),
        relative=-difference / mean if mean > 0 else 0.0,
        p_value=p_value,
        smallest_visible=_smallest_visible(before, error, rule),
    )


def is_suspicious(drop: Drop, rule: DropRule) -> bool:
    """Stage one: worth a confirmation."""
    return _is_far_below(drop, rule) and drop.p_value <= rule.suspicious_p


def is_confirmed(drop: Drop, rule: DropRule, *, checks_a_year: float) -> bool:
    """Stage two: takes the drop of the confirmation alone."""
    return _is_far_below(drop, rule) and drop.p_value <= confirming_p(rule, checks_a_year)


def confirming_p(rule: DropRule, checks_a_year: float) -> float:
    """The p-value that confirms. `checks_a_year` must be positive."""
    share = min(1.0, DAYS_A_YEAR / checks_a_year)
    return rule.confirmed_p * math.pow(share, _SHRINKING)


def is_drop_without_confirmation(drop: Drop, rule: DropRule, *, checks_a_year: float) -> bool:
    """The rule of monitors whose confirmation is switched off: one stage, with one false alarm a
    year at most.
    """
    return _is_far_below(drop, rule) and drop.p_value <= min(rule.suspicious_p, 1 / checks_a_year)


def has_recovered(drop: Drop, rule: DropRule) -> bool:
    return drop.relative < rule.recovery and drop.p_value > rule.suspicious_p


def lower_p_values(
    differences: Floats, pass_or_fail: Bools, *, small_p: float = _SMALL_P
) -> Floats:
    """One-sided p-value of each column, small when its mean is below 0; rows are cases. P-values up
    to `small_p` are computed again with more resamples. All columns share each resample.
    """
    p_values = _lower_p_values(differences, pass_or_fail, RESAMPLES)
    small = np.flatnonzero(p_values <= small_p)
    if small.size:
        p_values[small] = _lower_p_values(
            differences[:, small], pass_or_fail[small], _RESAMPLES_IF_SMALL
        )
    return p_values


def _lower_p_values(differences: Floats, pass_or_fail: Bools, resamples: int) -> Floats:
    tests = choose_tests(differences, pass_or_fail, resamples=resamples)
    halves = np.array([0.5 if test is None else test.p_value / 2 for test in tests])
    is_lower = np.nansum(differences, axis=0) < 0
    return np.where(is_lower, halves, 1 - halves)


def _is_far_below(drop: Drop, rule: DropRule) -> bool:
    return drop.relative > rule.threshold + ROUNDING


def _smallest_visible(before: Floats, error: float, rule: DropRule) -> float | None:
    """The larger of two drops: one that lowers all cases alike, where the standard error of the
    difference hides it, and one where a few cases lose their whole score, where chance decides how
    many.
    """
    cases, can_fall = len(before), int((before > ROUNDING).sum())
    if cases < 2 or not can_fall:
        return None
    mean = float(before.mean())
    reach = max(t_quantile(1 - rule.suspicious_p, cases - 1) * error, rule.threshold * mean)
    even = (reach + t_quantile(POWER, cases - 1) * error) / mean
    fallen = _fewest_fallen(cases, rule.suspicious_p)
    if fallen is None:
        return None
    fallen = max(fallen, math.floor(rule.threshold * can_fall + ROUNDING) + 1)
    if fallen > can_fall:
        return None
    # The share of which fewer than `fallen` are seen with a probability of 20 %.
    broken = upper_share(fallen - 1, can_fall, chance=1 - POWER)
    visible = max(even, broken)
    return visible if visible <= 1 else None


@lru_cache(maxsize=256)
def _fewest_fallen(cases: int, p_value: float) -> int | None:
    """How many of otherwise unchanged cases must lose their score to reach the p-value."""
    for fallen in range(1, cases):
        differences = np.zeros((cases, 1))
        differences[:fallen] = -1.0
        (found,) = _lower_p_values(differences, np.zeros(1, dtype=bool), RESAMPLES)
        if found <= p_value:
            return fallen
    return None
