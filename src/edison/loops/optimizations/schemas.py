"""Request and response bodies of optimizations."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import Field, StringConstraints

from edison.api.schema import CleanText, Line, Schema, Usd
from edison.library.models.schemas import ParameterValues
from edison.library.prompts.schemas import FewShotRead
from edison.loops.experiments.states import SuggestionState
from edison.loops.optimizations.states import (
    CandidateOrigin,
    CandidateState,
    EntryKind,
    OptimizationOutcome,
    OptimizationState,
    RoundKind,
)
from edison.loops.optimizations.verdicts import CheaperModelsRead, FinalistTestRead
from edison.pipeline.refine.search import WORTHWHILE, SearchStop
from edison.pipeline.refine.suggestion import Operator
from edison.runs.plan.schemas import EstimatedCost, ScorerRequest
from edison.workspace.resources.schemas import ResourceChange, Status

MOST_SEED = 2**31 - 1
DEFAULT_OPTIMIZATION_BUDGET_USD = Decimal("5.00")

OptimizationName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Better support replies"]),
]


class OptimizationModelChoice(Schema):
    """A model that answers the cases, with parameters."""

    model_id: UUID
    parameters: ParameterValues | None = None


class OptimizationStrategy(Schema):
    """`kind` is one of `GET …/optimizations/kinds`, `options` are that kind's settings. A strategy
    that calls a model names it in `options.model_id`.
    """

    kind: Annotated[str, Field(max_length=40, examples=["evolve"])] = "evolve"
    options: Annotated[dict[str, Any], Field(default_factory=dict)]


class OptimizationConfig(Schema):
    """An optimization without its name. Candidates are chosen on the training cases of the dataset;
    the one chosen is tested once on the held-out cases. Without `version_id`, the latest version of
    the prompt is improved.
    """

    prompt_id: UUID
    version_id: UUID | None = None
    dataset_id: UUID
    goal: Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=2000)] = ""
    models: Annotated[list[OptimizationModelChoice], Field(min_length=1, max_length=4)]
    cheaper_models: Annotated[
        list[OptimizationModelChoice],
        Field(
            default_factory=list,
            max_length=4,
            description="Models to test on held-out cases against the only one of `models`: the "
            "cheapest that is shown to be as good is recommended",
        ),
    ]
    scorers: Annotated[list[ScorerRequest], Field(min_length=1, max_length=20)]
    strategy: OptimizationStrategy = Field(
        default_factory=lambda: OptimizationStrategy.model_validate({})
    )
    generations: Annotated[int, Field(ge=1, le=50)] = 5
    patience: Annotated[
        int, Field(ge=1, le=50, description="Generations without a better candidate")
    ] = 3
    target_score: Annotated[
        float | None, Field(gt=0, le=1, description="Mean training score that ends the search")
    ] = None
    min_gain: Annotated[
        float, Field(ge=0, le=0.5, description="The smallest worthwhile gain on held-out cases")
    ] = WORTHWHILE
    max_train_cases: Annotated[int, Field(ge=5, le=1000)] = 100
    max_holdout_cases: Annotated[int, Field(ge=7, le=2000)] = 200
    budget_usd: Annotated[Usd, Field(gt=0)] = DEFAULT_OPTIMIZATION_BUDGET_USD
    seed: Annotated[
        int | None, Field(ge=0, le=MOST_SEED, description="Null draws one; equal seeds repeat")
    ] = None


class OptimizationRequest(OptimizationConfig):
    name: OptimizationName


class OptimizationChange(ResourceChange):
    """Renames an optimization. Duplicate it to change anything else."""

    name: OptimizationName | None = None


class OptimizationCopyRequest(Schema):
    """Without a name, one is generated. The copy is a draft with the same seed."""

    name: OptimizationName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizationFilter:
    status: Annotated[Status, Query(description="Archived optimizations are hidden")] = "active"
    state: Annotated[OptimizationState | None, Query()] = None
    prompt_id: Annotated[UUID | None, Query()] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizationSource:
    """What the form of a new optimization is filled from. Without any, it is empty."""

    prompt_id: Annotated[UUID | None, Query()] = None
    run_id: Annotated[UUID | None, Query()] = None
    experiment_id: Annotated[UUID | None, Query()] = None
    optimization_id: Annotated[UUID | None, Query()] = None


class OptimizationDraft(Schema):
    """Values for the form of a new optimization; what is null or empty is left to the user.
    `problems` say what could not be filled in.
    """

    name: str
    prompt_id: UUID | None = None
    version_id: UUID | None = None
    dataset_id: UUID | None = None
    goal: str = ""
    models: Annotated[list[OptimizationModelChoice], Field(default_factory=list)]
    cheaper_models: list[OptimizationModelChoice] = Field(default_factory=list)
    scorers: Annotated[list[ScorerRequest], Field(default_factory=list)]
    strategy: OptimizationStrategy = Field(
        default_factory=lambda: OptimizationStrategy.model_validate({})
    )
    generations: int = 5
    patience: int = 3
    target_score: float | None = None
    min_gain: float = WORTHWHILE
    max_train_cases: int = 100
    max_holdout_cases: int = 200
    budget_usd: Usd = DEFAULT_OPTIMIZATION_BUDGET_USD
    seed: int | None = None
    problems: Annotated[list[str], Field(default_factory=list)]


class OptimizationEstimate(Schema):
    """The plan and its cost. `generation` is one generation of `candidates_per_generation`,
    `baseline` measures the base and the stated rubric, `gate` is the test on held-out cases, which
    is set aside. `affordable_generations` fit into the budget besides baseline and gate, at the
    high end; `limited_by` names a budget of the project that allows fewer than the optimization's
    own. `looks` counts tests on these held-out cases so far; `alpha` is what the next one has.
    """

    train_cases: int
    holdout_cases: int
    candidates_per_generation: int
    generations: int
    affordable_generations: int
    baseline: EstimatedCost
    generation: EstimatedCost
    gate: EstimatedCost
    total: EstimatedCost
    looks: int
    alpha: float
    fits_budget: bool
    limited_by: str | None


class OptimizationReference(Schema):
    """`id` is null once the thing was deleted."""

    id: UUID | None
    name: str


class EliminationRead(Schema):
    """Why a candidate was dropped: `rival` was better by `-difference` on `cases` shared cases."""

    rival: int
    difference: float
    cases: int
    p_value: float
    alpha: float


class CandidateSummary(Schema):
    """A candidate; number 0 is the base ("no change"). `mean` is over its training cases, `gain`
    the mean difference from the base on shared cases, with its 95 % interval.
    """

    number: int
    generation: int
    origin: CandidateOrigin
    operator: Operator | None
    state: CandidateState
    parents: list[int]
    note: str
    mean: float | None
    gain: float | None
    gain_low: float | None
    gain_high: float | None
    cases: int
    elimination: EliminationRead | None


class PromptPartsRead(Schema):
    """The parts of a prompt that strategies may change."""

    text: str
    system: str | None
    few_shots: list[FewShotRead]


class CaseScoreRead(Schema):
    """The scores of a training case: the candidate's and the base's. `inputs` is null if the case
    was deleted or changed meanwhile.
    """

    key: str
    case_id: UUID | None
    inputs: dict[str, Any] | None
    score: float
    base: float | None


class CandidateRead(CandidateSummary):
    """A candidate in full. `text`, `system` and `few_shots` are the whole prompt, `base` that of
    the base, `diff` is against it. `scores` are by the key of the training case; `case_scores` are
    the same with their cases, the greatest losses first.
    """

    text: str
    system: str | None
    few_shots: list[FewShotRead]
    base: PromptPartsRead
    diff: str
    targets: list[str]
    scores: dict[str, float]
    case_scores: list[CaseScoreRead]


class RoundRead(Schema):
    """Candidates measured together. `done_count` of `cell_count` answers of its run exist."""

    number: int
    kind: RoundKind
    generation: int
    stage: int
    candidates: list[int]
    cases: int
    run_id: UUID | None
    run_state: str | None
    done_count: int
    cell_count: int
    cost_usd: Usd
    created_at: datetime
    ended_at: datetime | None


class SearchGenerationRead(Schema):
    """The best candidate so far after a generation; `low` and `high` are the 95 % interval of its
    mean.
    """

    generation: int
    best: int
    mean: float | None
    low: float | None
    high: float | None
    candidates: int
    dropped: int


class OptimizationEntryRead(Schema):
    """A line of the activity. `data` are the figures of its kind."""

    kind: EntryKind
    data: dict[str, Any]
    created_at: datetime


class OptimizationSummary(Schema):
    """`generation` is the last one that was begun. `reason` and `message` say why it is paused or
    failed.
    """

    id: UUID
    name: str
    state: OptimizationState
    outcome: OptimizationOutcome | None
    stop_reason: SearchStop | None
    prompt: OptimizationReference
    version_id: UUID | None
    version_label: str
    dataset: OptimizationReference | None
    strategy: str
    generation: int
    generations: int
    candidates: int
    gate: FinalistTestRead | None
    budget_usd: Usd | None
    cost_usd: Usd
    reason: str | None
    message: str | None
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    archived_at: datetime | None


class OptimizationDetail(OptimizationSummary):
    """An optimization with its rounds and candidates. `is_base_latest`: the prompt has no newer
    version than the base.
    """

    author: str | None
    config: OptimizationConfig
    seed: int
    train_cases: int | None
    holdout_cases: int | None
    finalist: int | None
    model_choice: CheaperModelsRead | None
    suggestion_id: UUID | None
    suggestion_state: SuggestionState | None
    is_base_latest: bool
    progress: list[SearchGenerationRead]
    rounds: list[RoundRead]
    candidate_list: list[CandidateSummary]
    candidate_costs: Annotated[
        dict[int, Usd], Field(description="Mean cost of an answer by candidate, where it is known")
    ]
