"""Tolerant parser for a model's answer in JSON lines.

Models wrap lines in fences, number them, add text before and after, write one array, or stop in the
middle. A row is a JSON object at the start of a line or directly after another row; everything else
is skipped. An object that is not valid JSON is counted and costs only that line. The text is data:
content outside rows has no effect.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from edison.kit.lazy_dataclasses import dataclass

LONGEST_TEXT = 1_000_000
# Bounds the work on broken text: each line may start with a brace and be scanned to the end.
MOST_MALFORMED = 100

_BEGINNING = re.compile(r"(?:[-*•]|\d{1,4}[.):])?[ \t]*(?=[{\[])")
_BETWEEN = re.compile(r"[ \t]*[,;]?[ \t]*(?=\{)")
_CONTAINERS = frozenset(
    {"cases", "test_cases", "questions", "items", "examples", "rows", "data", "results"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedRows:
    rows: tuple[dict[str, Any], ...]
    malformed: int


def parse_rows(text: str, *, most: int) -> ParsedRows:
    """The first `most` rows, and the number of lines that start like a row but are not valid."""
    text = text[:LONGEST_TEXT]
    rows: list[dict[str, Any]] = []
    position = malformed = 0
    while position < len(text) and len(rows) < most and malformed < MOST_MALFORMED:
        start = _next_start(text, position)
        if start is None:
            break
        value, end = _decode(text, start)
        if end is None:
            malformed += 1
            position = _next_line(text, start)
            continue
        rows += _rows_in(value)
        following = _BETWEEN.match(text, end)
        position = end if following else _next_line(text, end)
    return ParsedRows(rows=tuple(rows[:most]), malformed=malformed)


def _next_start(text: str, position: int) -> int | None:
    """Where the next row may begin: here, after another row, or at the start of a line."""
    if following := _BETWEEN.match(text, position):
        return following.end()
    while position < len(text):
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
        if found := _BEGINNING.match(text, position):
            return found.end()
        position = _next_line(text, position)
    return None


def _next_line(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found == -1 else found + 1


def _decode(text: str, start: int) -> tuple[Any, int | None]:
    """The JSON value that starts there and its end; no end when it is invalid."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        # A list whose end is missing or broken may still contain valid rows.
        if text[start] == "[":
            return None, start + 1
        return None, None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON.")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _rows_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (row for row in value if isinstance(row, dict))
    elif isinstance(value, dict):
        contained = next(iter(value.values()), None)
        if len(value) == 1 and next(iter(value)) in _CONTAINERS and isinstance(contained, list):
            yield from _rows_in(contained)
        else:
            yield value
