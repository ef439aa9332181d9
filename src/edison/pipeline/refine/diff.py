r"""Parses and creates unified diffs.

Lines end in `\n` only; a `\r` before it is part of the line. `\ No newline at end of file` is
supported. An empty line inside a hunk is an empty line of the text, because models and editors drop
the space that should be there.

The counts in a hunk's header are used if the hunk agrees with them. Otherwise, or without counts,
the hunk extends to the next header and is marked as miscounted: models count badly, but the lines
are still unambiguous.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.alignment import Block, differing_blocks

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_NEWLINE = "\\ No newline at end of file"
_NAMES = "--- a/{name}\n+++ b/{name}\n"
_CONTEXT = 3
_TWO_FILES = "The diff changes more than one file."
_QUOTED_CHARACTERS = 60


class LineKind(StrEnum):
    KEPT = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """`number` is its position in the diff, from 1. `is_unended`: no line break follows it."""

    kind: LineKind
    text: str
    number: int
    is_unended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """`number` counts from 1; `start` is the line of the text that the header names, if any."""

    number: int
    start: int | None
    lines: tuple[DiffLine, ...]
    is_miscounted: bool = False

    @property
    def old(self) -> tuple[DiffLine, ...]:
        return tuple(line for line in self.lines if line.kind is not LineKind.ADDED)

    @property
    def new(self) -> tuple[DiffLine, ...]:
        return tuple(line for line in self.lines if line.kind is not LineKind.REMOVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffProblem:
    """Why a diff cannot be parsed or applied: a sentence that names the hunk and the diff's
    line.
    """

    message: str
    hunk: int | None = None
    line: int | None = None

    @staticmethod
    def at(hunk: int, line: int, what: str) -> "DiffProblem":
        message = f"Hunk {hunk}, line {line} of the diff: {what}"
        return DiffProblem(message=message, hunk=hunk, line=line)


class _Unreadable(Exception):
    def __init__(self, problem: DiffProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def split_lines(text: str) -> list[str]:
    """Splits into lines without line breaks; a final line break adds no empty line."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def is_ended(text: str) -> bool:
    """Whether a line break follows the last line."""
    return not text or text.endswith("\n")


def make_diff(before: str, after: str, *, name: str = "prompt.txt") -> str:
    """Empty when nothing differs. `name` is the file name in the diff's header."""
    old, new = _ended_lines(before), _ended_lines(after)
    blocks = differing_blocks(old, new)
    if not blocks:
        return ""
    header = _NAMES.format(name=name)
    lines = [header, *(line for group in _grouped(blocks) for line in _written(old, new, group))]
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n" for line in lines)


def parse_diff(diff: str) -> tuple[Hunk, ...] | DiffProblem:
    """Returns the hunks in order; none for a diff that is only white space."""
    try:
        return tuple(_hunks(split_lines(diff)))
    except _Unreadable as unreadable:
        return unreadable.problem


def shortened(line: str) -> str:
    """Shortens and quotes a line for a message."""
    seen = line.rstrip("\r")
    cut = seen if len(seen) <= _QUOTED_CHARACTERS else f"{seen[:_QUOTED_CHARACTERS]}…"
    return f"“{cut}”"


def _grouped(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Groups blocks whose context would touch into one hunk."""
    group: list[Block] = []
    for block in blocks:
        if group and block.start - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(block)
    yield group


def _written(old: Sequence[str], new: Sequence[str], group: Sequence[Block]) -> Iterator[str]:
    """Yields a hunk with its header."""
    before = min(_CONTEXT, group[0].start)
    start, new_start = group[0].start - before, group[0].new_start - before
    after = min(_CONTEXT, len(old) - group[-1].end)
    end, new_end = group[-1].end + after, group[-1].new_end + after
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    position = start
    for block in group:
        yield from (f" {line}" for line in old[position : block.start])
        yield from (f"-{line}" for line in old[block.start : block.end])
        yield from (f"+{line}" for line in new[block.new_start : block.new_end])
        position = block.end
    yield from (f" {line}" for line in old[position:end])


def _range(start: int, end: int) -> str:
    """Lines count from 1; an empty range names the line before it."""
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _ended_lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in split_lines(text)]
    if lines and not is_ended(text):
        lines[-1] = lines[-1][:-1]
    return lines


def _hunks(lines: Sequence[str]) -> Iterator[Hunk]:
    at = _skip_names(lines)
    number = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        if number and lines[at].startswith(("--- ", "diff ")):
            raise _Unreadable(DiffProblem(message=_TWO_FILES))
        number += 1
        hunk, at = _hunk(lines, at, number)
        yield hunk


def _skip_names(lines: Sequence[str]) -> int:
    """Index of the first hunk, after the file names."""
    at = next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines))
    before = [line for line in lines[:at] if line.strip()]
    if at == len(lines) and before:
        message = "The diff has no hunk: none of its lines begins with “@@”."
        raise _Unreadable(DiffProblem(message=message))
    if sum(line.startswith("+++ ") for line in before) > 1:
        raise _Unreadable(DiffProblem(message=_TWO_FILES))
    return at


def _hunk(lines: Sequence[str], at: int, number: int) -> tuple[Hunk, int]:
    header = _HEADER.match(lines[at])
    start = end = None
    if header is not None:
        start = int(header[1])
        end = _counted_end(lines, at + 1, int(header[2] or 1), int(header[4] or 1))
    is_miscounted = end is None
    if end is None:
        end = _next_header(lines, at + 1, number)
    body = tuple(_body(lines, at + 1, end, number))
    return Hunk(number=number, start=start, lines=body, is_miscounted=is_miscounted), end


def _counted_end(lines: Sequence[str], at: int, old: int, new: int) -> int | None:
    """End of a hunk with these numbers of old and new lines; None unless the hunk ends there."""
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        kind = lines[at][:1] or " "
        if kind not in " -+\\":
            return None
        old -= kind in " -"
        new -= kind in " +"
        at += 1
    following = next((line for line in lines[at:] if line.strip()), "@@")
    is_over = following.startswith(("@@", "--- ", "diff "))
    return at if old == 0 and new == 0 and is_over else None


def _next_header(lines: Sequence[str], at: int, number: int) -> int:
    end = next((n for n in range(at, len(lines)) if lines[n].startswith("@@")), len(lines))
    while end > at and not lines[end - 1].strip():
        end -= 1
    if end == at:
        raise _Unreadable(DiffProblem.at(number, at, "the hunk is empty."))
    return end


def _body(lines: Sequence[str], at: int, end: int, number: int) -> Iterator[DiffLine]:
    for place in range(at, end):
        line = lines[place]
        if line.startswith("\\"):
            continue
        if line[:1] not in ("", " ", "-", "+"):
            what = f"it begins with neither a blank nor “-” nor “+”: {shortened(line)}."
            raise _Unreadable(DiffProblem.at(number, place + 1, what))
        yield DiffLine(
            kind=LineKind(line[:1] or " "),
            text=line[1:],
            number=place + 1,
            is_unended=place + 1 < end and lines[place + 1].startswith("\\"),
        )
