"""The draft of an experiment, step by step.

Limits here are wider than those of a confirmed experiment: incomplete steps can be saved, and
`drafts/checking` reports their problems.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, PlainSerializer, WithJsonSchema

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Line, Schema
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.models.schemas import ParameterValues
from edison.library.prompts.schemas import PromptContent
from edison.pipeline.score.rubric import MOST_CRITERIA, Scale

MOST_INLINE_CASES = 200


class Step(StrEnum):
    """The steps of the wizard, in order. Stored; never rename."""

    OBJECTIVE = "objective"
    RUBRIC = "rubric"
    PROMPT = "prompt"
    DATA = "data"
    MODELS = "models"
    JUDGES = "judges"
    LIMITS = "limits"


_Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
_Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
_Dollars = Annotated[
    Decimal,
    Field(ge=-1_000_000_000, le=1_000_000_000, decimal_places=9, allow_inf_nan=False),
    PlainSerializer(lambda amount: format(amount, "f"), return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^-?\d{1,10}(\.\d{1,9})?$",
            "description": "US dollars; 0.01 to 10,000 when it is confirmed",
            "examples": ["100.00"],
        }
    ),
]


class ObjectiveStep(Schema):
    """The objective of the answers, in Markdown."""

    goal: Annotated[
        CleanText,
        Field(
            max_length=20_000,
            description="20 to 2,000 characters when it is confirmed",
            examples=["Answer customers' questions about parcels kindly and exactly."],
        ),
    ] = ""


class CriterionDraft(Schema):
    """A criterion for judges. Weights sum to 1."""

    name: Annotated[
        CleanText,
        Field(max_length=1000, description="1 to 50 letters and digits", examples=["Empathy"]),
    ] = ""
    description: Annotated[
        CleanText,
        Field(
            max_length=10_000,
            description="10 to 500 characters",
            examples=["Acknowledges how the customer feels."],
        ),
    ] = ""
    weight: Annotated[_Number, Field(description="A share, from 0 to 1", examples=[0.35])] = 0
    scale: Annotated[
        CleanText,
        Field(
            max_length=100,
            description=f"One of {', '.join(Scale)}",
            examples=[Scale.TO_5.value],
        ),
    ] = Scale.TO_5.value


class RubricStep(Schema):
    """Criteria given here become a saved rubric on confirmation. `rubric_version_id` refers to an
    existing one and takes precedence.
    """

    rubric_version_id: UUID | None = None
    criteria: Annotated[
        list[CriterionDraft],
        Field(
            default_factory=list,
            max_length=100,
            description=f"2 to {MOST_CRITERIA} when it is confirmed, with weights that sum to 1",
        ),
    ]


class PromptStep(PromptContent):
    """A prompt given here is added to the library on confirmation. `prompt_id` refers to an
    existing one and takes precedence; without `version_id`, its draft is used.
    """

    prompt_id: UUID | None = None
    version_id: UUID | None = None
    name: Annotated[Line, Field(max_length=200)] = ""


class DataStep(Schema):
    """Cases given here become a dataset on confirmation. `dataset_id` refers to an existing one and
    takes precedence. Holdout cases are never shown to the refiner.
    """

    dataset_id: UUID | None = None
    name: Annotated[Line, Field(max_length=200)] = ""
    cases: Annotated[list[CaseRequest], Field(default_factory=list, max_length=MOST_INLINE_CASES)]
    tag: Annotated[CleanText, Field(max_length=200)] | None = None
    max_train_cases: _Whole | None = None
    max_holdout_cases: _Whole | None = None
    uses_holdout: bool = True


class ModelChoice(Schema):
    """A model to test. Omitted parameters use the model's defaults."""

    model_id: UUID
    parameters: ParameterValues | None = None


class ParameterGrid(Schema):
    """Every combination of these values is tested with every model; an empty list is ignored."""

    temperature: Annotated[list[_Number], Field(default_factory=list, max_length=20)]
    max_tokens: Annotated[list[_Whole], Field(default_factory=list, max_length=20)]
    top_p: Annotated[list[_Number], Field(default_factory=list, max_length=20)]


class ModelsStep(Schema):
    models: Annotated[list[ModelChoice], Field(default_factory=list, max_length=100)]
    grid: ParameterGrid = Field(default_factory=lambda: ParameterGrid.model_validate({}))
    repeats: Annotated[_Whole, Field(description="1 to 20")] = 1


class SafetyChoice(Schema):
    """Safety checks of the answers. `moderation_model_id` is a provider's moderation model."""

    pii: bool = True
    jailbreak: bool = True
    toxicity: bool = False
    moderation_model_id: UUID | None = None
    is_blocking: bool = False


class JudgesStep(Schema):
    """`judges` are models that score every answer on the rubric; a model may be listed several
    times. `scorer_version_ids` are additional saved scorers, weighted by their own weights.
    """

    judges: Annotated[list[UUID], Field(default_factory=list, max_length=100)]
    is_pairwise: bool = False
    pairwise_judge: UUID | None = None
    scorer_version_ids: Annotated[list[UUID], Field(default_factory=list, max_length=20)]
    safety: SafetyChoice = Field(default_factory=SafetyChoice)


class StrategyChoice(Schema):
    """How suggestions are made. `kind` is one of `GET /optimizations/kinds`, `options` are that
    kind's settings, without the refiner and the number of candidates.
    """

    kind: Annotated[CleanText, Field(max_length=40, examples=["refine"])] = "refine"
    options: Annotated[dict[CleanText, AnyJson], Field(default_factory=dict)]


class LimitsStep(Schema):
    """Stop rules, the strategy and the refiner. `max_tokens` null means no limit. By default, the
    first judge is also the refiner.
    """

    max_iterations: Annotated[_Whole, Field(description="1 to 100")] = 10
    min_improvement: Annotated[_Number, Field(description="0 to 1")] = 0.02
    convergence_window: Annotated[_Whole, Field(description="1 to 10")] = 3
    budget_usd: _Dollars = Decimal(100)
    alert_threshold: Annotated[_Number, Field(description="0.5 to 1")] = 0.8
    max_tokens: Annotated[_Whole, Field(description="1 to 10,000,000")] | None = None
    prunes_weak_variants: bool = True
    stops_without_suggestion: bool = True
    is_adaptive: bool = False
    strategy: StrategyChoice = Field(default_factory=lambda: StrategyChoice.model_validate({}))
    refiner_model_id: UUID | None = None
    candidates: Annotated[_Whole, Field(description="1 to 5")] = 2


class ExperimentDraft(Schema):
    """All steps of the wizard. Omitted steps have the wizard's defaults."""

    objective: ObjectiveStep = Field(default_factory=ObjectiveStep)
    rubric: RubricStep = Field(default_factory=lambda: RubricStep.model_validate({}))
    prompt: PromptStep = Field(default_factory=PromptStep)
    data: DataStep = Field(default_factory=lambda: DataStep.model_validate({}))
    models: ModelsStep = Field(default_factory=lambda: ModelsStep.model_validate({}))
    judges: JudgesStep = Field(default_factory=lambda: JudgesStep.model_validate({}))
    limits: LimitsStep = Field(default_factory=LimitsStep)


class StrategyKindRead(Schema):
    """A kind of strategy. `options_schema` is the JSON Schema of its options, without the refiner
    and the number of candidates, which an experiment has itself; `search_schema` has them too, for
    an optimization. `uses_refiner`: it calls a model.
    """

    kind: Annotated[str, Field(examples=["refine"])]
    title: str
    description: str
    uses_refiner: bool
    options_schema: dict[str, Any]
    search_schema: dict[str, Any]
