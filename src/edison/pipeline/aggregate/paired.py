"""The paired tests behind every "better" and "worse", and the choice of the test for a column of
differences.

Each test computes its p-value and its interval from the same statistic, so the interval excludes 0
exactly when the test rejects 0 at that level:

- pass/fail on both sides: Tango's score test;
- graded scores of at least 15 cases: the studentised bootstrap;
- fewer: the exact sign-flip test;
- all differences the same: the sign test.
"""

import math
from collections.abc import Sequence
from typing import Protocol

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.bootstrap import RESAMPLES, SEED
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.results import Interval, PairedTest
from edison.pipeline.aggregate.sign_flip import MOST_CASES, SignFlipTest, SignTest
from edison.pipeline.aggregate.studentised import studentised_tests
from edison.pipeline.aggregate.table import Bools, Floats
from edison.pipeline.aggregate.tango import ScoreTest

# Differences below this are rounding errors.
ROUNDING = 1e-9
_USUAL_RESAMPLES = 20_000
_MOST_RESAMPLES = 100_000


class ColumnTest(Protocol):
    """The test of one column of differences."""

    @property
    def test(self) -> PairedTest: ...

    @property
    def p_value(self) -> float:
        """Two-sided, for a mean difference of 0."""

    def interval(self, alpha: float) -> Interval:
        """Interval of the mean difference, within -1..1. Excludes 0 exactly when `p_value <=
        alpha`.
        """


def resamples_for(alpha: float, *, comparisons: int = 1) -> int:
    """Enough resamples for p-values that stay significant after correction for this many
    comparisons.
    """
    wanted = min(_USUAL_RESAMPLES, round(10 * comparisons / alpha))
    least = min(_MOST_RESAMPLES, math.ceil(2 * comparisons / alpha))
    return max(RESAMPLES, wanted, least)


def differences_of(baseline: Floats, other: Floats) -> Floats:
    """Differences, with rounding errors set to 0."""
    differences = other - baseline
    differences[np.abs(differences) < ROUNDING] = 0
    return np.asarray(differences)


def is_pass_or_fail(baseline: Floats, other: Floats) -> bool:
    """Whether both sides have only 0 and 1 on the shared cases."""
    shared = ~np.isnan(baseline + other)
    both = np.concatenate([baseline[shared], other[shared]])
    return bool(((both == 0) | (both == 1)).all())


def choose_tests(
    differences: Floats,
    pass_or_fail: Sequence[bool] | Bools,
    *,
    resamples: int = resamples_for(ALPHA),
    seed: int = SEED,
) -> list[ColumnTest | None]:
    """Chooses a test for every column; rows are cases. NaN is a case that a column does not have; a
    column without any case has no test.
    """
    columns = [column[~np.isnan(column)] for column in differences.T]
    tests: list[ColumnTest | None] = [
        _choose(column, is_binary=bool(is_binary))
        for column, is_binary in zip(columns, pass_or_fail, strict=True)
    ]
    left = [
        at
        for at, (each, column) in enumerate(zip(tests, columns, strict=True))
        if each is None and column.size
    ]
    if left:
        found = studentised_tests(differences[:, left], resamples=resamples, seed=seed)
        for at, each in zip(left, found, strict=True):
            tests[at] = each
    return tests


def _choose(differences: Floats, *, is_binary: bool) -> ColumnTest | None:
    """None where the bootstrap is needed, or there is nothing to test."""
    cases = len(differences)
    if not cases:
        return None
    if is_binary:
        improved, regressed = int((differences > 0).sum()), int((differences < 0).sum())
        return ScoreTest(improved=improved, regressed=regressed, cases=cases)
    if float(np.ptp(differences)) < ROUNDING:
        return SignTest(difference=float(differences[0]), cases=cases)
    if cases <= MOST_CASES:
        return SignFlipTest.of(differences)
    return None
