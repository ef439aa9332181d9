"""Values for the form of a new optimization, and the estimate beside it."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.optimizations.schemas.configs import (
    DEFAULT_OPTIMIZATION_BUDGET_USD,
    OptimizationModelChoice,
    OptimizationStrategy,
)
from edison.pipeline.refine.search import WORTHWHILE
from edison.runs.plan.schemas import EstimatedCost, ScorerRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizationSource:
    """What the form of a new optimization is filled from. Without any, it is empty."""

    prompt_id: UUID | None = None
    run_id: UUID | None = None
    experiment_id: UUID | None = None
    optimization_id: UUID | None = None


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
