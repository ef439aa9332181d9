"""Counts the properties of cases in one pass, and finds thin buckets.

A bucket is thin when it has fewer cases than the target of its dimension. Where each case is in
exactly one of a known number of buckets (length, ambiguity, difficulty, split), the target is half
of an even share; elsewhere (tags, entities, language) it is a twentieth of all cases. No target is
below three cases. A dimension's coverage is the average share of the target that its buckets reach.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.library.coverage import languages
from edison.library.coverage.ambiguity import Ambiguity, level_of
from edison.library.coverage.case_text import read_inputs
from edison.library.coverage.entities import EntityKind, kinds_in
from edison.library.coverage.schemas import BucketRead, DimensionKey, DimensionRead
from edison.pipeline.render.length_bucket import LengthBucket, bucket_of, length_of

FEWEST_CASES = 3
OPEN_SHARE = 0.05
EVEN_PART = 0.5
MOST_BUCKETS = 100
MOST_GAPS = 20

FIXED_BUCKETS: dict[DimensionKey, tuple[str, ...]] = {
    DimensionKey.ENTITIES: tuple(EntityKind),
    DimensionKey.LENGTH: tuple(LengthBucket),
    DimensionKey.AMBIGUITY: tuple(Ambiguity),
    DimensionKey.DIFFICULTY: ("1", "2", "3", "4", "5"),
    DimensionKey.SPLIT: ("train", "holdout"),
}
_EXCLUSIVE = frozenset(
    {DimensionKey.LENGTH, DimensionKey.AMBIGUITY, DimensionKey.DIFFICULTY, DimensionKey.SPLIT}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCase:
    """The properties of a case that coverage uses."""

    inputs: Mapping[str, Any]
    tags: Sequence[str]
    difficulty: int | None
    split: str


@dataclass(slots=True)
class Tally:
    cases: int = 0
    counts: dict[DimensionKey, Counter[str]] = field(
        default_factory=lambda: {key: Counter() for key in DimensionKey}
    )
    without: Counter[DimensionKey] = field(default_factory=Counter)

    def add(self, cases: Iterable[MeasuredCase]) -> None:
        for case in cases:
            self.cases += 1
            for key, values in _buckets_of(case).items():
                self.counts[key].update(values)
                self.without[key] += not values

    def dimensions(self, *, expected_languages: Iterable[str] = ()) -> list[DimensionRead]:
        expected = {DimensionKey.LANGUAGE: tuple(expected_languages)}
        return [self._dimension(key, expected.get(key, ())) for key in DimensionKey]

    def gaps(self) -> list[str]:
        """The thinnest buckets in words, thinnest first; empty for a dataset without cases."""
        if not self.cases:
            return []
        thin = []
        for order, (key, words_for) in enumerate(_WORDS.items()):
            target = self._target(key)
            for value, count in self._counted(key, ()).items():
                if count < target:
                    thin.append((count / target, order, words_for(value)))
        return [words for _, _, words in sorted(thin)][:MOST_GAPS]

    def _dimension(self, key: DimensionKey, expected: Sequence[str]) -> DimensionRead:
        counted, target = self._counted(key, expected), self._target(key)
        reached = [min(1.0, count / target) for count in counted.values()]
        shown = list(counted.items())[:MOST_BUCKETS]
        return DimensionRead(
            key=key,
            coverage=round(sum(reached) / len(reached), 4) if reached else 0.0,
            target=target,
            buckets=[
                BucketRead(
                    value=value,
                    cases=count,
                    share=round(count / self.cases, 4) if self.cases else 0.0,
                    is_thin=count < target,
                )
                for value, count in shown
            ],
            more_buckets=len(counted) - len(shown),
            without=self.without[key],
        )

    def _counted(self, key: DimensionKey, expected: Sequence[str]) -> dict[str, int]:
        """Known buckets in their order, then the others, largest first."""
        counts = self.counts[key]
        if fixed := FIXED_BUCKETS.get(key):
            return {value: counts[value] for value in fixed}
        found = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        return dict(found) | {value: counts[value] for value in expected if value not in counts}

    def _target(self, key: DimensionKey) -> int:
        share = EVEN_PART / len(FIXED_BUCKETS[key]) if key in _EXCLUSIVE else OPEN_SHARE
        return max(FEWEST_CASES, math.ceil(share * self.cases))


def _buckets_of(case: MeasuredCase) -> dict[DimensionKey, Sequence[str]]:
    read = read_inputs(case.inputs)
    language = languages.detect(read.lowered, read.words)
    return {
        DimensionKey.TAGS: case.tags,
        DimensionKey.ENTITIES: kinds_in(read),
        DimensionKey.LENGTH: [bucket_of(length_of(case.inputs))],
        DimensionKey.AMBIGUITY: [level_of(read)],
        DimensionKey.LANGUAGE: [] if language is None else [language],
        DimensionKey.DIFFICULTY: [] if case.difficulty is None else [str(case.difficulty)],
        DimensionKey.SPLIT: [case.split],
    }


_ENTITY_WORDS = {
    EntityKind.NAME: "mentions a person or thing by its full name",
    EntityKind.NUMBER: "mentions a number",
    EntityKind.MONEY: "mentions an amount of money",
    EntityKind.DATE: "mentions a date",
    EntityKind.EMAIL: "mentions an email address",
    EntityKind.URL: "mentions a web address",
    EntityKind.IDENTIFIER: "mentions an order, ticket or serial number",
}
_AMBIGUITY_WORDS = {
    Ambiguity.CLEAR: "perfectly clear, with one request and every detail",
    Ambiguity.OPEN: "leaves one detail open",
    Ambiguity.AMBIGUOUS: "ambiguous: vague words, or a reference to something that is not there",
}


def _length_words(value: str) -> str:
    bucket = LengthBucket(value)
    return f"{bucket.shortest:,} to {bucket.longest:,} characters long"


# A bucket as a property that a new case should have. Without the split, which is assigned.
_WORDS: dict[DimensionKey, Callable[[str], str]] = {
    DimensionKey.TAGS: lambda value: f"tagged “{value}”",
    DimensionKey.ENTITIES: lambda value: _ENTITY_WORDS[EntityKind(value)],
    DimensionKey.LENGTH: _length_words,
    DimensionKey.AMBIGUITY: lambda value: _AMBIGUITY_WORDS[Ambiguity(value)],
    DimensionKey.LANGUAGE: lambda value: f"written in {languages.NAMES[value]}",
    DimensionKey.DIFFICULTY: lambda value: f"of difficulty {value} of 5",
}
