"""Combines many automatic scores with few human scores: prediction-powered inference with power
tuning (PPI++; Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient Prediction-Powered Inference").

The estimate is the mean human score of the labelled cases, plus the tuned difference between the
automatic scores of all cases and those of the labelled ones. The tuning minimises the error:
useless automatic scores get no weight, so the result is about as exact as human scores alone, or
better.
"""

import math

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.table import Floats


def combine(people: Floats, automatic: Floats, *, level: float = 0.95) -> tuple[Estimate, float]:
    """Returns the estimated mean human score on all cases, and the tuning in 0..1.

    Both arrays have an entry per case. `people` is NaN for cases without a human score; cases
    without an automatic score are used only if every case has a human score. `cases` counts the
    cases with human scores.
    """
    labelled = ~np.isnan(people)
    known = ~np.isnan(automatic)
    rest = automatic[known & ~labelled]
    both = labelled & known
    if both.sum() < 3 or not rest.size:
        return _people_alone(people[labelled], level), 0.0
    count = int(both.sum())
    tuning = _tuning(people[both], automatic[both], rest)
    errors = people[both] - tuning * automatic[both]
    value = float(errors.mean() + tuning * rest.mean())
    # The tuning is fitted to the same cases, like a slope.
    spread = errors.var(ddof=2) / count
    if rest.size > 1:
        spread += tuning**2 * rest.var(ddof=1) / rest.size
    half = t_quantile((1 + level) / 2, count - 2) * math.sqrt(float(spread))
    return Estimate(value=value, interval=_within_scale(value, half), cases=count), tuning


def _tuning(people: Floats, automatic: Floats, rest: Floats) -> float:
    spread = float(np.append(automatic, rest).var(ddof=1))
    if spread == 0:
        return 0.0
    together = float(np.cov(people, automatic, bias=True)[0, 1])
    return min(1.0, max(0.0, together / (1 + len(people) / len(rest)) / spread))


def _people_alone(people: Floats, level: float) -> Estimate:
    count = len(people)
    if count == 0:
        return Estimate(value=None, interval=None, cases=0)
    value = float(people.mean())
    if count == 1:
        return Estimate(value=value, interval=None, cases=1)
    half = t_quantile((1 + level) / 2, count - 1) * float(people.std(ddof=1)) / math.sqrt(count)
    return Estimate(value=value, interval=_within_scale(value, half), cases=count)


def _within_scale(value: float, half: float) -> Interval:
    return Interval(low=max(0.0, value - half), high=min(1.0, value + half))
