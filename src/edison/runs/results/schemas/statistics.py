"""What statistics say, as programs see it. Null stands for "cannot be said from this"."""

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
    # What holds for every scorer: a malformed answer gets the lowest score without being looked at.
    RULE = "rule"


class IntervalRead(Schema):
    """Of 95 %."""

    low: float
    high: float


class MeanRead(Schema):
    """A mean over cases. One case gives no interval, none gives no value either."""

    value: float | None
    interval: IntervalRead | None
    cases: int


class DistributionRead(Schema):
    """`counts[i]` cases lie from `edges[i]` up to `edges[i + 1]`."""

    edges: list[float]
    counts: list[int]


class LeftOutRead(Schema):
    """Cases that one side has no score for although it should, and why."""

    failed: int = 0
    unreadable: int = 0


class EquivalenceRead(Schema):
    """Whether one of two is as good as the other: two one-sided tests at 5 % with `margin`.
    `interval` is of 90 %, null without enough cases."""

    margin: float
    cases: int
    interval: IntervalRead | None
    other_is_as_good: bool
    baseline_is_as_good: bool
    reason: str


class ComparisonVerdict(Schema):
    """How `other` does against `baseline`, on the cases that both have scores for.

    `adjusted_p_value` is corrected for all comparisons made together, and decides. The interval of
    the difference comes from the same `test` at the level that the correction leaves: it excludes 0
    exactly when the verdict is `better` or `worse`. `caveat` says in words what so many cases
    cannot rule out. `cannot_tell`: more than 5 % of one side is missing (`baseline_left_out`,
    `other_left_out`) until it is retried. `so_far`: the run is not complete; the interval is a
    confidence sequence. `minimum_detectable_effect` is the difference these cases would have shown
    in 80 of 100 runs, and `cases_needed` how many cases would show the one that was seen.
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
    """`missing` outputs lack the criterion: it was left out of their composites."""

    criterion: Annotated[str, Field(description="Key of the criterion")]
    mean: MeanRead
    minimum: float | None
    maximum: float | None
    standard_deviation: float | None
    missing: int
    distribution: DistributionRead


class FacetCellRead(Schema):
    """`is_small`: too few cases to rely on."""

    kind: FacetKind
    facet: str
    variant: VariantPosition
    composite: MeanRead
    is_small: bool


class AgreementRead(Schema):
    """Krippendorff's alpha: 1 is full agreement, 0 what chance would give. `criterion` is null for
    scores of whole outputs."""

    raters: Raters
    criterion: str | None
    alpha: float | None
    interval: IntervalRead | None
    outputs: int
    cases: int


class BiasRead(Schema):
    """position: how much more often the judge chooses what it saw first, -1 to 1. length: how much
    its score rises when an answer is twice as long. self_preference: how much higher it scores its
    own model. `is_evident`: the interval does not hold 0. Unless `is_controlled`, nobody else
    scored the same outputs, and the effect may be deserved.
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
    """A judge against people, on the outputs both scored. `difference` is judge less people."""

    judge: Annotated[str, Field(description="Key of the rater")]
    outputs: int
    difference: MeanRead
    mean_absolute_error: float
    correlation: float | None
    rank_correlation: float | None
    bins: list[CalibrationBinRead]


class HumanEstimateRead(Schema):
    """What people would give a variant on all cases, from their scores of some and the automatic
    ones of all. `tuning` is how far the latter are relied on, 0 to 1. Only scores of
    `random_cases`, which were drawn at random, can be used; with too few of them `composite` is
    empty and `obstacle` says why."""

    variant: VariantPosition
    composite: MeanRead
    people_alone: MeanRead
    tuning: float
    random_cases: int
    obstacle: str | None


class WinMatrixRead(Schema):
    """`wins[i][j]`: how often variant i was chosen over j. `consistency`: the share of comparisons
    in both orders that gave the same answer in both."""

    variants: list[int]
    wins: list[list[int]]
    ties: list[list[int]]
    win_rates: list[MeanRead]
    consistency: float | None


class RatingRead(Schema):
    """400 points more are ten times as many wins as losses; 1000 is the average."""

    variant: VariantPosition
    points: float
    interval: IntervalRead | None
    comparisons: int


class RatingsRead(Schema):
    """`first_advantage` is what being seen first is worth, in points."""

    ratings: list[RatingRead]
    first_advantage: float
    first_advantage_interval: IntervalRead | None
    tie_share: float


class CaseDelta(Schema):
    """A case in two runs. Of several answers to it, the output is the first."""

    position: int
    baseline_position: int
    inputs_preview: str
    baseline_score: float
    score: float
    difference: float
    baseline_output_id: UUID | None
    output_id: UUID | None
