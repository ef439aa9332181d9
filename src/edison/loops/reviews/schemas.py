"""Request and response bodies of suggestions and reviews."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from edison.api.schema import CleanText, Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.prompts.schemas import (
    FewShotBody,
    FewShotRead,
    PromptText,
    SystemText,
    VersionReference,
)
from edison.loops.experiments.schemas.suggestions import TrialRead
from edison.loops.experiments.states import SuggestionState
from edison.loops.reviews.models import ReviewDecision
from edison.pipeline.refine.parts import PromptPart
from edison.pipeline.render.template import Syntax

Reason = Annotated[
    CleanText,
    StringConstraints(strip_whitespace=True, max_length=2000),
    Field(examples=["It promises refunds, which we do not give."]),
]
GivenReason = Annotated[
    CleanText,
    StringConstraints(strip_whitespace=True, min_length=3, max_length=2000),
    Field(examples=["It promises refunds, which we do not give."]),
]
Origin = Literal["refiner", "rubric", "person"]


class ApproveRequest(Schema):
    """Approves a suggestion. `may_branch` allows it although the prompt has newer versions than the
    suggestion's base.
    """

    reason: Reason | None = None
    may_branch: bool = False


class RejectRequest(Schema):
    """Rejects a suggestion. The refiner receives the reason."""

    reason: GivenReason


class EditedPrompt(Schema):
    """Parts of a prompt, each whole. Parts left out stay as they are."""

    text: PromptText = ""
    system: SystemText = None
    few_shots: Annotated[list[FewShotBody], Field(max_length=100)] = Field(default_factory=list)

    def parts(self) -> dict[str, Any]:
        """Only those that were given."""
        return self.model_dump(
            mode="json", include=set(EditedPrompt.model_fields), exclude_unset=True
        )


class EditRequest(EditedPrompt):
    """Approves the suggestion with edited parts. Those left out stay as suggested."""

    reason: Reason | None = None
    may_branch: bool = False


class CheckRequest(EditedPrompt):
    """Parts to check. Those left out are checked as suggested, or as the prompt has them."""


class OwnSuggestion(EditedPrompt):
    """Your own edit: the prompt's new parts, and a note on what changed."""

    note: Annotated[
        CleanText, StringConstraints(strip_whitespace=True, min_length=10, max_length=2000)
    ]


class ProposedChange(OwnSuggestion):
    """A change of a prompt outside of experiments. It changes the latest version, or the given
    one.
    """

    version_id: UUID | None = None


class CommentRequest(Schema):
    text: Annotated[
        CleanText, StringConstraints(strip_whitespace=True, min_length=1, max_length=5000)
    ]


class CounterexampleRequest(Schema):
    """A case that the suggestion would fail; it is added to the experiment's dataset."""

    case: CaseRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionFilter:
    """Filters suggestions; pending ones by default."""

    state: SuggestionState | Literal["all"] = SuggestionState.PENDING
    experiment_id: UUID | None = None
    iteration_id: UUID | None = None


class TargetRead(Schema):
    """A criterion that the suggestion should improve, and the prompt's mean on it, 0 to 1."""

    key: str
    name: str
    mean: float | None


class ViolationRead(Schema):
    """A violated guardrail, with the measured and the allowed value."""

    rail: Annotated[str, Field(examples=["length_change"])]
    message: str
    measured: float | None
    allowed: float | None


class ExemplarRead(Schema):
    """An answer that failed on a target; scores and rationales by criterion name."""

    case_position: int
    variant_position: int
    output_id: UUID | None
    inputs: dict[str, Any]
    output: str
    expected: str | None
    tags: list[str]
    weakest: str
    scores: dict[str, float]
    rationales: dict[str, str]


class ReviewRead(Schema):
    """A decision. `reviewer` is null for an automatic approval."""

    decision: ReviewDecision
    reviewer: Annotated[str | None, Field(description="By email")]
    reason: str | None
    version_id: UUID | None
    created_at: datetime


class SuggestionSummary(Schema):
    id: UUID
    experiment_id: Annotated[
        UUID | None, Field(description="Null for a suggestion outside of experiments")
    ]
    experiment_name: str | None
    iteration_id: UUID | None
    iteration_number: int | None
    optimization_id: Annotated[
        UUID | None, Field(description="The optimization whose winner it is")
    ]
    optimization_name: str | None
    prompt_name: Annotated[
        str | None, Field(description="Null if the version it changes was deleted")
    ]
    number: Annotated[int, Field(description="Which of the iteration's candidates it is")]
    origin: Origin
    state: SuggestionState
    note: str
    targets: list[TargetRead]
    violations: list[ViolationRead]
    trial: Annotated[
        TrialRead | None,
        Field(description="On the training cases; null if it was not tried"),
    ]
    author: Annotated[str | None, Field(description="Who wrote it, by email; null for refiners")]
    created_at: datetime
    decided_at: datetime | None
    decided_by: Annotated[str | None, Field(description="By email")]


class PartsRead(Schema):
    """The parts of a prompt that a suggestion may change."""

    text: str
    system: str | None
    few_shots: list[FewShotRead]


class PartChange(Schema):
    """A changed part as text, before and after. Few-shot examples are one text."""

    part: PromptPart
    before: str
    after: str
    diff: str


class SuggestionRead(SuggestionSummary):
    """A suggestion in full. `before` and `after` are the prompt without and with the change, both
    null if the base was deleted; `changes` has the parts that differ, `diff` all of them.
    `variables` are those of all parts of the base. Unless `is_base_latest`, approval requires
    `may_branch`.
    """

    prompt_id: UUID | None
    syntax: Syntax
    variables: list[str]
    base: VersionReference | None
    latest: VersionReference | None
    is_base_latest: bool
    before: PartsRead | None
    after: PartsRead | None
    changes: list[PartChange]
    diff: str
    exemplars: list[ExemplarRead]
    is_repaired: bool
    text_name: str | None
    dataset_id: UUID | None
    review: ReviewRead | None
    comment_count: int


class FieldProblemRead(Schema):
    field: str
    message: str
    code: str


class CheckRead(Schema):
    """The check of an edit. `changes` are the parts that differ from the version that it edits.
    Violations are warnings; problems prevent saving.
    """

    changes: list[PartChange]
    is_unchanged: bool
    violations: list[ViolationRead]
    problems: list[FieldProblemRead]


class DecisionRead(Schema):
    """The result of a decision. `next_iteration_id` is null if the suggestion was rejected or a
    stop rule ended the experiment; `stop_message` says which.
    """

    suggestion: SuggestionRead
    version_id: UUID | None
    next_iteration_id: UUID | None
    stop_message: str | None


class CommentRead(Schema):
    id: UUID
    author: Annotated[str | None, Field(description="By email")]
    text: str
    created_at: datetime


class CounterexampleRead(Schema):
    """The added case. `case_id` is null if the dataset already has such a case."""

    dataset_id: UUID
    case_id: UUID | None
