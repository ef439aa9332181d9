"""Request and response bodies of experiments."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from edison.api.schema import Line, Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.estimates import StepProblemRead
from edison.loops.experiments.schemas.iterations import IterationRead
from edison.loops.experiments.states import ExperimentState
from edison.pipeline.refine.choose import GateState
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead
from edison.workspace.resources.schemas import Status

ExperimentName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Friendlier support replies"]),
]
DraftVersion = Annotated[int, Field(ge=1, lt=2**31, description="The `draft_version` you read")]


class ExperimentRequest(Schema):
    """Creates an experiment. A template fills all steps; models and judges are the project's
    balanced set.
    """

    name: ExperimentName | None = None
    template: Annotated[str, Field(max_length=40, examples=["customer_support"])] | None = None


class DraftSave(Schema):
    """All steps of the wizard, saved even with problems. `step` is the step to continue with."""

    draft_version: DraftVersion
    step: Step
    draft: ExperimentDraft
    name: ExperimentName | None = None


class EstimateRequest(Schema):
    """Without steps, the saved draft is estimated."""

    draft: ExperimentDraft | None = None


class ExperimentChange(Schema):
    name: ExperimentName


class ExperimentCopyRequest(Schema):
    """Without a name, one is generated."""

    name: ExperimentName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentFilter:
    """Filters the project's experiments."""

    state: ExperimentState | None = None
    status: Status = "active"
    prompt_id: UUID | None = None


class StopRead(Schema):
    """Why a completed experiment ended."""

    reason: Annotated[str, Field(examples=["converged"])]
    message: str


class GateRead(Schema):
    """The test of the version that leads on the training cases. `training_gain` is its difference
    from the first version there. `sentence` justifies the best version; null if only one version
    was measured. `looks` counts the tests on these holdout cases in the project.
    """

    state: GateState
    iteration: int
    version_label: str
    training_gain: float
    look: int | None
    alpha: float | None
    looks: int
    sentence: str | None


class BestRead(Schema):
    """The best version: the one that passed the test on holdout cases, otherwise the first. Without
    holdout cases, the one that leads on the training cases.
    """

    iteration: int
    version_id: UUID | None
    version_label: str
    score: float
    basis: Literal["holdout", "train"]
    warnings: list[str]
    gate: GateRead


class ExperimentSummary(Schema):
    """An experiment in a list. `latest` is the composite score of the last finished iteration on
    the training cases; `against_first` is the latest test against the first version on holdout
    cases: of the best version, or of the one that failed.
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
    """A model configuration that later iterations leave out because it is clearly weaker."""

    variant: str
    label: str
    iteration: int
    message: str


class LineageVersion(Schema):
    """A version of the prompt with its scores. `iteration` is null if it was not tested."""

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
    """An experiment in full. `draft` is the editable state, `config` the confirmed one that
    iterations use; `is_changed` says whether they differ. `problems` are those of the draft.
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
    """The saved draft's version and its problems."""

    draft_version: int
    updated_at: datetime
    problems: list[StepProblemRead]


class TemplateRead(Schema):
    """A template of the wizard."""

    key: Annotated[str, Field(examples=["customer_support"])]
    name: str
    description: str
    goal: str
    criteria: list[str]
    cases: int
