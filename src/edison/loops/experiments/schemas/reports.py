"""Response bodies of experiment reports and comparisons."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.library.prompts.schemas import FewShotRead, ToolRead
from edison.loops.experiments.schemas.experiments import (
    BestRead,
    ExperimentSummary,
    LineageVersion,
    PrunedRead,
    StopRead,
)
from edison.loops.experiments.schemas.iterations import (
    CostRead,
    CriterionMean,
    HoldoutTestRead,
    TrainingChange,
    VariantMetrics,
)
from edison.loops.experiments.states import ExperimentState, IterationState
from edison.pipeline.refine.parts import PromptPart
from edison.pipeline.render.template import Syntax
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead


class TrendPoint(Schema):
    """One iteration of the trend. `change` is the difference from the previous one on the training
    cases, which is no test; `against_first` compares it with the first on the holdout cases, if its
    version was tested there.
    """

    iteration: int
    state: IterationState
    version_id: UUID | None
    version_label: str
    train: MeanRead | None
    holdout: MeanRead | None
    change: TrainingChange | None
    against_first: ComparisonVerdict | None
    holdout_test: HoldoutTestRead | None
    cost: CostRead
    tokens: int
    seconds: float | None
    problem: str | None
    message: str | None


class CriterionChange(Schema):
    """A criterion's means in the first and in the best iteration, 0 to 1."""

    name: str
    weight: float
    first: float | None
    best: float | None


class TokensRead(Schema):
    """Tokens by phase. Cached answers count as zero."""

    execution: int
    judging: int
    refining: int
    total: int


class RecommendedModel(Schema):
    """The model recommended for production, with the reason."""

    label: str
    model_id: UUID | None
    model_name: str
    score: MeanRead
    cost_per_answer_usd: Usd | None
    parameters: Annotated[dict[str, Any], Field(description="As sent with every call")]
    reasons: list[str]


class WeaknessRead(Schema):
    """A criterion on which the best version still scores low."""

    name: str
    mean: float
    message: str


class DecisionSummary(Schema):
    """A suggestion with its decision."""

    iteration: int
    number: int
    origin: str
    state: str
    parts: Annotated[list[PromptPart], Field(description="The parts of the prompt that it changes")]
    note: str
    reason: str | None
    decided_at: datetime | None
    decided_by: Annotated[
        str | None,
        Field(description="By email; null without a review", examples=["ada@example.org"]),
    ]
    version_id: UUID | None


class PromptParts(Schema):
    """All parts of a prompt version."""

    syntax: Syntax
    system: str | None
    text: str
    few_shots: list[FewShotRead]
    tools: list[ToolRead]


class ExperimentReport(Schema):
    """The report of an experiment. `against_first` is the test of the leading version against the
    first on the holdout cases. `elapsed_seconds` spans the first start to the last end, including
    time in review; `working_seconds` excludes it.
    """

    id: UUID
    name: str
    project: str
    people: Annotated[
        list[str],
        Field(description="Author and reviewers, by email", examples=[["ada@example.org"]]),
    ]
    changed_at: datetime
    state: ExperimentState
    goal: str
    stop: StopRead | None
    iterations: int
    cost: CostRead
    tokens: TokensRead
    elapsed_seconds: float
    working_seconds: float
    best: BestRead | None
    best_prompt: Annotated[PromptParts | None, Field(description="The best version")]
    best_text: Annotated[
        str | None, Field(description="The best version as one text, examples and tools included")
    ]
    first_text: str | None
    diff: Annotated[str, Field(description="From the first version to the best one")]
    against_first: ComparisonVerdict | None
    trend: list[TrendPoint]
    criteria: list[CriterionChange]
    variants: Annotated[list[VariantMetrics], Field(description="Of the best iteration")]
    pruned: list[PrunedRead]
    recommended: RecommendedModel | None
    weaknesses: list[WeaknessRead]
    next_steps: list[str]
    decisions: list[DecisionSummary]
    lineage: list[LineageVersion]
    is_simulated: bool


class ExperimentSide(Schema):
    """One of two compared experiments."""

    summary: ExperimentSummary
    criteria: Annotated[list[CriterionMean], Field(description="Of the best iteration")]
    variants: list[VariantMetrics]
    trend: list[TrendPoint]


class ExperimentComparison(Schema):
    """A comparison of two experiments. `verdict` compares their best iterations on shared cases:
    holdout cases if there are any, otherwise training cases. Null if they share no cases or no
    model configuration.
    """

    left: ExperimentSide
    right: ExperimentSide
    verdict: ComparisonVerdict | None
    basis: Annotated[str | None, Field(examples=["holdout"])]
    differences: Annotated[list[str], Field(description="What else differs between the two")]
