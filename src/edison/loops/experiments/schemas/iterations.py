"""Request and response bodies of iterations."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field

from edison.api.schema import Schema, Usd
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.runs.results.schemas.statistics import ComparisonVerdict, IntervalRead, MeanRead

IterationAction = Literal["pause", "resume", "cancel", "close", "suggest", "refine"]


class IterationRequest(Schema):
    """Starts an iteration. Without a version, it tests the experiment's current one."""

    version_id: UUID | None = None


class CriterionMean(Schema):
    """A criterion's mean over all variants, 0 to 1."""

    key: Annotated[str, Field(examples=["s0.1"])]
    name: str
    weight: float
    mean: float | None


class VariantMetrics(Schema):
    """The metrics of one model configuration; `key` is the same in all iterations."""

    key: str
    label: str
    model_id: UUID | None
    model_name: str
    is_simulated: bool
    train: MeanRead
    holdout: MeanRead | None
    win_rate: MeanRead | None
    cost_usd: Usd
    cost_per_answer_usd: Usd | None
    latency_p50_seconds: float | None
    failed: int
    parameters: dict[str, Any] = Field(default_factory=dict)


class CostRead(Schema):
    """Cost by phase."""

    execution_usd: Usd
    judging_usd: Usd
    refining_usd: Usd
    total_usd: Usd


class SamplingRead(Schema):
    """Why an iteration stopped before all cases. The verdict is based on a confidence sequence,
    which is valid however often results are checked.
    """

    decision: Annotated[str, Field(examples=["worse"])]
    message: str
    cases: int
    planned_cases: int
    difference: float | None
    interval: IntervalRead | None


class HoldoutTestRead(Schema):
    """The test of a version on the holdout cases. `look` counts the tests on these cases in the
    project; `alpha` is its significance level. Both are null if `cases` cannot show a gain at the
    alpha left after `looks`.
    """

    look: int | None
    alpha: float | None
    looks: int
    cases: int


NOT_A_TEST = "Training cases, not a test."


class TrainingChange(Schema):
    """The difference from the previous iteration on the training cases. It has no verdict: versions
    are chosen by these cases, so that no test on them holds.
    """

    difference: MeanRead
    baseline_mean: float | None
    other_mean: float | None
    improved: int
    regressed: int
    unchanged: int
    note: str = NOT_A_TEST


def _without_verdict(value: Any) -> Any:
    """Earlier iterations are stored with a comparison that had a verdict."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name in TrainingChange.model_fields}


class IterationMetrics(Schema):
    """Measurements of an iteration. On the training cases, `change` is the difference from the
    previous iteration, and `train_gain` that from the first. `against_first` compares it with the
    first on the holdout cases, only if its version was tested there (`holdout_test`).
    `is_unjudged`: no answer has a score.
    """

    train: MeanRead
    holdout: MeanRead | None
    change: Annotated[TrainingChange | None, BeforeValidator(_without_verdict)]
    train_gain: float | None = None
    against_first: ComparisonVerdict | None
    holdout_test: HoldoutTestRead | None = None
    variants: list[VariantMetrics]
    criteria: list[CriterionMean]
    answers: int
    failed: int
    malformed: int
    safety_findings: int
    unscored: int
    is_unjudged: bool
    execution_tokens: int
    judging_tokens: int
    execution_nanos: int
    judging_nanos: int
    sampling: SamplingRead | None = None


class IterationPhase(Schema):
    """One phase of the timeline."""

    state: IterationState
    began_at: datetime | None
    ended_at: datetime | None


class SuggestionBrief(Schema):
    """`trial_difference` compares it with the version it changes on the training cases, 0 to 1;
    null if it was not tried.
    """

    id: UUID
    number: int
    origin: Literal["refiner", "rubric", "person"]
    state: SuggestionState
    targets: list[str]
    trial_difference: float | None
    decided_at: datetime | None


class RefinementRead(Schema):
    """Results of refining besides suggestions: notes of refiners that proposed no change, failures
    of others, and why the suggestions could not be tried.
    """

    unchanged: list[str]
    failures: list[str]
    trial: str | None = None


class IterationRead(Schema):
    """An iteration. `problem` and `message` say why it failed, is paused, or produced no
    suggestion.
    """

    id: UUID
    experiment_id: UUID
    number: int
    state: IterationState
    problem: str | None
    message: str | None
    version_id: UUID | None
    version_label: str
    run_id: UUID | None
    holdout_run_id: UUID | None
    trial_run_id: UUID | None
    metrics: IterationMetrics | None
    refinement: RefinementRead | None
    suggestions: list[SuggestionBrief]
    cost: CostRead
    tokens: int
    phases: list[IterationPhase]
    actions: list[IterationAction]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class VariantProgress(Schema):
    label: str
    done: int
    cells: int
    failed: int
    waiting: Annotated[str | None, Field(description="Why its calls do not leave at the moment")]


class IterationProgress(Schema):
    """Progress of the iteration's runs."""

    cells: int
    cells_done: int
    scores: int
    scores_done: int
    comparisons: int
    comparisons_done: int
    variants: list[VariantProgress]
    elapsed_seconds: float
    remaining_seconds: float | None


class IterationDetail(IterationRead):
    """An iteration in full. `spent_usd` is the cost of the whole experiment so far, `budget_usd`
    its limit.
    """

    progress: IterationProgress | None
    spent_usd: Usd
    budget_usd: Usd
    max_tokens: int | None
