"""Results of runs, as programs see them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.runs.results.schemas.statistics import (
    AgreementRead,
    BiasRead,
    CalibrationRead,
    ComparisonVerdict,
    CriterionResult,
    DistributionRead,
    FacetCellRead,
    HumanEstimateRead,
    IntervalRead,
    MeanRead,
    RaterKind,
    RatingsRead,
    WinMatrixRead,
)


class RaterRead(Schema):
    """Whoever gives scores. `scorer` is the position of the run's scorer that it belongs to."""

    key: Annotated[str, Field(examples=["s0"])]
    label: str
    kind: RaterKind
    scorer: int | None


class WeighedCriterion(Schema):
    """`weight` is its share in the composite, 0 to 1."""

    key: Annotated[str, Field(examples=["s0.1"])]
    name: str
    weight: float
    scorers: list[int]


class RaterResult(Schema):
    """What the composite would be if nobody else had scored."""

    rater: Annotated[str, Field(description="Key of the rater")]
    composite: MeanRead


class FlagCount(Schema):
    """How many scores of a scorer are missing or stand in for one, and why."""

    scorer: int
    flag: Annotated[str, Field(examples=["judge_unreadable"])]
    count: int


class AverageRead(Schema):
    """A mean over answers that did not fail; one answer gives no interval."""

    value: float | None
    interval: IntervalRead | None
    answers: int


class AveragesRead(Schema):
    """What one answer takes. Costs leave out answers whose price nobody knows."""

    input_tokens: AverageRead
    output_tokens: AverageRead
    cost_usd: AverageRead
    latency_seconds: AverageRead


class OutcomeCounts(Schema):
    """How the answers of a variant ended. `cut_off` answers reached max tokens; `unreadable` ones
    have a score that could not be had, such as a judge's verdict that nobody can read. An answer
    may be cut off or unreadable and still be answered."""

    answered: int
    failed: int
    malformed: int
    cut_off: int
    unreadable: int


class VariantResults(Schema):
    """`unscored` cases were tried and have no score; they are not in the composite. In
    `human_cases` a person's score replaced an automatic one. `is_on_front`: no other variant is
    both better and cheaper.
    """

    position: int
    label: str
    is_simulated: bool
    composite: MeanRead
    standard_deviation: float | None
    pass_rate: MeanRead
    distribution: DistributionRead
    criteria: list[CriterionResult]
    raters: list[RaterResult]
    unscored: int
    missing: int
    human_cases: int
    answers: int
    failed: int
    malformed: int
    answer_cost_usd: Usd
    judge_cost_usd: Usd
    cost_per_answer_usd: Usd | None
    unpriced: int
    input_tokens: int
    output_tokens: int
    latency_p50_seconds: float | None
    latency_p95_seconds: float | None
    averages: AveragesRead
    is_on_front: bool
    outcome_counts: OutcomeCounts


class RunProgressRead(Schema):
    """How much of the run the results are made from."""

    cases: int
    cells: int
    cells_done: int
    scores: int
    scores_done: int
    comparisons: int
    comparisons_done: int


class RunResults(Schema):
    """`is_final`: the run is over. While it is at work, the statistics are computed now and then:
    `as_of` is when, and `progress.cells_done` of how many cells. `is_complete`: all of it is there;
    until then comparisons have no verdict. `comparisons` has every pair of variants once, the
    earlier one as the baseline. `best` is the variant with the highest composite, if it scored
    anything and is shown to be better than another one.
    """

    run_id: UUID
    is_final: bool
    as_of: datetime | None = None
    is_complete: bool
    failed_count_zero: bool
    progress: RunProgressRead
    composite: MeanRead
    best: int | None
    variants: list[VariantResults]
    criteria: list[WeighedCriterion]
    raters: list[RaterRead]
    comparisons: list[ComparisonVerdict]
    facets: list[FacetCellRead]
    agreements: list[AgreementRead]
    biases: list[BiasRead]
    calibrations: list[CalibrationRead]
    human_estimates: list[HumanEstimateRead]
    wins: WinMatrixRead | None
    ratings: RatingsRead | None
    flags: list[FlagCount]
    comparison_cost_usd: Usd


class RunBrief(Schema):
    id: UUID
    name: str
    variants: list[str]


class RunComparisonRead(Schema):
    """Two runs, paired by case: a case is the same when its inputs and expected answer are.
    `only_in_baseline` and `only_in_other` count cases that the other run does not have.
    """

    baseline: RunBrief
    other: RunBrief
    shared_cases: int
    only_in_baseline: int
    only_in_other: int
    comparisons: list[ComparisonVerdict]
