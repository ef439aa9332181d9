"""Optimizations, their lists and their activity."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from edison.api.schema import Line, Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.states import SuggestionState
from edison.loops.optimizations.schemas.candidates import CandidateSummary
from edison.loops.optimizations.schemas.configs import OptimizationConfig
from edison.loops.optimizations.schemas.rounds import RoundRead, SearchGenerationRead
from edison.loops.optimizations.schemas.verdicts import CheaperModelsRead, FinalistTestRead
from edison.loops.optimizations.states import EntryKind, OptimizationOutcome, OptimizationState
from edison.pipeline.refine.search import SearchStop
from edison.workspace.resources.schemas import ResourceChange, Status

OptimizationName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Better support replies"]),
]


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
    status: Annotated[Status, Field(description="Archived optimizations are hidden")] = "active"
    state: OptimizationState | None = None
    prompt_id: UUID | None = None


class OptimizationReference(Schema):
    """`id` is null once the thing was deleted."""

    id: UUID | None
    name: str


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
    version than the base. `held_usd` is set aside for the test on held-out cases, while that is to
    come.
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
    held_usd: Usd | None
    progress: list[SearchGenerationRead]
    rounds: list[RoundRead]
    candidate_list: list[CandidateSummary]
    candidate_costs: Annotated[
        dict[int, Usd], Field(description="Mean cost of an answer by candidate, where it is known")
    ]
