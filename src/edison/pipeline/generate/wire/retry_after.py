"""Parses how long a provider asks to wait."""

import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from edison.kit import clock

# OpenAI and compatible servers report when the next request or token is free: "1s", "6m0s", "20ms".
DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
LONGEST_SECONDS = 24 * 3600.0


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """From `retry-after-ms`, `Retry-After` (seconds or date) or `x-ratelimit-reset-requests`. At
    most one day.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return min(milliseconds / 1000, LONGEST_SECONDS)
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is None and text:
        seconds = _seconds_until(text)
    if seconds is None:
        seconds = _duration(headers.get("x-ratelimit-reset-requests"))
    return None if seconds is None else min(seconds, LONGEST_SECONDS)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _seconds_until(date: str) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return None
    if then.tzinfo is None:
        return None
    return max((then - clock.now()).total_seconds(), 0)


def _duration(text: str | None) -> float | None:
    parts = DURATION.findall(text or "")
    return sum(float(number) * SECONDS[unit] for number, unit in parts) if parts else None
