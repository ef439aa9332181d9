"""Selects the outputs of an annotation queue, and their order. Deterministic for a seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.runs.scoring.states import SampleStrategy


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCandidate:
    """An output with the uncertainty of its scores. `spread`: highest minus lowest score, also
    between the judges of a panel. `margin`: the smallest distance of a score to its threshold, or
    to 0.5. Both are None without scores.
    """

    output_id: UUID
    spread: float | None
    margin: float | None
    is_flagged: bool


def with_judges(
    candidates: Sequence[SampleCandidate], spreads: Mapping[UUID, float]
) -> list[SampleCandidate]:
    """Uses the spread between panel judges where it is larger."""
    return [
        replace(each, spread=max(each.spread or 0.0, spreads[each.output_id]))
        if each.output_id in spreads
        else each
        for each in candidates
    ]


def choose(
    candidates: Sequence[SampleCandidate], *, strategy: SampleStrategy, count: int, seed: int
) -> list[UUID]:
    """At most `count` outputs in the order in which they are offered. Ties are shuffled, so that
    the position reveals neither case nor variant.
    """
    ordered = sorted(candidates, key=lambda candidate: candidate.output_id)
    random.Random(seed).shuffle(ordered)  # noqa: S311 - a sample, not a secret
    if strategy is SampleStrategy.DISAGREEMENT:
        ordered.sort(key=lambda each: -1.0 if each.spread is None else each.spread, reverse=True)
    elif strategy is SampleStrategy.LOW_CONFIDENCE:
        ordered.sort(key=_confidence)
    return [candidate.output_id for candidate in ordered[:count]]


def _confidence(candidate: SampleCandidate) -> tuple[bool, float]:
    """Outputs without a margin come last: 2 exceeds any distance between scores."""
    return not candidate.is_flagged, 2.0 if candidate.margin is None else candidate.margin
