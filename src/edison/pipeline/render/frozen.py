"""Frozen sections: lines of a prompt's text that no strategy may change.

They stand between a line with OPEN and a line with CLOSE. Both lines are left out when the prompt
is rendered, so models never see them.
"""

import re
from collections.abc import Iterator

OPEN, CLOSE = "[[frozen]]", "[[/frozen]]"
_LINE_START = re.compile(r"(?<=\n)")


def without_marks(text: str) -> str:
    if OPEN not in text and CLOSE not in text:
        return text
    lines = _LINE_START.split(text)
    return "".join(line for line in lines if line.strip() not in (OPEN, CLOSE))


def frozen_sections(text: str) -> list[str]:
    """The texts between the marks, in order. A section without an end reaches to the end."""
    if OPEN not in text:
        return []
    found: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        if line.strip() == CLOSE:
            is_open = False
        elif line.strip() == OPEN:
            is_open = True
            found.append([])
        elif is_open:
            found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def find_mark_problem(text: str) -> str | None:
    """Why the marks make no sections, as a sentence."""
    opened: int | None = None
    for number, mark in _marks(text):
        if mark == OPEN and opened is not None:
            return f"Line {number}: {OPEN} begins a section inside the one of line {opened}."
        if mark == CLOSE and opened is None:
            return f"Line {number}: {CLOSE} ends a section that has no {OPEN}."
        opened = number if mark == OPEN else None
    return None if opened is None else f"Line {opened}: {OPEN} needs a line with {CLOSE} after it."


def _marks(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() in (OPEN, CLOSE):
            yield number, line.strip()
