"""Response schemas of statistics. Null means that the data do not determine the value."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.pipeline.aggregate.results import BiasKind, FacetKind, PairedTest, Raters, Verdict

VariantPosition = Annotated[int, Field(description="Position of the variant", examples=[0])]


class RaterKind(StrEnum):
    SCORER = "scorer"
    JUDGE = "judge"
    PERSON = "person"
    # The rater for malformed answers: they get the lowest score without being judged.
    RULE = "rule"


class IntervalRead(Schema):
    """A confidence interval, 95 % unless stated otherwise."""

    low: float
    high: float


class MeanRead(Schema):
    """A mean over cases. A single case has no interval; without cases there is no value."""

    value: float | None
    interval: IntervalRead | None
    cases: int


class DistributionRead(Schema):
    """`counts[i]` cases lie in the interval from `edges[i]` to `edges[i + 1]`."""

    edges: list[float]
    counts: list[int]


class LeftOutRead(Schema):
    """Cases without a score on one side, by reason."""

    failed: int = 0
    unreadable: int = 0


class EquivalenceRead(Schema):
    """Equivalence of two variants: two one-sided tests at 5 % with `margin`. `interval` is a 90 %
    interval, null without enough cases."""

    margin: float
    cases: int
    interval: IntervalRead | None
    other_is_as_good: bool
    baseline_is_as_good: bool
    reason: str


class ComparisonVerdict(Schema):
    """Compares `other` with `baseline`, on the cases that both have scores for.

    `adjusted_p_value` is corrected for all comparisons made together and decides the verdict. The
    interval of the difference comes from the same `test` at the corrected level: it excludes 0
    exactly when the verdict is `better` or `worse`. `caveat` says in words what this number of
    cases cannot rule out. `cannot_tell`: more than 5 % of one side is missing (`baseline_left_out`,
    `other_left_out`) until it is retried. `so_far`: the run is not complete; the interval is a
    confidence sequence. `minimum_detectable_effect` is the difference these cases would detect with
    80 % power, and `cases_needed` the number of cases to detect the observed one.
    """

    baseline: VariantPosition
    other: VariantPosition
    baseline_mean: float | None
    other_mean: float | None
    difference: MeanRead
    verdict: Verdict
    test: PairedTest | None = None
    caveat: str | None = None
    p_value: float | None
    adjusted_p_value: float | None
    effect_size: float | None
    minimum_detectable_effect: float | None
    cases_needed: int | None
    improved: int
    regressed: int
    unchanged: int
    baseline_left_out: LeftOutRead = LeftOutRead()
    other_left_out: LeftOutRead = LeftOutRead()
    equivalence: EquivalenceRead | None = None


class CriterionResult(Schema):
    """Results for one criterion. `missing` outputs lack it; it is left out of their composites."""

    criterion: Annotated[str, Field(description="Key of the criterion")]
    mean: MeanRead
    minimum: float | None
    maximum: float | None
    standard_deviation: float | None
    missing: int
    distribution: DistributionRead


class FacetCellRead(Schema):
    """One cell of a facet table. `is_small`: too few cases to rely on."""

    kind: FacetKind
    facet: str
    variant: VariantPosition
    composite: MeanRead
    is_small: bool


class AgreementRead(Schema):
    """Krippendorff's alpha: 1 is full agreement, 0 is chance. `criterion` is null for scores of
    whole outputs."""

    raters: Raters
    criterion: str | None
    alpha: float | None
    interval: IntervalRead | None
    outputs: int
    cases: int


class BiasRead(Schema):
    """A judge's bias. position: how much more often the judge prefers the answer shown first, -1 to
    1. length: the increase of its score when an answer is twice as long. self_preference: how much
    higher it scores its own model. `is_evident`: the interval excludes 0. Unless `is_controlled`,
    no other rater scored the same outputs, and the effect may be deserved.
    """

    judge: Annotated[str, Field(description="Key of the rater")]
    kind: BiasKind
    effect: MeanRead
    is_controlled: bool
    is_evident: bool


class CalibrationBinRead(Schema):
    judge_mean: float
    human_mean: float
    outputs: int


class CalibrationRead(Schema):
    """A judge against human scores, on outputs both scored. `difference` is judge minus human."""

    judge: Annotated[str, Field(description="Key of the rater")]
    outputs: int
    difference: MeanRead
    mean_absolute_error: float
    correlation: float | None
    rank_correlation: float | None
    bins: list[CalibrationBinRead]


class HumanEstimateRead(Schema):
    """The estimated human score of a variant on all cases, from human scores of some and automatic
    scores of all. `tuning` is the weight of the automatic scores, 0 to 1. Only human scores of
    randomly sampled cases (`random_cases`) are used; with too few, `composite` is empty and
    `obstacle` says why."""

    variant: VariantPosition
    composite: MeanRead
    people_alone: MeanRead
    tuning: float
    random_cases: int
    obstacle: str | None


class WinMatrixRead(Schema):
    """`wins[i][j]` counts how often variant i was preferred over j. `consistency` is the share of
    comparisons with the same verdict in both orders."""

    variants: list[int]
    wins: list[list[int]]
    ties: list[list[int]]
    win_rates: list[MeanRead]
    consistency: float | None


class RatingRead(Schema):
    """A rating: 400 points more mean ten times as many wins as losses; 1000 is the average."""

    variant: VariantPosition
    points: float
    interval: IntervalRead | None
    comparisons: int


class RatingsRead(Schema):
    """Ratings from pairwise comparisons. `first_advantage` is the value of being shown first, in
    points.
    """

    ratings: list[RatingRead]
    first_advantage: float
    first_advantage_interval: IntervalRead | None
    tie_share: float


class CaseDelta(Schema):
    """A case in two runs. With repeats, the output is the first."""

    position: int
    baseline_position: int
    inputs_preview: str
    baseline_score: float
    score: float
    difference: float
    baseline_output_id: UUID | None
    output_id: UUID | None
