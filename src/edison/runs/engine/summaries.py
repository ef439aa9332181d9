"""What is known about a variant once its run is over, from its outputs and scores."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


def summarise(
    variant: int,
    scorers: Sequence[RunScorer],
    sums: Iterable[ScoreSums],
    latencies: Sequence[float],
) -> dict[str, Any]:
    """As `VariantSummary` reads it. The score is the mean of the scorers' means by their weights;
    scorers that had nothing to say do not count.
    """
    of_variant = {each.scorer: each for each in sums if each.variant == variant}
    means = {
        scorer.position: each.total / each.count
        for scorer in scorers
        if (each := of_variant.get(scorer.position)) is not None and each.count
    }
    judged = sum(each.judged for each in of_variant.values())
    ordered = sorted(latencies)
    return {
        "score": _weighted(means, {scorer.position: scorer.weight for scorer in scorers}),
        "pass_rate": sum(each.passed for each in of_variant.values()) / judged if judged else None,
        "scorers": {str(scorer.position): means.get(scorer.position) for scorer in scorers},
        "latency_p50_seconds": percentile(ordered, 0.50),
        "latency_p95_seconds": percentile(ordered, 0.95),
    }


def overall(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scores = [each["score"] for each in summaries if each["score"] is not None]
    return {"score": sum(scores) / len(scores) if scores else None}


def _weighted(means: Mapping[int, float], weights: Mapping[int, float]) -> float | None:
    weight = sum(weights[position] for position in means)
    if weight == 0:
        return None
    return sum(mean * weights[position] for position, mean in means.items()) / weight


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
