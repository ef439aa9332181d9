"""Patterns of host names, such as `*.openai.azure.com`.

A `*` matches one or more letters, digits and hyphens within one label, never a dot, so a pattern
matches only hosts with the same number of labels.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

# The last two labels are literal: `*.com` would match any domain.
FIXED_LABELS = 2
_PATTERN = re.compile(r"[a-z0-9_*-]+(\.[a-z0-9_*-]+)*|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?")


def read_host_pattern(text: str) -> str:
    """The normalised pattern. Raises ValueError with a message for users."""
    pattern = text.strip().lower().rstrip(".")
    if not _PATTERN.fullmatch(pattern):
        raise ValueError(f"{text!r} is not the name of a host.")
    if "*" in ".".join(pattern.split(".")[-FIXED_LABELS:]):
        raise ValueError(f"{text!r} matches too much: its last two labels must be written out.")
    return pattern.strip("[]")


def matches_host(host: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern matches the whole `host`."""
    name = host.lower().rstrip(".")
    return any(_expression(pattern).fullmatch(name) for pattern in patterns)


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", "[a-z0-9-]+"), re.ASCII)
