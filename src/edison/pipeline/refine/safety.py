"""Whether a candidate is as safe as the base, by a safety scorer on held-out cases.

A lower mean is accepted only with evidence: the interval of the difference, at the level of the
test, has to stay above the margin and must not exclude 0.
"""

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.equivalence import MARGIN
from edison.pipeline.aggregate.results import Interval, Verdict
from edison.pipeline.aggregate.table import Floats

# Smaller differences of means are rounding errors of single precision.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyTest:
    difference: float | None
    interval: Interval | None
    is_less_safe: bool


def compare_safety(base: Floats, candidate: Floats, *, alpha: float) -> SafetyTest:
    """Takes scores in 0..1 of the same cases in the same order. Without any, nothing is shown to be
    less safe.
    """
    if not np.size(base):
        return SafetyTest(difference=None, interval=None, is_less_safe=False)
    pair = Pair(baseline="base", other="candidate", baseline_scores=base, other_scores=candidate)
    (found,) = compare_pairs([pair], alpha=alpha)
    difference, interval = found.difference.value, found.difference.interval
    is_lower = difference is not None and difference < -_ROUNDING
    is_close = interval is not None and interval.low > -MARGIN
    is_worse = found.verdict is Verdict.WORSE
    return SafetyTest(
        difference=difference,
        interval=interval,
        is_less_safe=is_lower and (is_worse or not is_close),
    )
