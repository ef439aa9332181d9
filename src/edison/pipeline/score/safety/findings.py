"""What a safety check finds: where, and of what kind. Never what it says: that is the secret."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Characters `start` to `end` of a text, the last one excluded. `name` is for people."""

    kind: str
    name: str
    start: int
    end: int


def without_overlaps(found: Iterable[Finding]) -> list[Finding]:
    """In the text's order. Of findings that overlap, the one that came first is kept."""
    starts: list[int] = []
    kept: list[Finding] = []
    for finding in found:
        at = bisect_left(starts, finding.start)
        is_free_before = at == 0 or kept[at - 1].end <= finding.start
        is_free_behind = at == len(kept) or kept[at].start >= finding.end
        if is_free_before and is_free_behind and finding.start < finding.end:
            starts.insert(at, finding.start)
            kept.insert(at, finding)
    return kept


def redact(text: str, found: Sequence[Finding]) -> str:
    """The text with `[EMAIL]` and the like for what was found; `found` does not overlap."""
    pieces, done = [], 0
    for finding in sorted(found, key=lambda each: each.start):
        pieces += [text[done : finding.start], _mark(text, finding)]
        done = finding.end
    return "".join([*pieces, text[done:]])


# Around a number in JSON.
_BEFORE = re.compile(r'(?:":|[\[,])\s*$')
_BEHIND = re.compile(r"\s*[,\]}]")


def _mark(text: str, finding: Finding) -> str:
    """Quoted where a bare number stands in JSON, which must stay JSON."""
    mark = f"[{finding.kind.upper()}]"
    is_bare = (
        text[finding.start : finding.end].isdigit()
        and _BEFORE.search(text, max(0, finding.start - 20), finding.start)
        and _BEHIND.match(text, finding.end)
    )
    return f'"{mark}"' if is_bare else mark


_MOST_NAMED = 8


def told(found: Sequence[Finding]) -> str:
    """A sentence that names kinds and how many of each."""
    counted = Counter(finding.name for finding in found)
    names = [
        name if count == 1 else f"{name} ({count} times)"
        for name, count in islice(counted.items(), _MOST_NAMED)
    ]
    if len(counted) > _MOST_NAMED:
        names.append("and more")
    return ", ".join(names)
