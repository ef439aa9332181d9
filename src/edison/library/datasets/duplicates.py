"""Near-duplicate search over cases, in bounded time for any dataset.

Texts are sets of words (of characters, for scripts without spaces). Two texts are near when their
Jaccard similarity (shared words / all words) reaches a threshold. Cases are processed in order: a
case near the first case of an earlier group joins that group, so thousands of near copies cost one
comparison each. Candidates are found by rare words: two sets as similar as the threshold must share
one of their few rarest words (prefix filtering).
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Generic, TypeVar

from edison.kit.lazy_dataclasses import dataclass

DEFAULT_THRESHOLD = 0.8
# Reached only by texts of few common words; some pairs are then missed.
MOST_COMPARISONS = 300

Key = TypeVar("Key")
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"


@cache
def _words() -> re.Pattern[str]:
    """Compiled at its first use: a pattern with thousands of letters takes milliseconds."""
    return re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NearGroup(Generic[Key]):
    """The first case, and the cases near it with their similarity."""

    first: Key
    others: list[tuple[Key, float]]


def words_of(text: str) -> frozenset[str]:
    """The words of a normalised text."""
    return frozenset(_words().findall(text))


def group_near(
    texts: Sequence[tuple[Key, frozenset[str]]], *, threshold: float = DEFAULT_THRESHOLD
) -> list[NearGroup[Key]]:
    """Groups of two or more, in the order of their first cases. Texts without words are skipped."""
    ranks = _rank_words(texts)
    firsts: dict[str, list[int]] = defaultdict(list)
    groups: dict[int, list[tuple[Key, float]]] = {}
    for number, (key, words) in enumerate(texts):
        if not words:
            continue
        rarest = sorted(words, key=ranks.__getitem__)[: _prefix_length(len(words), threshold)]
        found = _find_first(words, rarest, firsts, texts, threshold)
        if found is None:
            groups[number] = []
            for word in rarest:
                firsts[word].append(number)
        else:
            groups[found[0]].append((key, found[1]))
    return [
        NearGroup(first=texts[number][0], others=others)
        for number, others in groups.items()
        if others
    ]


def _rank_words(texts: Sequence[tuple[Key, frozenset[str]]]) -> dict[str, tuple[int, str]]:
    counts = Counter(word for _, words in texts for word in words)
    return {word: (count, word) for word, count in counts.items()}


def _prefix_length(size: int, threshold: float) -> int:
    return size - math.ceil(threshold * size) + 1


def _find_first(
    words: frozenset[str],
    rarest: Sequence[str],
    firsts: dict[str, list[int]],
    texts: Sequence[tuple[Key, frozenset[str]]],
    threshold: float,
) -> tuple[int, float] | None:
    """The first group whose first case is near enough, with its similarity."""
    seen: set[int] = set()
    for word in rarest:
        for number in firsts.get(word, ()):
            if number in seen:
                continue
            seen.add(number)
            if len(seen) > MOST_COMPARISONS:
                return None
            other = texts[number][1]
            shared = len(words & other)
            similarity = shared / (len(words) + len(other) - shared)
            if similarity >= threshold:
                return number, similarity
    return None
