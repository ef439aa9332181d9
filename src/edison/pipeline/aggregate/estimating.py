"""Means over cases with the interval that fits them: Wilson's where every case is a plain pass or
fail, otherwise the bootstrap's. Differences always have the bootstrap's.
"""

import numpy as np

from edison.pipeline.aggregate.bootstrap import RESAMPLES, SEED, bca_intervals
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.aggregate.wilson import wilson_interval


def estimate_means(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Estimate]:
    """Of every column of shares or scores in 0..1; rows are cases, NaN where there is none."""
    resampled = bca_intervals(columns, level=level, resamples=resamples, seed=seed)
    return [
        _estimate(column[~np.isnan(column)], interval, level)
        for column, interval in zip(columns.T, resampled, strict=True)
    ]


def estimate_differences(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Estimate]:
    """Of every column of differences; rows are cases, NaN where there is none."""
    resampled = bca_intervals(columns, level=level, resamples=resamples, seed=seed)
    return [
        _mean(column[~np.isnan(column)], interval)
        for column, interval in zip(columns.T, resampled, strict=True)
    ]


def _estimate(values: Floats, interval: Interval | None, level: float) -> Estimate:
    # One answer says next to nothing, whatever kind of score it got.
    if len(values) > 1 and np.isin(values, (0.0, 1.0)).all():
        interval = wilson_interval(int(values.sum()), len(values), level=level)
    return _mean(values, interval)


def _mean(values: Floats, interval: Interval | None) -> Estimate:
    value = float(values.mean()) if values.size else None
    return Estimate(value=value, interval=interval, cases=len(values))
