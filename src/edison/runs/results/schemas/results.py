"""Response schemas of run results."""

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
    """A source of scores. `scorer` is the position of the run's scorer it belongs to."""

    key: Annotated[str, Field(examples=["s0"])]
    label: str
    kind: RaterKind
    scorer: int | None


class WeighedCriterion(Schema):
    """A criterion. `weight` is its share in the composite, 0 to 1."""

    key: Annotated[str, Field(examples=["s0.1"])]
    name: str
    weight: float
    scorers: list[int]


class RaterResult(Schema):
    """The composite score by this rater alone."""

    rater: Annotated[str, Field(description="Key of the rater")]
    composite: MeanRead


class FlagCount(Schema):
    """How many scores of a scorer carry a flag, such as missing or substituted ones."""

    scorer: int
    flag: Annotated[str, Field(examples=["judge_unreadable"])]
    count: int


class AverageRead(Schema):
    """A mean over answers that did not fail; a single answer has no interval."""

    value: float | None
    interval: IntervalRead | None
    answers: int


class AveragesRead(Schema):
    """Averages per answer. Costs leave out answers without a known price."""

    input_tokens: AverageRead
    output_tokens: AverageRead
    cost_usd: AverageRead
    latency_seconds: AverageRead


class OutcomeCounts(Schema):
    """Answers of a variant by outcome. `cut_off` answers reached max tokens; `unreadable` ones have
    a score that could not be obtained, such as a judge's unreadable verdict. Cut off and unreadable
    answers may also count as answered."""

    answered: int
    failed: int
    malformed: int
    cut_off: int
    unreadable: int


class VariantResults(Schema):
    """Results of a variant. `unscored` cases were run but have no score; they are not in the
    composite. In `human_cases`, human scores replaced automatic ones. `is_on_front`: no other
    variant is both better and cheaper.
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
    """The part of the run that the results cover."""

    cases: int
    cells: int
    cells_done: int
    scores: int
    scores_done: int
    comparisons: int
    comparisons_done: int


class RunResults(Schema):
    """Results of a run. `is_final`: the run has ended. While it is in progress, the statistics are
    updated at intervals: `as_of` is their time, `progress.cells_done` the cells they cover.
    `is_complete`: all cells are there; until then, comparisons have no verdict. `comparisons` holds
    every pair of variants once, the earlier one as the baseline. `best` is the variant with the
    highest composite, if it is above 0 and significantly better than another variant; a single
    variant is always the best.
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
    """Two runs, paired by case: cases are equal if their inputs and expected answers are.
    `only_in_baseline` and `only_in_other` count cases that the other run does not have.
    """

    baseline: RunBrief
    other: RunBrief
    shared_cases: int
    only_in_baseline: int
    only_in_other: int
    comparisons: list[ComparisonVerdict]
