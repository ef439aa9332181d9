"""Response bodies of estimates and of the readiness check."""

from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.loops.experiments.schemas.drafts import Step
from edison.runs.plan.schemas import BudgetInReach, EstimatedCost, EstimatedNumber


class StepProblemRead(Schema):
    """A problem to fix before the experiment can be confirmed. `field` begins with the step."""

    step: Step
    field: Annotated[str, Field(examples=["objective.goal"])]
    message: str
    code: Annotated[str, Field(examples=["too_short"])]


class StandInRead(Schema):
    """What the numbers assume instead of a step that is not usable yet."""

    step: Step
    message: Annotated[str, Field(examples=["10 cases until you add some."])]


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
    without pruned ones. Steps with problems have `stand_ins`, which `assumptions` repeat; the
    numbers are null while the project has no enabled model.

    `budgets` are those that the experiment would spend from besides its own: `too_small` for one
    iteration, or enough for all of them (`fits`).
    """

    configurations: int
    combinations: int
    train_cases: int | None
    holdout_cases: int | None
    iteration: IterationEstimate | None
    iterations: EstimatedNumber
    cost: EstimatedCost
    seconds: EstimatedNumber
    stand_ins: list[StandInRead]
    budgets: list[BudgetInReach]
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
