"""Bodies of the routes for experiments as a whole."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from pydantic import Field, StringConstraints

from edison.api.schema import Line, Schema, Usd
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.estimates import StepProblemRead
from edison.loops.experiments.schemas.iterations import IterationRead
from edison.loops.experiments.states import ExperimentState
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead

ExperimentName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Friendlier support replies"]),
]
DraftVersion = Annotated[int, Field(ge=1, lt=2**31, description="The `draft_version` you read")]


class ExperimentRequest(Schema):
    """A template fills all steps; models and judges are the project's balanced set."""

    name: ExperimentName | None = None
    template: Annotated[str, Field(max_length=40, examples=["customer_support"])] | None = None


class DraftSave(Schema):
    """All steps as they are in the wizard. They are kept even with problems; `step` is where
    somebody goes on later.
    """

    draft_version: DraftVersion
    step: Step
    draft: ExperimentDraft
    name: ExperimentName | None = None


class EstimateRequest(Schema):
    """Without steps, those that were saved last are meant."""

    draft: ExperimentDraft | None = None


class ExperimentChange(Schema):
    name: ExperimentName


class CopyRequest(Schema):
    """Without a name the copy gets one."""

    name: ExperimentName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentFilter:
    """Which of a project's experiments to list."""

    state: Annotated[ExperimentState | None, Query()] = None
    status: Annotated[Literal["active", "archived", "all"], Query()] = "active"
    prompt_id: Annotated[UUID | None, Query()] = None


class StopRead(Schema):
    """Why a completed experiment ended."""

    reason: Annotated[str, Field(examples=["converged"])]
    message: str


class BestRead(Schema):
    """The version that did best: on cases that were held out, if there are any."""

    iteration: int
    version_id: UUID | None
    version_label: str
    score: float
    basis: Literal["holdout", "train"]
    warnings: list[str]


class ExperimentSummary(Schema):
    """`latest` is the composite of the last finished iteration, on the cases learned from;
    `against_first` compares the best iteration with the first.
    """

    id: UUID
    name: str
    state: ExperimentState
    goal: str
    author: Annotated[str | None, Field(description="By email")]
    template: str | None
    prompt_id: UUID | None
    dataset_id: UUID | None
    iteration_count: int
    max_iterations: int
    latest: MeanRead | None
    best: BestRead | None
    against_first: ComparisonVerdict | None
    waiting_suggestions: int
    cost_usd: Usd
    budget_usd: Usd
    is_simulated: Annotated[bool, Field(description="Of the best iteration")]
    stop: StopRead | None
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    archived_at: datetime | None


class PrunedRead(Schema):
    """A way of answering that is left out since an iteration, as it is evidently weaker."""

    variant: str
    label: str
    iteration: int
    message: str


class LineageVersion(Schema):
    """A version of the prompt, and how it did. `iteration` is null while it was not tested."""

    version_id: UUID
    parent_id: UUID | None
    label: Annotated[str, Field(examples=["v3"])]
    changelog: str | None
    created_at: datetime
    is_production: bool
    iteration: int | None
    train: MeanRead | None
    holdout: MeanRead | None
    is_best: bool


class ExperimentDetail(ExperimentSummary):
    """`draft` is what is edited, `config` what iterations use since it was last confirmed. With
    `is_changed` the two differ. `problems` are the draft's.
    """

    step: Step
    draft_version: int
    draft: ExperimentDraft
    config: ExperimentDraft | None
    is_changed: bool
    is_editable: bool
    problems: list[StepProblemRead]
    version_id: UUID | None
    rubric_version_id: UUID | None
    confirmed_at: datetime | None
    tokens: int
    pruned: list[PrunedRead]
    iterations: list[IterationRead]
    lineage: list[LineageVersion]


class DraftSaved(Schema):
    """What was saved, and what is still wrong with it."""

    draft_version: int
    updated_at: datetime
    problems: list[StepProblemRead]


class TemplateRead(Schema):
    """What the wizard can begin with."""

    key: Annotated[str, Field(examples=["customer_support"])]
    name: str
    description: str
    goal: str
    criteria: list[str]
    cases: int
