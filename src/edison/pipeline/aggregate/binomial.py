"""Exact binomial bounds and tests."""

import math

from edison.pipeline.aggregate.quantiles import beta_share
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.aggregate.table import Floats

_ROUNDS = 60


def most_unseen(cases: int, *, chance: float = 0.05) -> float:
    """Upper bound of the share of failing cases when none of `cases` failed, at an error rate of
    `chance`: 14 % of cases after 20 without a failure.
    """
    return 1 - chance ** (1 / cases) if cases else 1.0


def upper_share(seen: int, cases: int, *, chance: float = 0.05) -> float:
    """One-sided upper Clopper-Pearson bound of a share of which `seen` of `cases` were seen."""
    if seen >= cases:
        return 1.0
    if seen == 0:
        return most_unseen(cases, chance=chance)
    low, high = seen / cases, 1.0
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        # The probability to see more than `seen` when this is the share.
        is_below = beta_share(middle, seen + 1, cases - seen) < 1 - chance
        low, high = (middle, high) if is_below else (low, middle)
    return high


def sign_test_p_value(improved: int, regressed: int) -> float:
    """Two-sided exact sign test."""
    count, fewer = improved + regressed, min(improved, regressed)
    tail = sum(math.comb(count, at) for at in range(fewer + 1))
    # Python divides integers of any size exactly; floats would overflow.
    return float(min(1.0, 2 * tail / 2**count))


# A quarter of the scale: a different answer, not just a different wording.
MUCH = 0.25


def caveat_of(verdict: Verdict, differences: Floats) -> str | None:
    """None unless the verdict is better or worse; `differences` has no NaN. The sentence is about
    the better variant, whichever of the two it is.
    """
    if verdict not in (Verdict.BETTER, Verdict.WORSE):
        return None
    gains = differences if verdict is Verdict.BETTER else -differences
    cases, broken = len(gains), int((gains <= -MUCH).sum())
    share = f"{100 * upper_share(broken, cases):.0f} %"
    if broken == 0:
        return (
            f"Among {cases} cases none got much worse with the better one; a break in up to "
            f"{share} of cases could have gone unseen."
        )
    return (
        f"Among {cases} cases {broken} got much worse with the better one; a break in up to "
        f"{share} of all cases would fit that."
    )
