"""Response bodies of estimates and of the readiness check."""

from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.loops.experiments.schemas.drafts import Step
from edison.runs.plan.schemas import EstimatedCost, EstimatedNumber


class StepProblemRead(Schema):
    """A problem to fix before the experiment can be confirmed. `field` begins with the step."""

    step: Step
    field: Annotated[str, Field(examples=["objective.goal"])]
    message: str
    code: Annotated[str, Field(examples=["too_short"])]


class IterationEstimate(Schema):
    """The estimate of one iteration: answers, judging and refining."""

    answer_calls: int
    judge_calls: int
    refine_calls: int
    input_tokens: int
    output_tokens: EstimatedNumber
    cost: EstimatedCost
    seconds: EstimatedNumber
    unpriced_models: list[str]


class ExperimentEstimate(Schema):
    """The estimate of an experiment. `configurations` are models x parameter `combinations`,
    without pruned ones. The numbers are null while the draft has problems.
    """

    configurations: int
    combinations: int
    train_cases: int | None
    holdout_cases: int | None
    iteration: IterationEstimate | None
    iterations: EstimatedNumber
    cost: EstimatedCost
    seconds: EstimatedNumber
    assumptions: list[str]
    problems: list[StepProblemRead]


class ReasonRead(Schema):
    """A reason why an iteration cannot start."""

    code: Annotated[str, Field(examples=["budget_exceeded"])]
    message: str


class Readiness(Schema):
    """Whether an iteration can start. `reasons` lists everything against it."""

    is_ready: bool
    reasons: list[ReasonRead]
