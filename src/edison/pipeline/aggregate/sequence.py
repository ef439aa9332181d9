"""Looking at a comparison while it runs, as often as one likes, without being fooled by luck.

An ordinary interval holds at one look; whoever looks 48 times and stops at the first "significant"
is wrong in a quarter of all comparisons of equals. The asymptotic confidence sequence
(Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and
asymptotic confidence sequences", Annals of Statistics 52) holds at all looks at once. It is wider
than an interval, so the chance of a false alarm is shared out: a small part is for stopping early,
and what is left for the ordinary test of a comparison that went on to its end.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats

# Together no more than one test alone may have.
EARLY_ALPHA = 0.01
FINAL_ALPHA = ALPHA - EARLY_ALPHA
# Before that, the spread of differences is not known well enough to rely on.
FEWEST_CASES = 60
# With less than this chance to find something worthwhile, going on is not worth its cost.
_LEAST_HOPE = 0.2


class Decision(StrEnum):
    """What to do with a comparison that is still running. Stored; never rename."""

    BETTER = "better"
    WORSE = "worse"
    TOO_CLOSE = "too_close"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """`interval` holds the true difference at every look with the chance asked for; None as long
    as there are too few cases."""

    decision: Decision
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
    """At the differences so far, one per case in the order in which cases came.

    The other arguments stay the same from look to look. `worthwhile` is the smallest difference
    that matters: once there is none, or it would hardly show by the planned number of cases, the
    comparison is too close to go on with. One that is never stopped ends with `compare` at
    `FINAL_ALPHA`.
    """
    known = differences[~np.isnan(differences)]
    count = len(known)
    mean = float(known.mean()) if count else None
    if mean is None or count < FEWEST_CASES:
        return Look(decision=Decision.CONTINUE, difference=mean, interval=None, cases=count)
    spread = float(known.std(ddof=1))
    # The sequence is best narrowest half way: an early end saves more than a late one.
    half = spread * radius(count, planned_cases=planned_cases // 2, alpha=alpha)
    interval = Interval(low=mean - half, high=mean + half)
    decision = _decide(interval, worthwhile)
    if decision is Decision.CONTINUE and count < planned_cases and worthwhile > 0:
        hope = _hope(mean, spread, count, planned_cases, worthwhile)
        decision = Decision.TOO_CLOSE if hope < _LEAST_HOPE else decision
    return Look(decision=decision, difference=mean, interval=interval, cases=count)


def radius(cases: int, *, planned_cases: int, alpha: float = ALPHA) -> float:
    """Half the width at so many cases, in standard deviations of one case's difference."""
    tightness = _tightness(planned_cases, alpha)
    scaled = cases * tightness**2 + 1
    reach = math.sqrt(2 * scaled * math.log(math.sqrt(scaled) / alpha)) / (cases * tightness)
    # The spread is an estimate: what t is to z.
    return reach * t_quantile(1 - alpha / 2, cases - 1) / normal_quantile(1 - alpha / 2)


def _tightness(planned_cases: int, alpha: float) -> float:
    """What makes the sequence narrowest at the planned number of cases."""
    log = -2 * math.log(alpha)
    return math.sqrt((log + math.log(log + 1)) / max(planned_cases, FEWEST_CASES))


def _decide(interval: Interval, worthwhile: float) -> Decision:
    if interval.low > 0:
        return Decision.BETTER
    if interval.high < 0:
        return Decision.WORSE
    if max(-interval.low, interval.high) < worthwhile:
        return Decision.TOO_CLOSE
    return Decision.CONTINUE


def _hope(mean: float, spread: float, cases: int, planned: int, worthwhile: float) -> float:
    """The chance that the final test finds something if, from now on, one of the two were better by
    just what is worthwhile (conditional power)."""
    left = planned - cases
    needed = normal_quantile(1 - FINAL_ALPHA / 2) * spread * math.sqrt(planned)
    reached = abs(mean) * cases + left * worthwhile
    return normal_share((reached - needed) / (spread * math.sqrt(left)))
