"""The only source of the current time, so that tests can replace it.

Call it as `clock.now()` and never import the function itself: a test replaces the module's `now`.
"""

from datetime import UTC, date, datetime, time


def now() -> datetime:
    """The current time, aware and in UTC."""
    return datetime.now(UTC)


def midnight(day: date) -> datetime:
    """The start of a day in UTC."""
    return datetime.combine(day, time(), UTC)
