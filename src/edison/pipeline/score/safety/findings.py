"""Findings of safety checks: position and kind, never the text itself, which is the secret."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyFinding:
    """Characters `start` to `end` of a text, `end` excluded. `name` is for display."""

    kind: str
    name: str
    start: int
    end: int


def without_overlaps(found: Iterable[SafetyFinding]) -> list[SafetyFinding]:
    """Returns the findings in text order. Of overlapping findings, the first in `found` is kept."""
    starts: list[int] = []
    kept: list[SafetyFinding] = []
    for finding in found:
        at = bisect_left(starts, finding.start)
        is_free_before = at == 0 or kept[at - 1].end <= finding.start
        is_free_behind = at == len(kept) or kept[at].start >= finding.end
        if is_free_before and is_free_behind and finding.start < finding.end:
            starts.insert(at, finding.start)
            kept.insert(at, finding)
    return kept


def redact(text: str, found: Sequence[SafetyFinding]) -> str:
    """Replaces each finding by `[EMAIL]` or the like. Findings must not overlap."""
    pieces, done = [], 0
    for finding in sorted(found, key=lambda each: each.start):
        pieces += [text[done : finding.start], _mark(text, finding)]
        done = finding.end
    return "".join([*pieces, text[done:]])


# Context of a number in JSON.
_BEFORE = re.compile(r'(?:":|[\[,])\s*$')
_BEHIND = re.compile(r"\s*[,\]}]")


def _mark(text: str, finding: SafetyFinding) -> str:
    """Quoted when it replaces a bare number in JSON, so that the text stays valid JSON."""
    mark = f"[{finding.kind.upper()}]"
    is_bare = (
        text[finding.start : finding.end].isdigit()
        and _BEFORE.search(text, max(0, finding.start - 20), finding.start)
        and _BEHIND.match(text, finding.end)
    )
    return f'"{mark}"' if is_bare else mark


_MOST_NAMED = 8


def describe(found: Sequence[SafetyFinding]) -> str:
    """Lists the kinds of findings with their counts."""
    counted = Counter(finding.name for finding in found)
    names = [
        name if count == 1 else f"{name} ({count} times)"
        for name, count in islice(counted.items(), _MOST_NAMED)
    ]
    if len(counted) > _MOST_NAMED:
        names.append("and more")
    return ", ".join(names)
