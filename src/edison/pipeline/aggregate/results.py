"""Result types of the statistics. None means "cannot be determined", never zero.

Scores are in 0..1; the interface shows composites as x/10. Keys are those of the summarised table.
"""

from collections.abc import Sequence
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass


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
    """Verdict of a comparison. `cannot_tell`: too many scores are missing. `so_far`: the run is not
    complete, so only its confidence sequence is reported. Stored with summaries; never rename.
    """

    BETTER = "better"
    WORSE = "worse"
    NO_EVIDENCE = "no_evidence"
    CANNOT_TELL = "cannot_tell"
    SO_FAR = "so_far"


class PairedTest(StrEnum):
    """The test behind a verdict. Stored with summaries; never rename."""

    SCORE = "score"
    BOOTSTRAP_T = "bootstrap_t"
    SIGN_FLIP = "sign_flip"
    SIGN = "sign"
    CONFIDENCE_SEQUENCE = "confidence_sequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Cases without a due score on one side of a comparison: the answer failed, or no verdict was
    readable.
    """

    failed: int = 0
    unreadable: int = 0

    @property
    def cases(self) -> int:
        return self.failed + self.unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether one variant is as good as the other, within `margin` on the 0..1 scale. `interval` is
    the 90 % interval, None without enough cases. `reason` gives the evidence, or why there is none.
    """

    margin: float
    cases: int
    interval: Interval | None
    other_is_as_good: bool
    baseline_is_as_good: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantComparison:
    """How `other` compares with `baseline` on the cases that both have scores for; both means are
    over these cases.

    `p_value` is that of this comparison alone, `adjusted_p_value` is corrected for all comparisons
    made together and decides the verdict. The interval has the level that the correction leaves, at
    least 95 %, and comes from the same `test`: it excludes 0 exactly when the verdict is better or
    worse. `caveat` is a sentence about what this many cases cannot rule out.
    `minimum_detectable_effect` is the difference that these cases would detect in 80 of 100 runs;
    `cases_needed` is the number of cases to detect the observed difference. `effect_size` is the
    difference in standard deviations of differences.
    """

    baseline: str
    other: str
    baseline_mean: float | None
    other_mean: float | None
    difference: Estimate
    verdict: Verdict
    test: PairedTest | None
    caveat: str | None
    p_value: float | None
    adjusted_p_value: float | None
    effect_size: float | None
    minimum_detectable_effect: float | None
    cases_needed: int | None
    improved: int
    regressed: int
    unchanged: int
    baseline_left_out: LeftOut = LeftOut()
    other_left_out: LeftOut = LeftOut()
    equivalence: Equivalence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """`counts[i]` cases lie from `edges[i]` up to `edges[i + 1]`; the last bin includes its end."""

    edges: Sequence[float]
    counts: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionSummary:
    """Statistics over cases. `missing` counts outputs without a score for the criterion; they are
    left out.
    """

    criterion: str
    mean: Estimate
    minimum: float | None
    maximum: float | None
    standard_deviation: float | None
    missing: int
    distribution: Distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerSummary:
    """Scores by one scorer, judge or human rater for one variant."""

    scorer: str
    composite: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantStatistics:
    """`unscored` counts cases that were tried and have no score at all: they are left out of the
    composite. `human_cases` counts cases in which a human score replaced an automatic one.
    """

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
    """A cell of the heat map. `is_small`: too few cases to be reliable."""

    kind: FacetKind
    facet: str
    variant: str
    composite: Estimate
    is_small: bool


class Raters(StrEnum):
    """The group of raters. Stored with summaries; never rename."""

    JUDGES = "judges"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Krippendorff's alpha: 1 is full agreement, 0 is chance. `criterion` is None for scores of
    whole outputs; `outputs` counts outputs with at least two scores.
    """

    raters: Raters
    criterion: str | None
    alpha: float | None
    interval: Interval | None
    outputs: int
    cases: int


class BiasKind(StrEnum):
    """Stored with summaries; never rename."""

    POSITION = "position"
    LENGTH = "length"
    SELF_PREFERENCE = "self_preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """Bias of a judge.

    - position: how much more often it chooses the first answer than the second, -1..1.
    - length: how much its score rises when an answer is twice as long.
    - self_preference: how much higher it scores answers of its own model family.

    Unless `is_controlled`, there are no other scores for the same outputs, and the effect may also
    mean that longer answers, or those of the family, are better. `is_evident`: the interval
    excludes 0.
    """

    judge: str
    kind: BiasKind
    effect: Estimate
    is_controlled: bool
    is_evident: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Outputs with similar scores by a judge, and their human scores."""

    judge_mean: float
    human_mean: float
    outputs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A judge compared with human scores on the outputs both scored. `difference` is judge minus
    human.
    """

    judge: str
    outputs: int
    difference: Estimate
    mean_absolute_error: float
    correlation: float | None
    rank_correlation: float | None
    bins: Sequence[CalibrationBin]


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanEstimate:
    """Estimated human score of a variant on all cases, from human scores of some and automatic
    scores of all. `tuning` is the weight of the automatic scores, 0..1; `people_alone` is the
    estimate without them.

    Only human scores of cases drawn at random allow conclusions about the others: `random_cases`
    counts these. Without enough of them there is no composite, and `obstacle` says why.
    """

    variant: str
    composite: Estimate
    people_alone: Estimate
    tuning: float
    random_cases: int = 0
    obstacle: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WinMatrix:
    """`wins[i][j]` counts how often variant i was chosen over j, `ties[i][j]` how often neither.

    Both orders of one comparison count as one: a tie, unless one variant was chosen more often.
    `consistency` is the share of comparisons with the same answer in both orders; a tie in only one
    of them is a different answer.
    """

    variants: Sequence[str]
    wins: Sequence[Sequence[int]]
    ties: Sequence[Sequence[int]]
    win_rates: Sequence[Estimate]
    consistency: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EloRating:
    """`points` are Elo points: 400 more mean ten wins per loss; the average over all variants is
    1000.
    """

    variant: str
    points: float
    interval: Interval | None
    comparisons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """`first_advantage` is the advantage of being shown first, in points; `tie_share` is the
    probability that two equal variants tie.
    """

    ratings: Sequence[EloRating]
    first_advantage: float
    first_advantage_interval: Interval | None
    tie_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """Summary of pairwise comparisons. `position_biases` covers the judges that saw both orders."""

    wins: WinMatrix
    ratings: Ratings
    position_biases: Sequence[Bias]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """`composite` is the mean over all variants; `comparisons` has every pair of variants once, the
    earlier one as the baseline.
    """

    composite: Estimate
    variants: Sequence[VariantStatistics]
    comparisons: Sequence[VariantComparison]
    facets: Sequence[FacetCell]
    agreements: Sequence[Agreement]
    biases: Sequence[Bias]
    calibrations: Sequence[Calibration]
    human_estimates: Sequence[HumanEstimate]
