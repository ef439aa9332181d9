"""What the wizard's assistant is asked, and says."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import CleanText, Schema, Usd
from edison.loops.experiments.schemas.drafts import CriterionDraft, ExperimentDraft

AssistAction = Literal["draft", "improve", "detail", "constrain", "recommend", "prune", "suggest"]


class AssistRequest(Schema):
    """`draft` are the steps as they are. Which actions a step knows: objective: draft (from
    `hints`), improve, detail; rubric: draft; prompt: draft, improve, constrain; models: recommend,
    prune; judges: recommend; limits: suggest. Another `turn` gives other drafts.
    """

    action: AssistAction
    draft: ExperimentDraft = Field(default_factory=ExperimentDraft)
    hints: Annotated[
        CleanText, Field(max_length=4000, examples=["replies to customers, friendly"])
    ] = ""
    model_id: UUID | None = None
    experiment_id: UUID | None = None
    turn: Annotated[int, Field(ge=0, le=1000)] = 0


class TextOption(Schema):
    """A text to choose; `reason` says what is special about it."""

    title: str
    text: str
    system: str | None = None
    reason: str = ""


class ModelOption(Schema):
    """A model that is recommended or, when pruning, to be left out."""

    model_id: UUID
    name: str
    reason: str


class LimitsOption(Schema):
    max_iterations: int
    min_improvement: float
    convergence_window: int
    budget_usd: Usd | None
    alert_threshold: float
    is_adaptive: bool


class AssistRead(Schema):
    """Only what the action is about is filled in. `model` is who was asked, if anybody was."""

    model: str | None = None
    is_simulated: bool = False
    texts: Annotated[list[TextOption], Field(default_factory=list)]
    criteria: Annotated[list[CriterionDraft], Field(default_factory=list)]
    models: Annotated[list[ModelOption], Field(default_factory=list)]
    limits: LimitsOption | None = None
    reasons: Annotated[list[str], Field(default_factory=list)]
