"""The arithmetic of burn-downs."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from edison.workspace.budgets.burn_down import (
    BudgetUsage,
    Point,
    burn_down_of_day,
    burn_down_of_total,
    burn_down_of_window,
)

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def usage(spent: int, limit: int, *, since: datetime = LONG_AGO) -> BudgetUsage:
    return BudgetUsage(now=NOW, since=since, limit_nanos=limit, spent_nanos=spent)


def days_ago(number: int) -> date:
    return NOW.date() - number * DAY


def test_an_old_total_starts_with_the_spending_before_the_chart() -> None:
    course = burn_down_of_total(usage(500, 1000), {days_ago(1): 100})
    assert len(course.points) == 91
    assert course.points[0] == Point(at=datetime(2026, 1, 1, tzinfo=UTC), spent_nanos=400)
    assert [point.spent_nanos for point in course.points[-3:]] == [400, 500, 500]


def test_the_rate_is_that_of_the_last_seven_days() -> None:
    per_day = {days_ago(0): 30, days_ago(6): 35, days_ago(7): 1000}
    # Six and a half days.
    assert burn_down_of_total(usage(1065, 5000), per_day).nanos_per_day == 10


def test_a_budget_of_an_hour_is_judged_as_if_it_were_a_day_old() -> None:
    young = usage(50, 1000, since=NOW - timedelta(hours=1))
    course = burn_down_of_total(young, {days_ago(0): 50})
    assert course.nanos_per_day == 50
    assert course.used_up_at == NOW + 19 * DAY


def test_a_projection_is_drawn_for_thirty_days_but_looks_ahead_a_year() -> None:
    per_day = {days_ago(number): 10 for number in range(7)}
    course = burn_down_of_total(usage(70, 70 + round(70 / 6.5) * 60), per_day)
    assert course.used_up_at == NOW + 60 * DAY
    assert course.projection[-1].at == datetime(2026, 4, 30, tzinfo=UTC)
    assert burn_down_of_total(usage(70, 10**18), per_day).used_up_at is None


def test_without_spending_nothing_is_projected() -> None:
    course = burn_down_of_total(usage(0, 100), {})
    assert (course.projection, course.nanos_per_day, course.used_up_at) == ([], 0, None)


def test_spending_that_leaves_the_window_frees_the_budget() -> None:
    per_day = {days_ago(29): 9000, days_ago(0): 650}
    course = burn_down_of_window(usage(9650, 10_000), per_day)
    assert [point.spent_nanos for point in course.points][:3] == [0, 9000, 9000]
    # 650 in six and a half days: most of the spending leaves the window before the limit is
    # reached.
    assert (course.nanos_per_day, course.used_up_at) == (100, None)
    assert [point.spent_nanos for point in course.projection[:3]] == [9650, 9700, 800]


def test_a_window_is_exhausted_when_new_spending_exceeds_expiring_spending() -> None:
    per_day = {days_ago(number): 13 for number in range(7)}
    course = burn_down_of_window(usage(91, 105), per_day)
    assert course.nanos_per_day == 14
    assert course.used_up_at == NOW + DAY
    assert course.projection[-1] == Point(at=NOW + DAY, spent_nanos=105)


def test_an_exhausted_budget_states_since_when() -> None:
    per_day = {days_ago(35): 100, days_ago(3): 100}
    course = burn_down_of_window(usage(100, 100), per_day)
    assert course.used_up_at == datetime(2026, 3, 29, tzinfo=UTC)
    assert course.projection == []


@pytest.mark.parametrize(("limit", "hours"), [(24, 12), (13, 1), (25, None)])
def test_a_day_is_used_up_only_before_it_ends(limit: int, hours: int | None) -> None:
    course = burn_down_of_day(usage(12, limit), [1] * 13)
    expected = None if hours is None or hours == 12 else NOW + timedelta(hours=hours)
    assert (course.nanos_per_day, course.used_up_at) == (24, expected)


def test_spending_missing_in_the_ledger_counts_from_the_start() -> None:
    """Calls of yesterday that were charged today are yesterday's in the ledger."""
    course = burn_down_of_day(replace(usage(10, 100), now=NOW.replace(hour=1, minute=30)), [0, 4])
    assert [point.spent_nanos for point in course.points] == [6, 6, 10]
