"""Cron schedules of five fields in UTC: validation, next times, explanation in words, presets."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Final

from cronsim import CronSim, CronSimError

from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass

LONGEST = 100
# Dates that occur less than once in this time count as impossible.
HORIZON = timedelta(days=8 * 366)
_YEAR = timedelta(days=365)
# Times counted to tell how many there are in a year.
_COUNTED = 500
_MOST_MISSED = 10_000


class BadCron(ValueError):
    """The message is a sentence for users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    key: str
    name: str
    cron: str


PRESETS: Final[Sequence[Preset]] = (
    Preset(key="every_minute", name="Every minute", cron="* * * * *"),
    Preset(key="every_5_minutes", name="Every 5 minutes", cron="*/5 * * * *"),
    Preset(key="every_15_minutes", name="Every 15 minutes", cron="*/15 * * * *"),
    Preset(key="hourly", name="Every hour", cron="0 * * * *"),
    Preset(key="every_6_hours", name="Every 6 hours", cron="0 */6 * * *"),
    Preset(key="daily", name="Every day at 09:00", cron="0 9 * * *"),
    Preset(key="weekdays", name="Every weekday at 09:00", cron="0 9 * * 1-5"),
    Preset(key="weekly", name="Every Monday at 09:00", cron="0 9 * * 1"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CronField:
    """`parsed_as` is the word of cronsim's errors."""

    name: str
    parsed_as: str
    values: str
    example: str


_FIELDS: Final = (
    _CronField(name="minute", parsed_as="minute", values="0 to 59", example="*/15"),
    _CronField(name="hour", parsed_as="hour", values="0 to 23", example="9-17"),
    _CronField(name="day of the month", parsed_as="day-of-month", values="1 to 31", example="1,15"),
    _CronField(name="month", parsed_as="month", values="1 to 12 or JAN to DEC", example="1-6"),
    _CronField(
        name="day of the week",
        parsed_as="day-of-week",
        values="0 to 7 or SUN to SAT",
        example="MON-FRI",
    ),
)
_ORDER = "minute, hour, day of the month, month, day of the week"


def normalise(cron: str) -> str:
    """The expression with single spaces. Raises BadCron."""
    fields = cron.split()
    if len(cron) > LONGEST:
        raise BadCron(f"A schedule has at most {LONGEST} characters.")
    if not fields:
        raise BadCron(f"Enter a schedule of five fields: {_ORDER}.")
    if fields[0].startswith("@"):
        raise BadCron(f"Write five fields ({_ORDER}) instead of {fields[0]}.")
    if len(fields) == 6:
        raise BadCron(f"A schedule has five fields ({_ORDER}), not six. It cannot name seconds.")
    if len(fields) != 5:
        found = f"{len(fields)} field" + ("" if len(fields) == 1 else "s")
        raise BadCron(f"A schedule has five fields: {_ORDER}. This one has {found}.")
    written = " ".join(fields)
    _check(fields, written)
    return written


def _check(fields: Sequence[str], written: str) -> None:
    now = clock.now()
    try:
        first = next(CronSim(written, now), None)
    except CronSimError as error:
        raise BadCron(_explain_error(fields, str(error))) from error
    if first is None or first - now > HORIZON:
        raise BadCron("No date fits this schedule in the next eight years.")


def _explain_error(fields: Sequence[str], error: str) -> str:
    for place, field in enumerate(_FIELDS):
        if error != f"Bad {field.parsed_as}":
            continue
        if place == 2 and _fits_some_month(fields):
            return f"None of the chosen months ({fields[3]}) has a day {fields[2]}."
        return (
            f"{fields[place]!r} is not a valid {field.name}. Use {field.values}, * for every one, "
            f"or ranges, lists and steps such as {field.example}."
        )
    return f"This is not a valid schedule. It has five fields: {_ORDER}."


def _fits_some_month(fields: Sequence[str]) -> bool:
    try:
        CronSim(f"0 0 {fields[2]} * *", clock.now())
    except CronSimError:
        return False
    return True


def next_times(cron: str, *, after: datetime) -> Iterator[datetime]:
    """The times after `after`, in order. Expects a normalised expression."""
    return CronSim(cron, after)


def next_time(cron: str, *, after: datetime) -> datetime:
    return next(next_times(cron, after=after))


def list_next(cron: str, *, after: datetime, count: int) -> list[datetime]:
    return list(islice(next_times(cron, after=after), count))


def count_between(cron: str, *, first: datetime, until: datetime) -> int:
    """The number of times after `first`, up to and including `until`; 10,000 at most."""
    found = 0
    for time in islice(next_times(cron, after=first), _MOST_MISSED):
        if time > until:
            break
        found += 1
    return found


def times_a_year(cron: str) -> float:
    """The mean number of times in a year."""
    start = clock.midnight(clock.now().date())
    end = start + _YEAR
    times = takewhile(lambda time: time <= end, next_times(cron, after=start))
    found = list(islice(times, _COUNTED))
    if len(found) < _COUNTED:
        return float(max(1, len(found)))
    return len(found) / ((found[-1] - start) / _YEAR)


def explain(cron: str) -> str:
    """The schedule in words, such as "At 09:00 every day"."""
    return str(CronSim(cron, clock.now()).explain())
