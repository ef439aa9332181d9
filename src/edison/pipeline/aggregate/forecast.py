"""Forecast of a monitor's score: the line through the checks of the last days, and whether it
reaches a threshold at the next check.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.quantiles import t_quantile

THRESHOLD = 0.7
FEWEST_CHECKS = 5
WINDOW = timedelta(days=7)
_DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """`slope_high` is the upper end of the slope's 95 % interval; `next_value` is within 0..1.
    `falls_below`: the slope's interval is below 0, and the next value below the threshold.
    """

    slope_per_day: float
    slope_high: float
    next_value: float
    falls_below: bool


def forecast(
    points: Sequence[tuple[datetime, float]], *, threshold: float = THRESHOLD, next_at: datetime
) -> Forecast | None:
    """Fits a least-squares line to the points of the seven days before `next_at`. None with fewer
    than five of them, or when all have the same time.
    """
    recent = sorted((at, value) for at, value in points if next_at - WINDOW <= at <= next_at)
    count = len(recent)
    if count < FEWEST_CHECKS:
        return None
    days = np.array([(at - next_at).total_seconds() / _DAY_SECONDS for at, _ in recent])
    values = np.array([value for _, value in recent], dtype=np.float64)
    away = days - days.mean()
    squares = float(away @ away)
    if squares == 0:
        return None
    slope = float(away @ values) / squares
    residuals = values - values.mean() - slope * away
    error = math.sqrt(float(residuals @ residuals) / (count - 2) / squares)
    slope_high = slope + t_quantile(1 - ALPHA / 2, count - 2) * error
    next_value = min(1.0, max(0.0, float(values.mean()) - slope * float(days.mean())))
    return Forecast(
        slope_per_day=slope,
        slope_high=slope_high,
        next_value=next_value,
        falls_below=slope_high < 0 and next_value < threshold,
    )
