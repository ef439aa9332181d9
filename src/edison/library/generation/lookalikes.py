"""Finds texts that exist already, exactly or nearly.

Similarity is measured as for the dataset's duplicates (Jaccard). Words are ranked once by their
frequency in the dataset; two sets as similar as the threshold share one of their few rarest words,
so only few sets have to be compared (prefix filtering).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass

MOST_COMPARISONS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Similarity to a case of the dataset, or to an earlier draft."""

    similarity: float
    case_id: UUID | None = None
    draft_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedText:
    """An existing case or draft; exactly one of the ids is set."""

    input_hash: str
    words: frozenset[str]
    case_id: UUID | None = None
    draft_id: UUID | None = None


class NearDuplicateIndex:
    def __init__(self, known: Iterable[IndexedText], *, threshold: float) -> None:
        self._threshold = threshold
        texts = list(known)
        self._counts = Counter(word for each in texts for word in each.words)
        self._hashes: set[str] = set()
        self._texts: list[IndexedText] = []
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for each in texts:
            self.add(each)

    def add(self, known: IndexedText) -> None:
        self._hashes.add(known.input_hash)
        for word in self._rarest(known.words):
            self._by_word[word].append(len(self._texts))
        self._texts.append(known)

    def has(self, input_hash: str) -> bool:
        return input_hash in self._hashes

    def find(self, words: frozenset[str]) -> Match | None:
        """The most similar text at or above the threshold."""
        best: Match | None = None
        for number in self._candidates(words):
            other = self._texts[number]
            shared = len(words & other.words)
            similarity = shared / (len(words) + len(other.words) - shared)
            if similarity >= self._threshold and (best is None or similarity > best.similarity):
                best = Match(similarity=similarity, case_id=other.case_id, draft_id=other.draft_id)
        return best

    def _candidates(self, words: frozenset[str]) -> list[int]:
        found: dict[int, None] = {}
        for word in self._rarest(words):
            for number in self._by_word.get(word, ()):
                found[number] = None
                if len(found) == MOST_COMPARISONS:
                    return list(found)
        return list(found)

    def _rarest(self, words: frozenset[str]) -> list[str]:
        ranked = sorted(words, key=lambda word: (self._counts[word], word))
        return ranked[: len(words) - math.ceil(self._threshold * len(words)) + 1]
