"""What an experiment would take, and what keeps it from starting, as programs see it."""

from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.loops.experiments.schemas.drafts import Step
from edison.runs.plan.schemas import EstimatedCost, EstimatedNumber


class StepProblemRead(Schema):
    """Something to mend before the experiment can be confirmed. `field` begins with the step."""

    step: Step
    field: Annotated[str, Field(examples=["objective.goal"])]
    message: str
    code: Annotated[str, Field(examples=["too_short"])]


class IterationEstimate(Schema):
    """One iteration: answers, judging, and suggesting changes."""

    answer_calls: int
    judge_calls: int
    refine_calls: int
    input_tokens: int
    output_tokens: EstimatedNumber
    cost: EstimatedCost
    seconds: EstimatedNumber
    unpriced_models: list[str]


class ExperimentEstimate(Schema):
    """`configurations` are models x `combinations` of parameters, less what was pruned. Of a draft
    with problems the numbers are null.
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
    """Why an iteration cannot start now."""

    code: Annotated[str, Field(examples=["budget_exceeded"])]
    message: str


class Readiness(Schema):
    """`reasons` has everything that is in the way; empty when an iteration can start."""

    is_ready: bool
    reasons: list[ReasonRead]
