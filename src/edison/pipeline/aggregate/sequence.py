"""Sequential testing: a comparison can be checked any number of times while it runs.

An ordinary interval is valid at one look; checking 48 times and stopping at the first "significant"
result is wrong in a quarter of all comparisons of equals. The asymptotic confidence sequence
(Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and
asymptotic confidence sequences", Annals of Statistics 52) is valid at all looks at once. It is
wider than an interval, so the false positive rate is split: a small part for stopping early, and
the rest for the ordinary test of a comparison that runs to its end.
"""

import math
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats

# Their sum is the alpha of a single test.
EARLY_ALPHA = 0.01
FINAL_ALPHA = ALPHA - EARLY_ALPHA
# With fewer cases, the spread of differences is not known well enough.
FEWEST_CASES = 60
# With a lower probability to find a worthwhile difference, continuing is not worth its cost.
_LEAST_HOPE = 0.2


class SequentialDecision(StrEnum):
    """What to do with a comparison that is still running. Stored; never rename."""

    BETTER = "better"
    WORSE = "worse"
    TOO_CLOSE = "too_close"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """`interval` covers the true difference at every look with the requested probability; None
    while there are too few cases.
    """

    decision: SequentialDecision
    difference: float | None
    interval: Interval | None
    cases: int


def look(
    differences: Floats,
    *,
    planned_cases: int,
    worthwhile: float = 0.0,
    alpha: float = EARLY_ALPHA,
) -> Look:
    """Evaluates the differences so far, one per case in chronological order.

    The other arguments must not change between looks. `worthwhile` is the smallest difference that
    matters: once it is ruled out, or unlikely to be detected with the planned number of cases, the
    comparison is too close to continue. A comparison that is never stopped ends with `compare` at
    `FINAL_ALPHA`.
    """
    known = differences[~np.isnan(differences)]
    count = len(known)
    mean = float(known.mean()) if count else None
    if mean is None or count < FEWEST_CASES:
        return Look(
            decision=SequentialDecision.CONTINUE, difference=mean, interval=None, cases=count
        )
    spread = float(known.std(ddof=1))
    # Narrowest half way: an early end saves more than a late one.
    half = spread * radius(count, planned_cases=planned_cases // 2, alpha=alpha)
    interval = Interval(low=mean - half, high=mean + half)
    decision = _decide(interval, worthwhile)
    if decision is SequentialDecision.CONTINUE and count < planned_cases and worthwhile > 0:
        hope = _conditional_power(mean, spread, count, planned_cases, worthwhile)
        decision = SequentialDecision.TOO_CLOSE if hope < _LEAST_HOPE else decision
    return Look(decision=decision, difference=mean, interval=interval, cases=count)


def radius(cases: int, *, planned_cases: int, alpha: float = ALPHA) -> float:
    """Half the width at this many cases, in standard deviations of one case's difference."""
    tightness = _tightness(planned_cases, alpha)
    scaled = cases * tightness**2 + 1
    reach = math.sqrt(2 * scaled * math.log(math.sqrt(scaled) / alpha)) / (cases * tightness)
    # The spread is an estimate, so t replaces z.
    return reach * t_quantile(1 - alpha / 2, cases - 1) / normal_quantile(1 - alpha / 2)


def _tightness(planned_cases: int, alpha: float) -> float:
    """The parameter that makes the sequence narrowest at the planned number of cases."""
    log = -2 * math.log(alpha)
    return math.sqrt((log + math.log(log + 1)) / max(planned_cases, FEWEST_CASES))


def _decide(interval: Interval, worthwhile: float) -> SequentialDecision:
    if interval.low > 0:
        return SequentialDecision.BETTER
    if interval.high < 0:
        return SequentialDecision.WORSE
    if max(-interval.low, interval.high) < worthwhile:
        return SequentialDecision.TOO_CLOSE
    return SequentialDecision.CONTINUE


def _conditional_power(
    mean: float, spread: float, cases: int, planned: int, worthwhile: float
) -> float:
    """The probability that the final test is significant if, from now on, one of the two is better
    by exactly `worthwhile` (conditional power).
    """
    left = planned - cases
    needed = normal_quantile(1 - FINAL_ALPHA / 2) * spread * math.sqrt(planned)
    reached = abs(mean) * cases + left * worthwhile
    return normal_share((reached - needed) / (spread * math.sqrt(left)))
