"""Request and response bodies of the wizard's assistant."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import CleanText, Schema, Usd
from edison.loops.experiments.schemas.drafts import CriterionDraft, ExperimentDraft

AssistAction = Literal["draft", "improve", "detail", "constrain", "recommend", "prune", "suggest"]


class AssistRequest(Schema):
    """A request to the wizard's assistant. `draft` holds the current steps. Actions by step:
    objective: draft (from `hints`), improve, detail; rubric: draft; prompt: draft, improve,
    constrain; models: recommend, prune; judges: recommend; limits: suggest. Increase `turn` for
    different drafts.
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
    """A proposed text; `reason` explains it."""

    title: str
    text: str
    system: str | None = None
    reason: str = ""


class ModelOption(Schema):
    """A recommended model or, when pruning, a model to leave out."""

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
    """The assistant's proposal. Only fields that belong to the action are set. `model` is the model
    that was called, if any.
    """

    model: str | None = None
    is_simulated: bool = False
    texts: Annotated[list[TextOption], Field(default_factory=list)]
    criteria: Annotated[list[CriterionDraft], Field(default_factory=list)]
    models: Annotated[list[ModelOption], Field(default_factory=list)]
    limits: LimitsOption | None = None
    reasons: Annotated[list[str], Field(default_factory=list)]
