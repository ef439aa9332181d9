"""Diff of two texts: as unified diff, and as rows for a side-by-side view."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass

CONTEXT_LINES = 3
# Matching takes quadratic time at worst: half a second for this many lines.
MOST_MATCHED_LINES = 2000

_OpCode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRow:
    """One row of the side-by-side view. Line numbers start at 1; None for a side without a line."""

    kind: Literal["same", "changed", "removed", "added"]
    left_number: int | None
    left: str | None
    right_number: int | None
    right: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDiff:
    rows: list[DiffRow]
    unified: str
    added: int
    removed: int


def compare(left: str, right: str, *, left_title: str, right_title: str) -> TextDiff:
    """`unified` is empty when nothing changed. An empty text has no lines."""
    before, after = _lines(left), _lines(right)
    codes = _op_codes(before, after)
    changes = [code for code in codes if code[0] != "equal"]
    unified = ""
    if changes:
        header = [f"--- {left_title}", f"+++ {right_title}"]
        unified = "\n".join([*header, *_hunks(codes, before, after)]) + "\n"
    return TextDiff(
        rows=list(_rows(codes, before, after)),
        unified=unified,
        added=sum(code[4] - code[3] for code in changes),
        removed=sum(code[2] - code[1] for code in changes),
    )


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _op_codes(before: Sequence[str], after: Sequence[str]) -> Sequence[_OpCode]:
    """Like difflib's. Texts that are too long to match count as one replacement."""
    if max(len(before), len(after)) <= MOST_MATCHED_LINES:
        return SequenceMatcher(None, before, after).get_opcodes()
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    left, right = len(before) - tail, len(after) - tail
    codes = [
        ("equal", 0, head, 0, head),
        ("replace", head, left, head, right),
        ("equal", left, len(before), right, len(after)),
    ]
    return [code for code in codes if code[1] < code[2] or code[3] < code[4]]


def _rows(
    codes: Sequence[_OpCode], before: Sequence[str], after: Sequence[str]
) -> Iterator[DiffRow]:
    for tag, left, left_end, right, right_end in codes:
        for offset in range(max(left_end - left, right_end - right)):
            has_left, has_right = left + offset < left_end, right + offset < right_end
            kind: Literal["same", "changed", "removed", "added"] = "same"
            if tag != "equal":
                kind = "changed" if has_left and has_right else "removed" if has_left else "added"
            yield DiffRow(
                kind=kind,
                left_number=left + offset + 1 if has_left else None,
                left=before[left + offset] if has_left else None,
                right_number=right + offset + 1 if has_right else None,
                right=after[right + offset] if has_right else None,
            )


def _hunks(codes: Sequence[_OpCode], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for group in _grouped(codes):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, left, left_end, right, right_end in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[left:left_end])
                continue
            yield from (f"-{line}" for line in before[left:left_end])
            yield from (f"+{line}" for line in after[right:right_end])


def _grouped(codes: Sequence[_OpCode]) -> Iterator[list[_OpCode]]:
    """Adjacent changes, with a few equal lines of context."""
    group: list[_OpCode] = []
    has_changes = False
    for code in codes:
        tag, left, left_end, right, right_end = code
        if tag != "equal":
            group.append(code)
            has_changes = True
            continue
        size = left_end - left
        if has_changes and size <= 2 * CONTEXT_LINES and code is not codes[-1]:
            group.append(code)
            continue
        shown = min(size, CONTEXT_LINES)
        if has_changes:
            yield [*group, (tag, left, left + shown, right, right + shown)]
        group = [(tag, left_end - shown, left_end, right_end - shown, right_end)]
        has_changes = False
    if has_changes:
        yield group


def _range(begin: int, end: int) -> str:
    """Line range of a unified diff: starts at 1, or at the line before an empty range."""
    size = end - begin
    return f"{begin + 1}" if size == 1 else f"{begin + 1 if size else begin},{size}"
