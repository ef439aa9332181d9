"""Suggests the successor of a model that is no longer offered."""

import re
from collections.abc import Iterable

_PART = re.compile(r"[a-z]+|\d+(?:\.\d+)*")
# Words that tell releases of one model apart, not kinds of models.
_RELEASE_WORDS = frozenset({"preview", "latest", "exp", "experimental", "beta", "v", "it", "b"})
# Longer numbers are dates of releases.
_LONGEST_VERSION = 3


def successor_of(model: str, offered: Iterable[str]) -> str | None:
    """The newest of the offered models with the same words in its name, such as `gemini flash`, and
    a version that is not older. None when there is none.
    """
    words, version = _read(model)
    found = [
        (newer, name)
        for name in offered
        if name != model and (parts := _read(name))[0] == words and (newer := parts[1]) >= version
    ]
    # Of equal versions the shortest name is the undated one.
    best = max(found, key=lambda each: (each[0], -len(each[1]), each[1]), default=None)
    return None if best is None else best[1]


def _read(model: str) -> tuple[frozenset[str], tuple[int, ...]]:
    words, version = set[str](), list[int]()
    for part in _PART.findall(model.lower().rpartition("/")[2]):
        if part[0].isdigit():
            numbers = [int(each) for each in part.split(".") if len(each) <= _LONGEST_VERSION]
            version += numbers
        elif part not in _RELEASE_WORDS:
            words.add(part)
    return frozenset(words), tuple(version)
