"""Incremental reader of a JSON array of objects, or of JSON lines.

Only the boundaries of objects are scanned while text arrives; each object is then parsed as a
whole. At most one object is in memory, and a broken object costs its row and not the file.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from edison.library.datasets.contents import DEEPEST_VALUE, LARGEST_INTEGER, SMALLEST_INTEGER
from edison.library.datasets.files.problems import (
    LONGEST_RECORD,
    FileRefused,
    Row,
    bad_row,
    too_long,
)

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?P<closed>")?|[\[\]{},]', re.DOTALL)
# Inputs may be in a nested object, one level below the row.
_DEEPEST_ROW = DEEPEST_VALUE + 2


class JsonLines:
    """One object per line; empty lines are skipped."""

    def __init__(self) -> None:
        self._text = ""
        self._line = 1

    @property
    def buffered(self) -> int:
        return len(self._text)

    def feed(self, text: str) -> Iterator[Row]:
        self._text += text
        start = 0
        while (end := self._text.find("\n", start)) != -1:
            yield from self._read(self._text[start:end])
            self._line += 1
            start = end + 1
        self._text = self._text[start:]
        if self.buffered > LONGEST_RECORD:
            raise too_long(self._line)

    def close(self) -> Iterator[Row]:
        yield from self._read(self._text)
        self._text = ""

    def _read(self, line: str) -> Iterator[Row]:
        if line.strip():
            yield parse_row(line, self._line)


class JsonArray:
    """One array that contains all objects."""

    def __init__(self) -> None:
        self._text = ""
        self._line = 1
        self._start = 0
        self._scanned = 0
        self._depth = 0
        self._has_ended = False
        self._is_after_comma = False

    @property
    def buffered(self) -> int:
        return len(self._text)

    def feed(self, text: str) -> Iterator[Row]:
        self._text += text
        yield from self._scan()
        self._forget_read()
        if self.buffered > LONGEST_RECORD:
            raise too_long(self._line_here())

    def close(self) -> Iterator[Row]:
        if not self._has_ended:
            raise FileRefused(
                "the array of this file is never closed.",
                code="unclosed_array",
                line=self._line_here(),
            )
        yield from ()

    def _scan(self) -> Iterator[Row]:
        while (token := _TOKEN.search(self._text, self._scanned)) is not None:
            character = token[0][0]
            if character == '"' and not token["closed"]:
                self._refuse_if_outside()
                break
            yield from self._step(character, token)
        else:
            self._scanned = len(self._text)
        if self._has_ended or self._depth == 0:
            self._refuse_text_outside()

    def _step(self, character: str, token: re.Match[str]) -> Iterator[Row]:
        self._refuse_if_outside(but="[" if not self._has_ended else "")
        self._scanned = token.end()
        if character in "{[":
            self._depth += 1
            if self._depth == 1:
                self._begin_element(token.end())
        elif character in "}]":
            self._depth -= 1
            if self._depth == 0:
                yield from self._end_element(token.start(), is_last=True)
                self._has_ended = True
                self._begin_element(token.end())
        elif character == "," and self._depth == 1:
            yield from self._end_element(token.start(), is_last=False)
            self._begin_element(token.end())

    def _begin_element(self, position: int) -> None:
        self._line += self._text.count("\n", self._start, position)
        self._start = position

    def _end_element(self, end: int, *, is_last: bool) -> Iterator[Row]:
        element = self._text[self._start : end]
        # `[]` has no element; otherwise an empty element between commas is a missing row.
        if element.strip() or not is_last or self._is_after_comma:
            yield parse_row(element, self._line + _blank_lines(element))
        self._is_after_comma = not is_last

    def _refuse_if_outside(self, *, but: str = "") -> None:
        if self._depth == 0:
            rest = self._text[self._start :].lstrip()
            if not (but and rest.startswith(but)):
                self._refuse_outside()

    def _refuse_text_outside(self) -> None:
        if self._text[self._start :].strip():
            self._refuse_outside()

    def _refuse_outside(self) -> None:
        where = "follows the array" if self._has_ended else "stands before the array"
        raise FileRefused(
            f"something {where} of objects.", code="not_an_array", line=self._line_here()
        )

    def _line_here(self) -> int:
        """The line on which the unread text begins."""
        return self._line + _blank_lines(self._text[self._start :])

    def _forget_read(self) -> None:
        self._text = self._text[self._start :]
        self._scanned -= self._start
        self._start = 0


class _Unusable(ValueError):
    """Valid JSON that cannot be stored."""


def parse_row(text: str, line: int) -> Row:
    """An object as a row, or its problem."""
    if _is_deeper_than(text, _DEEPEST_ROW):
        return bad_row(line, f"Values may be nested {DEEPEST_VALUE} levels deep.", "too_deep")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_repetition,
            parse_int=_small_integer,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as wrong:
        return bad_row(line + wrong.lineno - 1 - _blank_lines(text), f"{wrong.msg}.", "bad_json")
    except _Unusable as wrong:
        return bad_row(line, str(wrong), "bad_json")
    if not isinstance(value, dict):
        return bad_row(line, "This is not an object with a value per variable.", "not_an_object")
    return Row(line=line, values=value)


def parse_value(text: str) -> Any:
    """One JSON value, under the rules for rows. Raises ValueError with a message."""
    row = parse_row('{"value":' + text + "\n}", 1)
    if row.problem is not None or len(row.values) != 1:
        raise ValueError("This is not JSON." if row.problem is None else row.problem.message)
    return row.values["value"]


def _blank_lines(text: str) -> int:
    """Number of line breaks before the first non-blank character."""
    return text.count("\n", 0, len(text) - len(text.lstrip()))


def _is_deeper_than(text: str, limit: int) -> bool:
    if text.count("[") + text.count("{") <= limit:
        return False
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
            if depth > limit:
                return True
        elif token[0] in ("]", "}"):
            depth -= 1
    return False


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Unusable(f"{twice[:100]!r} appears twice in one object.")
    return members


def _small_integer(digits: str) -> int:
    if len(digits) > 20 or not SMALLEST_INTEGER <= int(digits) <= LARGEST_INTEGER:
        raise _Unusable("A number has more than 64 bits; write it as text.")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Unusable("A number is too large; write it as text.")
    return number


def _refuse_constant(name: str) -> Any:
    raise _Unusable(f"{name} is not JSON.")
