"""Looking at a comparison while it runs, as often as one likes, without being fooled by luck.

An ordinary interval holds at one look; whoever looks 48 times and stops at the first "significant"
is wrong in a quarter of all comparisons of equals. The asymptotic confidence sequence
(Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and
asymptotic confidence sequences", Annals of Statistics 52) holds at all looks at once. It is wider
than an interval, least so around the number of cases that was planned.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.quantiles import normal_quantile, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats

# Before that, the spread of differences is not known well enough to rely on.
FEWEST_CASES = 20


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
    differences: Floats, *, planned_cases: int, margin: float = 0.0, alpha: float = ALPHA
) -> Look:
    """At the differences so far, one per case in the order in which cases came.

    `planned_cases` and `alpha` stay the same from look to look. Differences within `margin` do not
    matter: once it is certain that this is one, the comparison is too close to go on with.
    """
    known = differences[~np.isnan(differences)]
    count = len(known)
    mean = float(known.mean()) if count else None
    if mean is None or count < FEWEST_CASES:
        return Look(decision=Decision.CONTINUE, difference=mean, interval=None, cases=count)
    half = float(known.std(ddof=1)) * radius(count, planned_cases=planned_cases, alpha=alpha)
    interval = Interval(low=mean - half, high=mean + half)
    return Look(decision=_decide(interval, margin), difference=mean, interval=interval, cases=count)


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


def _decide(interval: Interval, margin: float) -> Decision:
    if interval.low > 0:
        return Decision.BETTER
    if interval.high < 0:
        return Decision.WORSE
    if max(-interval.low, interval.high) < margin:
        return Decision.TOO_CLOSE
    return Decision.CONTINUE
