"""Burn-down of a budget and the projected time when it is used up. Pure arithmetic, no SQL.

What counts against a limit depends on the period: `known(day)` is how much of the amount spent so
far still counts on a later day. It is constant for a total and decreases for a rolling window.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile

from edison.kit.clock import midnight
from edison.kit.lazy_dataclasses import dataclass

DAY = timedelta(days=1)
# Range of the chart, into the past and into the future.
SHOWN_DAYS = 90
SHOWN_AHEAD = timedelta(days=30)
# No projection beyond this: the current rate says nothing about it.
MOST_DAYS_AHEAD = 365
FAR_AHEAD = 2.0 * MOST_DAYS_AHEAD
# The current rate is averaged over this many days, including today.
RATE_DAYS = 7
WINDOW_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    at: datetime
    spent_nanos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnDown:
    """Amounts counted up to now, oldest first, and their projection."""

    points: Sequence[Point]
    projection: Sequence[Point]
    nanos_per_day: int
    used_up_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetUsage:
    """State of a budget at `now`."""

    now: datetime
    since: datetime
    limit_nanos: int
    spent_nanos: int


def burn_down_of_day(usage: BudgetUsage, per_hour: Sequence[int]) -> BurnDown:
    """Burn-down of a daily budget. `per_hour` starts at midnight and ends with the current hour."""
    start = midnight(usage.now.date())
    hours = [start + timedelta(hours=number) for number in range(1, len(per_hour) + 1)]
    points = _running_sums(usage, start, zip(hours, per_hour, strict=True), sum(per_hour))
    elapsed = max(timedelta(hours=1), usage.now - max(start, usage.since))
    rate = round(usage.spent_nanos * (DAY / elapsed))
    return _project(usage, points, rate, days_ahead=0, known=lambda _: usage.spent_nanos)


def burn_down_of_total(usage: BudgetUsage, per_day: Mapping[date, int]) -> BurnDown:
    today = usage.now.date()
    first = max(usage.since.date(), today - (SHOWN_DAYS - 1) * DAY)
    days = [first + number * DAY for number in range((today - first).days + 1)]
    amounts = [per_day.get(day, 0) for day in days]
    ends = (midnight(day + DAY) for day in days)
    points = _running_sums(usage, midnight(first), zip(ends, amounts, strict=True), sum(amounts))
    return _project(
        usage,
        points,
        _recent_rate(usage, per_day),
        days_ahead=MOST_DAYS_AHEAD,
        known=lambda _: usage.spent_nanos,
    )


def burn_down_of_window(usage: BudgetUsage, per_day: Mapping[date, int]) -> BurnDown:
    """Burn-down of a rolling 30-day budget: each point is the cost of the 30 days before it."""
    today = usage.now.date()

    def window(day: date) -> int:
        return sum(
            nanos
            for spent_on, nanos in per_day.items()
            if day - WINDOW_DAYS * DAY < spent_on <= day
        )

    first = max(usage.since.date(), today - (WINDOW_DAYS - 1) * DAY)
    past = [first + number * DAY for number in range((today - first).days)]
    points = [
        Point(at=midnight(first), spent_nanos=window(first - DAY)),
        *(Point(at=midnight(day + DAY), spent_nanos=window(day)) for day in past),
        Point(at=usage.now, spent_nanos=usage.spent_nanos),
    ]
    return _project(
        usage, points, _recent_rate(usage, per_day), days_ahead=WINDOW_DAYS, known=window
    )


def _running_sums(
    usage: BudgetUsage, start: datetime, steps: Iterable[tuple[datetime, int]], total: int
) -> list[Point]:
    """Running sums that end now at exactly the budget's spent amount."""
    counted = max(0, usage.spent_nanos - total)
    points = [Point(at=start, spent_nanos=counted)]
    for end, nanos in steps:
        counted += nanos
        if end < usage.now:
            points.append(Point(at=end, spent_nanos=counted))
    points.append(Point(at=usage.now, spent_nanos=usage.spent_nanos))
    return points


def _recent_rate(usage: BudgetUsage, per_day: Mapping[date, int]) -> int:
    """Nano-dollars per day, averaged over at least one day."""
    since = max(usage.since, midnight(usage.now.date() - (RATE_DAYS - 1) * DAY))
    recent = sum(nanos for day, nanos in per_day.items() if day >= since.date())
    return round(recent * (DAY / max(DAY, usage.now - since)))


def _project(
    usage: BudgetUsage,
    points: Sequence[Point],
    nanos_per_day: int,
    *,
    days_ahead: int,
    known: Callable[[date], int],
) -> BurnDown:
    """Project from now to the end of the last day ahead, or to the limit."""
    projection: list[Point] = []
    used_up_at = None
    if usage.spent_nanos >= usage.limit_nanos:
        used_up_at = _start_of_last_stretch(points, usage.limit_nanos)
    elif nanos_per_day > 0:
        projection, used_up_at = _projection_points(
            usage, nanos_per_day, days_ahead=days_ahead, known=known
        )
    return BurnDown(
        points=points,
        projection=[point for point in projection if point.at <= usage.now + SHOWN_AHEAD],
        nanos_per_day=nanos_per_day,
        used_up_at=used_up_at,
    )


def _start_of_last_stretch(points: Sequence[Point], limit_nanos: int) -> datetime:
    """Start of the most recent uninterrupted time at or above the limit."""
    stretch = takewhile(lambda point: point.spent_nanos >= limit_nanos, reversed(points))
    return min(point.at for point in stretch)


def _projection_points(
    usage: BudgetUsage, nanos_per_day: int, *, days_ahead: int, known: Callable[[date], int]
) -> tuple[list[Point], datetime | None]:
    projection = [Point(at=usage.now, spent_nanos=usage.spent_nanos)]
    begin = usage.now
    for number in range(days_ahead + 1):
        day = usage.now.date() + number * DAY
        end = midnight(day + DAY)
        days_left = (usage.limit_nanos - known(day)) / nanos_per_day
        full_at = max(begin, usage.now + min(days_left, FAR_AHEAD) * DAY)
        if full_at < end:
            projection.append(Point(at=full_at, spent_nanos=usage.limit_nanos))
            return projection, full_at
        added = round(nanos_per_day * ((end - usage.now) / DAY))
        projection.append(Point(at=end, spent_nanos=known(day) + added))
        begin = end
    return projection, None
