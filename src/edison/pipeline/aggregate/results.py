"""What statistics say. None stands for "cannot be said from this", never for zero.

Scores are in 0..1 as scorers give them; screens show composites as x/10. Keys are those of the
table that was summarised.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over cases. One case gives a value and no interval; no case gives neither."""

    value: float | None
    interval: Interval | None
    cases: int


class Verdict(StrEnum):
    """Of a comparison. Stored with summaries; never rename."""

    BETTER = "better"
    WORSE = "worse"
    NO_EVIDENCE = "no_evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How `other` does against `baseline` on the cases that both have scores for.

    `p_value` is that of this comparison alone, `adjusted_p_value` the one that counts: corrected
    for all comparisons made together. `minimum_detectable_effect` is the difference that these
    cases would have shown in 80 of 100 runs; `cases_needed` how many would show a difference as
    large as the one seen. `effect_size` is the difference in standard deviations of differences.
    """

    baseline: str
    other: str
    difference: Estimate
    verdict: Verdict
    p_value: float | None
    adjusted_p_value: float | None
    effect_size: float | None
    minimum_detectable_effect: float | None
    cases_needed: int | None
    improved: int
    regressed: int
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """`counts[i]` cases lie from `edges[i]` up to `edges[i + 1]`, the last bin with its end."""

    edges: Sequence[float]
    counts: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionSummary:
    """Over cases. `missing` counts outputs for which the criterion could not be had and counted as
    the lowest score."""

    criterion: str
    mean: Estimate
    minimum: float | None
    maximum: float | None
    standard_deviation: float | None
    missing: int
    distribution: Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerSummary:
    """What one scorer, judge or person says about one variant."""

    scorer: str
    composite: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSummary:
    """`unscored` counts cases that were tried and have no score at all: they are left out of the
    composite. `human_cases` counts those in which a person's score replaced an automatic one."""

    variant: str
    composite: Estimate
    standard_deviation: float | None
    pass_rate: Estimate
    unscored: int
    missing: int
    human_cases: int
    distribution: Distribution
    criteria: Sequence[CriterionSummary]
    scorers: Sequence[ScorerSummary]


class FacetKind(StrEnum):
    """Stored with summaries; never rename."""

    TAG = "tag"
    LENGTH = "length"
    DIFFICULTY = "difficulty"


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetCell:
    """One field of the heat map. `is_small` says that there are too few cases to rely on it."""

    kind: FacetKind
    facet: str
    variant: str
    composite: Estimate
    is_small: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """`composite` is the mean over all variants; `comparisons` has every pair of variants once,
    the earlier one as the baseline."""

    composite: Estimate
    variants: Sequence[VariantSummary]
    comparisons: Sequence[Comparison]
    facets: Sequence[FacetCell]
