"""Wilson's interval for a share of successes, which neither collapses at 0 or 1 nor leaves 0..1."""

import math

from edison.pipeline.aggregate.quantiles import normal_quantile
from edison.pipeline.aggregate.results import Interval


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> Interval:
    """Without trials the interval is 0..1. Trials must be independent: cases, not their repeats."""
    if trials == 0:
        return Interval(low=0.0, high=1.0)
    z = normal_quantile((1 + level) / 2)
    share = successes / trials
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    spread = share * (1 - share) / trials + z * z / (4 * trials * trials)
    half = z * math.sqrt(spread) / scale
    return Interval(low=max(0.0, centre - half), high=min(1.0, centre + half))
