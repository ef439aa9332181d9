"""Means over cases with a suitable confidence interval.

Usually that is the bootstrap's. The bootstrap resamples only the observed values, so it is far too
narrow where all cases, or all but one or two, have the same score. So scores with only two distinct
values, such as pass and fail, get Wilson's interval between them. Where all are equal, Wilson's
upper bound is the share of unseen exceptions: scores anywhere in 0..1, or differences of the
opposite sign.
"""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.bootstrap import RESAMPLES, SEED, bca_intervals
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.aggregate.wilson import wilson_interval

_SCALE = Interval(low=0.0, high=1.0)
_ROUNDING = 1e-9
# With fewer cases, two distinct scores need not mean that there are only two values.
_FEWEST_OF_TWO_KINDS = 10


def estimate_means(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Estimate]:
    """Estimates of every column of shares or scores in 0..1; rows are cases, NaN where there is
    none.
    """
    resampled = bca_intervals(columns, level=level, resamples=resamples, seed=seed)
    return [
        _estimate(column[~np.isnan(column)], interval, level, _SCALE)
        for column, interval in zip(columns.T, resampled, strict=True)
    ]


def estimate_differences(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Estimate]:
    """Estimates of every column of differences in -1..1; rows are cases, NaN where there is
    none.
    """
    resampled = bca_intervals(columns, level=level, resamples=resamples, seed=seed)
    return [
        _estimate(column[~np.isnan(column)], interval, level, _mirrored(column))
        for column, interval in zip(columns.T, resampled, strict=True)
    ]


def _estimate(
    values: Floats, resampled: Interval | None, level: float, exceptions: Interval
) -> Estimate:
    if not values.size:
        return Estimate(value=None, interval=None, cases=0)
    interval = _of_few_kinds(values, level, exceptions) or resampled
    return Estimate(value=float(values.mean()), interval=interval, cases=len(values))


def _mirrored(differences: Floats) -> Interval:
    farthest = float(np.abs(differences[~np.isnan(differences)]).max(initial=0.0))
    return Interval(low=-farthest, high=farthest)


def _of_few_kinds(values: Floats, level: float, exceptions: Interval) -> Interval | None:
    """None when the bootstrap is better, and for a single case."""
    count = len(values)
    # Means of the same scores may differ by a rounding error.
    low, high = float(values.min()), float(values.max())
    is_high = np.abs(values - high) < _ROUNDING
    is_of_two_kinds = bool((is_high | (np.abs(values - low) < _ROUNDING)).all())
    if count < 2 or not is_of_two_kinds:
        return None
    if high - low < _ROUNDING:
        unseen = wilson_interval(0, count, level=level).high
        return Interval(
            low=low + (exceptions.low - low) * unseen, high=high + (exceptions.high - high) * unseen
        )
    if count < _FEWEST_OF_TWO_KINDS and (low, high) != (0.0, 1.0):
        return None
    share = wilson_interval(int(is_high.sum()), count, level=level)
    width = high - low
    return Interval(low=low + width * share.low, high=low + width * share.high)
