"""What one may ask of runs."""

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from fastapi import Query
from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from edison.api.schema import CleanText, Line, Schema
from edison.library.datasets.schemas import SelectionFilter
from edison.library.models.schemas import ParameterValues
from edison.pipeline.score.safety.numbers import Country
from edison.pipeline.score.safety.pii import SURE_KINDS, PiiKind
from edison.runs.engine.states import RunState

MOST_VARIANTS = 32
MOST_SCORERS = 20
MOST_COMPARERS = 3
MOST_COMPARISONS = 200_000
MOST_REPEATS = 20
MOST_CELLS = 200_000
LONGEST_NAME = 200

Name = Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]
Label = Annotated[Line, Field(min_length=1, max_length=100)]


class VariantRequest(Schema):
    """One way to answer. Without `version_id` the prompt's draft is used, and becomes a version if
    it was changed. `fallback_model_id` is asked when the model fails for good.
    """

    prompt_id: UUID
    version_id: UUID | None = None
    model_id: UUID
    parameters: ParameterValues | None = None
    fallback_model_id: UUID | None = None
    label: Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)] | None = None


class ScorerRequest(Schema):
    """`kind` is one of `GET /scorers/kinds`; `options` are what that kind asks for. With
    `is_negated` a high value becomes a low one. From `threshold` on a score counts as passed.
    `scorer_version_id` names a version of a saved scorer instead, from which everything but label
    and weight is taken.
    """

    kind: Annotated[str | None, Field(max_length=40, examples=["exact"])] = None
    scorer_version_id: UUID | None = None
    label: Label | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict)]
    weight: Annotated[float, Field(ge=0, le=1000)] = 1
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    is_negated: bool = False

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.kind is None) == (self.scorer_version_id is None):
            raise ValueError("Name a kind of scorer, or a version of a saved one.")
        has_own = bool(self.options) or self.threshold is not None or self.is_negated
        if self.scorer_version_id is not None and has_own:
            raise ValueError("A saved scorer brings its own options, threshold and negation.")
        return self


class ComparerRequest(Schema):
    """`kind` is one of `GET /comparers/kinds`; `options` are what that kind asks for. With
    `baseline`, the place of a variant in the request, every other variant is compared with that
    one, and otherwise all are compared with each other.
    """

    kind: Annotated[str, Field(max_length=40, examples=["pairwise_judge"])]
    label: Label | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict)]
    baseline: Annotated[int, Field(ge=0, lt=MOST_VARIANTS)] | None = None


class CaseChoice(Schema):
    """Which cases of the dataset: those named, or those that match, and at most `limit` of them."""

    case_ids: Annotated[list[UUID], Field(min_length=1, max_length=10_000)] | None = None
    filter: SelectionFilter | None = None
    limit: Annotated[int, Field(ge=1, le=100_000)] | None = None


class PiiRedaction(Schema):
    """Which personal data is taken out of answers, and out of what judges say, before anything is
    stored: `[EMAIL]` stands in its place. Without `region`, only phone numbers with a + are found;
    `allowed` stays, be it whole or all addresses of a domain (`@example.com`).
    """

    kinds: Annotated[
        list[PiiKind], Field(default_factory=lambda: list(SURE_KINDS), min_length=1, max_length=20)
    ]
    region: Annotated[str, Field(pattern=r"^[A-Z]{2}$", examples=["US"])] | None = None
    countries: Annotated[list[Country], Field(default_factory=lambda: ["US"], max_length=20)]
    allowed: Annotated[
        list[Annotated[Line, Field(min_length=1, max_length=200)]],
        Field(default_factory=list, max_length=200),
    ]


class RunRequest(Schema):
    """Variants x cases x repeats. Cases come from a dataset, or are given as `inputs`; a prompt
    without variables needs neither. `expected` has the right answer to each row of `inputs`.
    """

    name: Name | None = None
    variants: Annotated[list[VariantRequest], Field(min_length=1, max_length=MOST_VARIANTS)]
    dataset_id: UUID | None = None
    cases: CaseChoice | None = None
    inputs: Annotated[list[dict[CleanText, Any]], Field(min_length=1, max_length=100)] | None = None
    expected: Annotated[list[str | None], Field(min_length=1, max_length=100)] | None = None
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    scorers: Annotated[list[ScorerRequest], Field(default_factory=list, max_length=MOST_SCORERS)]
    comparers: Annotated[
        list[ComparerRequest], Field(default_factory=list, max_length=MOST_COMPARERS)
    ]
    is_cache_bypassed: bool = False
    redact_pii: PiiRedaction | None = None
    failed_count_zero: Annotated[
        bool,
        Field(description="Score failed answers 0; otherwise they are missing and left out"),
    ] = False

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if self.dataset_id is not None and self.inputs is not None:
            raise ValueError("Choose a dataset or give inputs, not both.")
        if self.cases is not None and self.dataset_id is None:
            raise ValueError("Cases can only be chosen from a dataset.")
        if self.expected is not None and self.dataset_id is not None:
            raise ValueError("The cases of a dataset bring their expected answers.")
        if self.expected is not None and len(self.expected) != len(self.rows):
            raise ValueError("Give an expected answer, or null, for each row of inputs.")
        return self

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What is asked where there is no dataset."""
        return self.inputs or [{}]


class AgainRequest(Schema):
    """Without `is_cache_bypassed`, answers that are still kept are given again, at no cost."""

    is_cache_bypassed: bool = False


class RunChange(Schema):
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs to show; everything given must hold. `q` of the page searches names."""

    state: Annotated[RunState | None, Query()] = None
    origin: Annotated[str | None, Query(max_length=20)] = None
    prompt_id: Annotated[UUID | None, Query()] = None
    model_id: Annotated[UUID | None, Query()] = None
    dataset_id: Annotated[UUID | None, Query()] = None
    author_id: Annotated[UUID | None, Query()] = None
    is_active: Annotated[bool | None, Query(description="Only those that are not over yet")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFilter:
    """Which outputs of a run to show; everything given must hold. The score is the one that counts:
    people's mean, or else the scorers' by their weights.
    """

    status: Annotated[Literal["ok", "error", "malformed"] | None, Query()] = None
    min_score: Annotated[float | None, Query(ge=0, le=1)] = None
    max_score: Annotated[float | None, Query(ge=0, le=1)] = None
    is_human: Annotated[bool | None, Query(description="Whether people have scored it")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Which rows of a run to show: those where everything given holds for some cell."""

    status: Annotated[
        str | None,
        Query(
            pattern="^(ok|error|malformed)(,(ok|error|malformed)){0,2}$",
            description="Some cell has it; several with commas between them",
            examples=["error,malformed"],
        ),
    ] = None
    min_score: Annotated[
        float | None, Query(ge=0, le=1, description="Some cell's grade is at least this")
    ] = None
    max_score: Annotated[
        float | None, Query(ge=0, le=1, description="Some cell's grade is at most this")
    ] = None
    q: Annotated[
        CleanText | None,
        Query(max_length=200, description="Found in inputs, the expected answer, answers, errors"),
    ] = None

    @property
    def statuses(self) -> tuple[str, ...]:
        return tuple(self.status.split(",")) if self.status else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrder:
    """By a figure of the variant at a position, the lowest first, or falling."""

    figure: str
    variant: int
    is_falling: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpan:
    """Which of these rows: the next ones after a position, in the order of the cases or of what
    one variant made of them.
    """

    after: Annotated[int, Query(ge=-1, description="`next` of the rows before")] = -1
    limit: Annotated[int, Query(ge=1, le=200)] = 50
    sort: Annotated[
        str | None,
        Query(
            pattern=r"^-?(grade|tokens|cost|latency)\.\d{1,3}$",
            description="A figure and the position of a variant; `-` in front: the highest first",
            examples=["-grade.0"],
        ),
    ] = None

    @property
    def order(self) -> RowOrder | None:
        if self.sort is None:
            return None
        figure, _, variant = self.sort.removeprefix("-").partition(".")
        return RowOrder(figure=figure, variant=int(variant), is_falling=self.sort.startswith("-"))
