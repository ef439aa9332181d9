"""Finds the criteria with the lowest scores."""

from collections.abc import Collection, Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.results import RunSummary

_WEAKEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetCriterion:
    """A criterion of a run's table, with the description that a refiner needs. `key` is the
    table's.
    """

    key: str
    name: str
    description: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakCriterion:
    """`mean` is in 0..1, over the cases of all included variants."""

    criterion: TargetCriterion
    mean: float


def weakest_criteria(
    summary: RunSummary,
    criteria: Sequence[TargetCriterion],
    *,
    count: int = _WEAKEST,
    variants: Collection[str] | None = None,
) -> tuple[WeakCriterion, ...]:
    """Returns the criteria with the lowest means, lowest first; of equal ones the one with the
    larger weight, then the earlier in the rubric. Criteria without weight or scores, and variants
    that are not named, are excluded.
    """
    known = [
        WeakCriterion(criterion=criterion, mean=mean)
        for criterion in criteria
        if criterion.weight > 0 and (mean := _mean(summary, criterion.key, variants)) is not None
    ]
    return tuple(sorted(known, key=lambda weak: (weak.mean, -weak.criterion.weight))[:count])


def _mean(summary: RunSummary, key: str, variants: Collection[str] | None) -> float | None:
    """Mean over variants, weighted by number of cases."""
    found = [
        (criterion.mean.value, criterion.mean.cases)
        for variant in summary.variants
        if variants is None or variant.variant in variants
        for criterion in variant.criteria
        if criterion.criterion == key and criterion.mean.value is not None
    ]
    cases = sum(count for _, count in found)
    return sum(value * count for value, count in found) / cases if cases else None
