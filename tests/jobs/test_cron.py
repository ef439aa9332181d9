"""Schedules: errors in words, next times, words."""

from datetime import UTC, datetime

import pytest

from edison.jobs import cron
from edison.jobs.cron import BadCron

START = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "Enter a schedule of five fields"),
        ("   ", "Enter a schedule of five fields"),
        ("* * * *", "This one has 4 fields"),
        ("hourly", "This one has 1 field."),
        ("0 * * * * *", "not six. It cannot name seconds"),
        ("* * * * * * *", "This one has 7 fields"),
        ("@daily", "instead of @daily"),
        ("60 * * * *", "'60' is not a valid minute. Use 0 to 59"),
        ("-1 * * * *", "is not a valid minute"),
        ("*/0 * * * *", "'*/0' is not a valid minute"),
        ("5-1 * * * *", "'5-1' is not a valid minute"),
        ("1,,2 * * * *", "is not a valid minute"),
        ("\u0663 * * * *", "is not a valid minute"),
        ("* 24 * * *", "'24' is not a valid hour. Use 0 to 23"),
        ("* * 0 * *", "'0' is not a valid day of the month"),
        ("* * 32 * *", "'32' is not a valid day of the month"),
        ("0 0 31 2 *", "None of the chosen months (2) has a day 31."),
        ("0 0 31 4,6,9,11 *", "None of the chosen months (4,6,9,11) has a day 31."),
        ("* * * 13 *", "'13' is not a valid month"),
        ("* * * FOO *", "'FOO' is not a valid month"),
        ("* * * * 8", "'8' is not a valid day of the week"),
        ("* * * * MON#6", "'MON#6' is not a valid day of the week"),
        ("9" * 101, "at most 100 characters"),
    ],
)
def test_each_error_is_explained(written: str, words: str) -> None:
    with pytest.raises(BadCron) as refused:
        cron.normalise(written)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("written", "words", "a_year"),
    [
        ("* * * * *", "Every minute", 525_600),
        ("*/15  *  * * *", "Every 15th minute of every hour", 35_040),
        ("0 9 * * *", "At 09:00 every day", 365),
        ("0 9 * * mon-fri", "At 09:00 on Monday through Friday", 261),
        ("0 0 29 2 *", "At 00:00 on February 29", 1),
    ],
)
def test_a_schedule_is_explained(written: str, words: str, a_year: int) -> None:
    normal = cron.normalise(written)
    assert cron.explain(normal) == words
    assert cron.times_a_year(normal) == pytest.approx(a_year, abs=1)


def test_next_times_are_after_the_given_time() -> None:
    assert cron.list_next("0 12 * * *", after=START, count=2) == [
        datetime(2026, 3, 2, 12, tzinfo=UTC),
        datetime(2026, 3, 3, 12, tzinfo=UTC),
    ]
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert cron.next_time("0 12 * * *", after=noon) == datetime(2026, 3, 3, 12, tzinfo=UTC)


def test_leap_days_are_found() -> None:
    assert cron.next_time("0 0 29 2 *", after=START) == datetime(2028, 2, 29, tzinfo=UTC)


def test_missed_times_are_counted() -> None:
    first = datetime(2026, 3, 1, 12, tzinfo=UTC)
    until = datetime(2026, 3, 1, 15, tzinfo=UTC)
    assert cron.count_between("0 * * * *", first=first, until=until) == 3
    later = datetime(2027, 3, 1, tzinfo=UTC)
    assert cron.count_between("* * * * *", first=first, until=later) == 10_000


def test_presets_are_valid() -> None:
    assert [cron.normalise(each.cron) for each in cron.PRESETS] == [
        each.cron for each in cron.PRESETS
    ]
