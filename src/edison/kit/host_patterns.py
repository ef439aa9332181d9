"""Patterns of host names, such as `*.openai.azure.com`.

A `*` stands for one or more letters, digits and hyphens within one label, never for a dot: a
pattern matches only as many labels as it has.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

# The rightmost two labels are fixed: `*.com` would be everybody's.
FIXED_LABELS = 2
_PATTERN = re.compile(r"[a-z0-9_*-]+(\.[a-z0-9_*-]+)*|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?")


def read_host_pattern(text: str) -> str:
    """The pattern in its normal form. Raises ValueError with a sentence."""
    pattern = text.strip().lower().rstrip(".")
    if not _PATTERN.fullmatch(pattern):
        raise ValueError(f"{text!r} is not the name of a host.")
    if "*" in ".".join(pattern.split(".")[-FIXED_LABELS:]):
        raise ValueError(f"{text!r} matches too much: its last two labels must be written out.")
    return pattern.strip("[]")


def matches_host(host: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns describes the whole `host`."""
    name = host.lower().rstrip(".")
    return any(_expression(pattern).fullmatch(name) for pattern in patterns)


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", "[a-z0-9-]+"), re.ASCII)
