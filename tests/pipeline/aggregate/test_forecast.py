"""Forecast of a monitor's score, against scipy's regression."""

from datetime import UTC, datetime, timedelta

import pytest
from scipy import stats

from edison.pipeline.aggregate.forecast import forecast

NEXT = datetime(2026, 3, 8, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def points(*values: float, every: timedelta = DAY) -> list[tuple[datetime, float]]:
    """The last one is one interval before the next check."""
    count = len(values)
    return [(NEXT - (count - at) * every, value) for at, value in enumerate(values)]


def test_the_slope_and_its_interval_are_those_of_a_regression() -> None:
    values = (0.9, 0.86, 0.87, 0.8, 0.81, 0.76)
    found = forecast(points(*values), next_at=NEXT)
    expected = stats.linregress(range(6), values)
    assert found is not None
    assert found.slope_per_day == pytest.approx(expected.slope)
    high = expected.slope + stats.t.ppf(0.975, 4) * expected.stderr
    assert found.slope_high == pytest.approx(high)
    assert found.next_value == pytest.approx(expected.intercept + 6 * expected.slope)


def test_a_falling_score_is_forecast_below_the_threshold() -> None:
    falling = points(0.85, 0.82, 0.79, 0.76, 0.74, 0.71)
    found = forecast(falling, next_at=NEXT)
    assert found is not None
    assert found.falls_below
    lower = forecast(falling, threshold=0.6, next_at=NEXT)
    assert lower is not None
    assert not lower.falls_below


def test_a_low_score_without_a_slope_is_no_forecast() -> None:
    found = forecast(points(0.6, 0.65, 0.6, 0.66, 0.61, 0.64), next_at=NEXT)
    assert found is not None
    assert found.slope_high > 0
    assert not found.falls_below


def test_it_takes_five_checks_of_the_last_seven_days() -> None:
    falling = points(0.9, 0.85, 0.8, 0.75)
    assert forecast(falling, next_at=NEXT) is None
    old = (NEXT - 8 * DAY, 0.95)
    assert forecast([old, *falling], next_at=NEXT) is None
    assert forecast([(NEXT - 7 * DAY, 0.95), *falling], next_at=NEXT) is not None


def test_points_may_come_in_any_order() -> None:
    found = points(0.9, 0.7, 0.8, 0.75, 0.72)
    assert forecast(found[::-1], next_at=NEXT) == forecast(found, next_at=NEXT)


def test_a_forecast_stays_within_the_scale() -> None:
    found = forecast(points(0.8, 0.6, 0.4, 0.2, 0.0), next_at=NEXT)
    assert found is not None
    assert (found.next_value, found.falls_below) == (0.0, True)


def test_checks_at_one_time_have_no_slope() -> None:
    assert forecast([(NEXT - DAY, 0.8)] * 6, next_at=NEXT) is None
