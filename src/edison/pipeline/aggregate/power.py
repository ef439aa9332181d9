"""Effect size, minimum detectable effect and required number of cases.

For the paired t-test, whose power the sign-flip test shares for all but very few cases. Power is
computed from the central t distribution at both ends, within one case of the exact noncentral
result.
"""

import math

from edison.pipeline.aggregate.quantiles import t_quantile

ALPHA = 0.05
POWER = 0.8
_MOST_CASES = 1_000_000


def effect_size(mean: float, standard_deviation: float, cases: int) -> float | None:
    """The mean difference in standard deviations of differences, with Hedges' correction for few
    cases.
    """
    if cases < 2 or standard_deviation == 0:
        return None
    return mean / standard_deviation * (1 - 3 / (4 * (cases - 1) - 1))


def minimum_detectable_effect(
    standard_deviation: float, cases: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """The smallest mean difference that this many cases detect with probability `power`."""
    if cases < 2 or standard_deviation == 0:
        return None
    return _reach(cases, alpha, power) * standard_deviation / math.sqrt(cases)


def cases_needed(
    effect: float, standard_deviation: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Number of cases needed to detect a mean difference of `effect`; None when a million are not
    enough.
    """
    if effect == 0 or standard_deviation == 0:
        return None
    ratio = abs(effect) / standard_deviation

    def suffice(cases: int) -> bool:
        return _reach(cases, alpha, power) / math.sqrt(cases) <= ratio

    if not suffice(_MOST_CASES):
        return None
    low, high = 1, 2
    while not suffice(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffice(middle) else (middle, high)
    return high


def _reach(cases: int, alpha: float, power: float) -> float:
    """Detectable difference in standard errors of the mean."""
    return t_quantile(1 - alpha / 2, cases - 1) + t_quantile(power, cases - 1)
