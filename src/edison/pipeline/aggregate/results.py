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
    """Of a comparison. `cannot_tell`: too many scores are missing. `so_far`: the run is not
    complete, and its confidence sequence holds 0. Stored with summaries; never rename."""

    BETTER = "better"
    WORSE = "worse"
    NO_EVIDENCE = "no_evidence"
    CANNOT_TELL = "cannot_tell"
    SO_FAR = "so_far"


class PairedTest(StrEnum):
    """What a verdict rests on. Stored with summaries; never rename."""

    SCORE = "score"
    BOOTSTRAP_T = "bootstrap_t"
    SIGN_FLIP = "sign_flip"
    SIGN = "sign"
    CONFIDENCE_SEQUENCE = "confidence_sequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Cases that one side of a comparison has no score for although it should: its answer failed,
    or no scorer's verdict could be read."""

    failed: int = 0
    unreadable: int = 0

    @property
    def cases(self) -> int:
        return self.failed + self.unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether one of two is as good as the other, within `margin` on the 0..1 scale. `interval` is
    of 90 %, None without enough cases. `reason` says what it rests on, or why it cannot be said."""

    margin: float
    cases: int
    interval: Interval | None
    other_is_as_good: bool
    baseline_is_as_good: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How `other` does against `baseline` on the cases that both have scores for, which is also
    what the two means are of.

    `p_value` is that of this comparison alone, `adjusted_p_value` the one that counts: corrected
    for all comparisons made together. The interval is of the level that the correction leaves, at
    least 95 %, and from the same `test`: it excludes 0 exactly when the verdict is better or worse.
    `caveat` says in words what so many cases cannot rule out. `minimum_detectable_effect` is the
    difference that these cases would have shown in 80 of 100 runs; `cases_needed` how many would
    show a difference as large as the one seen. `effect_size` is the difference in standard
    deviations of differences.
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
    """`counts[i]` cases lie from `edges[i]` up to `edges[i + 1]`, the last bin with its end."""

    edges: Sequence[float]
    counts: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionSummary:
    """Over cases. `missing` counts outputs for which the criterion could not be had and was left
    out."""

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


class Raters(StrEnum):
    """Whose agreement it is. Stored with summaries; never rename."""

    JUDGES = "judges"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Krippendorff's alpha: 1 is full agreement, 0 what chance would give. `criterion` is None for
    scores of whole outputs; `outputs` counts those that at least two scored."""

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
    """What moves a judge that should not.

    position: how much more often it chooses what it saw first than what it saw second, -1..1.
    length: how much its score rises when an answer is twice as long.
    self_preference: how much higher it scores answers of its own model family.

    Unless `is_controlled`, nobody else scored the same outputs, and the effect may as well be that
    longer answers, or those of the family, are better. `is_evident` says that the interval does
    not hold 0.
    """

    judge: str
    kind: BiasKind
    effect: Estimate
    is_controlled: bool
    is_evident: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Outputs to which a judge gave similar scores, and what people gave them."""

    judge_mean: float
    human_mean: float
    outputs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A judge against people on the outputs both scored. `difference` is judge less people."""

    judge: str
    outputs: int
    difference: Estimate
    mean_absolute_error: float
    correlation: float | None
    rank_correlation: float | None
    bins: Sequence[CalibrationBin]


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanEstimate:
    """What people would give a variant on all cases, from their scores of some and the automatic
    scores of all. `tuning` is how far the automatic ones are relied on, 0..1; `people_alone` is
    the same without them.

    Only scores of cases that were drawn at random say anything about the others: `random_cases`
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
    """`wins[i][j]` is how often variant i was chosen over j, `ties[i][j]` how often neither.
    Both orders of one comparison count as one: a tie, unless one variant got more of them.
    `consistency` is the share of comparisons that gave the same answer in both orders; a tie in
    one of them is another answer.
    """

    variants: Sequence[str]
    wins: Sequence[Sequence[int]]
    ties: Sequence[Sequence[int]]
    win_rates: Sequence[Estimate]
    consistency: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """`points` are on the scale of chess: 400 more are ten times as many wins as losses; all
    variants together average 1000."""

    variant: str
    points: float
    interval: Interval | None
    comparisons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """`first_advantage` is what being seen first is worth, in points; `tie_share` how often two
    equal variants would tie."""

    ratings: Sequence[Rating]
    first_advantage: float
    first_advantage_interval: Interval | None
    tie_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """What pairwise comparisons say. `position_biases` has the judges that saw both orders."""

    wins: WinMatrix
    ratings: Ratings
    position_biases: Sequence[Bias]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """`composite` is the mean over all variants; `comparisons` has every pair of variants once,
    the earlier one as the baseline."""

    composite: Estimate
    variants: Sequence[VariantSummary]
    comparisons: Sequence[Comparison]
    facets: Sequence[FacetCell]
    agreements: Sequence[Agreement]
    biases: Sequence[Bias]
    calibrations: Sequence[Calibration]
    human_estimates: Sequence[HumanEstimate]
