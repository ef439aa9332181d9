"""What is known about a variant once its run is over, from its outputs and scores."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from edison.runs.engine.models import RunScorer


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSums:
    """Of one variant and one scorer: over the scores that have a value, or a verdict."""

    variant: int
    scorer: int
    count: int
    total: float
    judged: int
    passed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveScore:
    """What counts for one output. `value` is None when neither people nor scorers said anything."""

    output_id: UUID
    case_position: int
    variant_position: int
    repeat: int
    value: float | None
    is_human: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The score that counts for an output, and who gave it: `human`, `grader`, `scorer`, or
    the `rule` that malformed answers are worth nothing.
    """

    value: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantScore:
    """The mean over the outputs of a variant that have a score, how many those are, and how many of
    them people scored.
    """

    mean: float | None
    count: int
    human_count: int

    def exchanged(self, old: EffectiveScore, new: EffectiveScore) -> "VariantScore":
        """As if one output had had another score, without a look at the others."""
        count = self.count + (new.value is not None) - (old.value is not None)
        total = (self.mean or 0.0) * self.count + (new.value or 0.0) - (old.value or 0.0)
        return VariantScore(
            mean=total / count if count else None,
            count=count,
            human_count=self.human_count + new.is_human - old.is_human,
        )


NO_SCORE = VariantScore(mean=None, count=0, human_count=0)


def summarise(
    variant: int,
    scorers: Sequence[RunScorer],
    sums: Iterable[ScoreSums],
    *,
    effective: VariantScore,
    latencies: Sequence[float],
) -> dict[str, Any]:
    """As `VariantSummary` reads it. Scorers that had nothing to say do not count."""
    of_variant = {each.scorer: each for each in sums if each.variant == variant}
    means = {
        scorer.position: each.total / each.count
        for scorer in scorers
        if (each := of_variant.get(scorer.position)) is not None and each.count
    }
    judged = sum(each.judged for each in of_variant.values())
    ordered = sorted(latencies)
    return {
        **score_fields(effective),
        "pass_rate": sum(each.passed for each in of_variant.values()) / judged if judged else None,
        "scorers": {str(scorer.position): means.get(scorer.position) for scorer in scorers},
        "latency_p50_seconds": percentile(ordered, 0.50),
        "latency_p95_seconds": percentile(ordered, 0.95),
    }


def score_fields(effective: VariantScore) -> dict[str, Any]:
    return {
        "score": effective.mean,
        "scored_count": effective.count,
        "human_count": effective.human_count,
    }


def overall(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scores = [each["score"] for each in summaries if each["score"] is not None]
    return {"score": sum(scores) / len(scores) if scores else None}


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The value below which that share of the values lies, by linear interpolation."""
    if not ordered:
        return None
    place = (len(ordered) - 1) * share
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def group_latencies(rows: Iterable[tuple[int, float]]) -> Mapping[int, list[float]]:
    grouped: dict[int, list[float]] = defaultdict(list)
    for variant, seconds in rows:
        grouped[variant].append(seconds)
    return grouped
