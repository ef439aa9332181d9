"""Which outputs people are asked about, and in which order. The same seed chooses the same."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from edison.runs.scoring.states import SampleStrategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An output as its scorers see it. `spread`: between the highest and the lowest score, or judge
    of a panel. `margin`: from the score that is nearest to its threshold, or to the middle. Both
    are None without scores.
    """

    output_id: UUID
    spread: float | None
    margin: float | None
    is_flagged: bool


def with_judges(candidates: Sequence[Candidate], spreads: Mapping[UUID, float]) -> list[Candidate]:
    """Judges of one panel may disagree as well as scorers: the greater spread counts."""
    return [
        replace(each, spread=max(each.spread or 0.0, spreads[each.output_id]))
        if each.output_id in spreads
        else each
        for each in candidates
    ]


def choose(
    candidates: Sequence[Candidate], *, strategy: SampleStrategy, count: int, seed: int
) -> list[UUID]:
    """At most `count` outputs in the order in which they are asked about. Equals come in random
    order, so that neither cases nor variants can be told by their place.
    """
    ordered = sorted(candidates, key=lambda candidate: candidate.output_id)
    random.Random(seed).shuffle(ordered)  # noqa: S311 - a sample, not a secret
    if strategy is SampleStrategy.DISAGREEMENT:
        ordered.sort(key=lambda each: -1.0 if each.spread is None else each.spread, reverse=True)
    elif strategy is SampleStrategy.LOW_CONFIDENCE:
        ordered.sort(key=_confidence)
    return [candidate.output_id for candidate in ordered[:count]]


def _confidence(candidate: Candidate) -> tuple[bool, float]:
    """No margin is further from any threshold than a score can be."""
    return not candidate.is_flagged, 2.0 if candidate.margin is None else candidate.margin
