"""Alpha spending: the false positive rate allowed at each look at the same held-out cases, and
whether a number of cases can reach it at all.

The k-th look gets 0.05 x 6 / (pi² k²), which sums to 5 % over any number of looks. Holm corrects
within one look at several versions, never across looks.
"""

import math

from edison.pipeline.aggregate.paired import resamples_for
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.sign_flip import MOST_CASES
from edison.pipeline.aggregate.tango import ScoreTest

# More cases than any test needs that can succeed at all.
_MOST_NEEDED = 1_000


def alpha_of_look(number: int) -> float:
    """Alpha of the look with this number at a held-out set, counted from 1."""
    if number < 1:
        raise ValueError("Looks are counted from 1.")
    return ALPHA * 6 / (math.pi * number) ** 2


def smallest_p_value(
    cases: int, *, alpha: float = ALPHA, is_pass_or_fail: bool = False, comparisons: int = 1
) -> float:
    """The smallest p-value that the test can give on this many cases: all of them improve, by
    different amounts. Corrected for the number of comparisons in one look.
    """
    if cases < 1:
        return 1.0
    if is_pass_or_fail:
        best = ScoreTest(improved=cases, regressed=0, cases=cases).p_value
    elif cases <= MOST_CASES:
        best = 2.0 ** (1 - cases)
    else:
        best = 2 / (resamples_for(alpha, comparisons=comparisons) + 1)
    return min(1.0, comparisons * best)


def can_succeed(
    cases: int, *, look: int, is_pass_or_fail: bool = False, comparisons: int = 1
) -> bool:
    """Whether any outcome on this many held-out cases can pass this look."""
    alpha = alpha_of_look(look)
    return (
        smallest_p_value(
            cases, alpha=alpha, is_pass_or_fail=is_pass_or_fail, comparisons=comparisons
        )
        <= alpha
    )


def fewest_cases(*, look: int, is_pass_or_fail: bool = False) -> int | None:
    """The smallest sufficient number of held-out cases; None when no number is sufficient."""
    for cases in range(1, _MOST_NEEDED):
        if can_succeed(cases, look=look, is_pass_or_fail=is_pass_or_fail):
            return cases
    return None
