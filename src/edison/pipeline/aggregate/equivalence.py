"""Equivalence of two variants: a claim of its own, never just the lack of a significant difference.

Two one-sided tests at 5 % with a margin: the 90 % interval of the difference, from the same paired
test as verdicts, lies within the margin. Failures in a tenth of all cases are easily missed by a
small sample, so it takes 30 shared cases, and 60 where all differences are the same. A variant that
is significantly worse is never equivalent, however small the difference.
"""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.paired import (
    ROUNDING,
    ColumnTest,
    choose_tests,
    differences_of,
    is_pass_or_fail,
)
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.results import Equivalence, Interval
from edison.pipeline.aggregate.table import Floats

MARGIN = 0.05
FEWEST_CASES = 30
FEWEST_IF_EQUAL = 60


def prove_equivalence(baseline: Floats, other: Floats, *, margin: float = MARGIN) -> Equivalence:
    """Takes scores in 0..1 of the same cases in the same order, NaN where there is none."""
    differences = differences_of(baseline, other)
    (test,) = choose_tests(differences[:, None], [is_pass_or_fail(baseline, other)])
    return equivalence_of(test, differences[~np.isnan(differences)], margin=margin)


def equivalence_of(
    test: ColumnTest | None, differences: Floats, *, margin: float = MARGIN
) -> Equivalence:
    """Takes differences without NaN, and their test."""
    cases = len(differences)
    is_varied = cases > 0 and float(np.ptp(differences)) >= ROUNDING
    needed = FEWEST_CASES if is_varied else FEWEST_IF_EQUAL
    if test is None or cases < needed:
        return Equivalence(
            margin=margin,
            cases=cases,
            interval=None,
            other_is_as_good=False,
            baseline_is_as_good=False,
            reason=_too_few(cases, needed),
        )
    # 5 % on each side.
    interval = test.interval(2 * ALPHA)
    is_different = test.p_value <= ALPHA
    mean = float(differences.mean())
    return Equivalence(
        margin=margin,
        cases=cases,
        interval=interval,
        other_is_as_good=interval.low > -margin and not (is_different and mean < 0),
        baseline_is_as_good=interval.high < margin and not (is_different and mean > 0),
        reason=_reason(interval, cases, margin),
    )


def _too_few(cases: int, needed: int) -> str:
    because = " where all differences are the same" if needed == FEWEST_IF_EQUAL else ""
    return f"{cases} shared cases are too few to call one as good: it takes {needed}{because}."


def _reason(interval: Interval, cases: int, margin: float) -> str:
    return (
        f"On {cases} shared cases the difference is between {10 * interval.low:+.2f} and "
        f"{10 * interval.high:+.2f} of 10 points, held against a margin of {10 * margin:.1f} "
        "(two one-sided tests at 5 %)."
    )
