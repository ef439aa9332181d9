"""Schemas of the scorer endpoints."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from edison.api.json_values import JsonObject
from edison.api.schema import Line, Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.scorer import CostClass, ScorerGroup
from edison.workspace.resources.schemas import (
    Description,
    ResourceChange,
    SavedVersionRead,
    SavedVersionReference,
    Status,
)

Name = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=100,
        description="One line, unique in the project",
        examples=["Answers the question"],
    ),
]
ScorerDescription = Annotated[
    Description, Field(examples=["Whether the reply says where the parcel is"])
]
VersionNumber = Annotated[int, Field(ge=1, lt=2**31, description="Of the version that you read")]


class ScorerSettings(Schema):
    """`options` depend on the kind. With `is_negated`, the value is inverted. A score of at least
    `threshold` counts as passed. With `rubric_version_id`, the criteria in `options` are those of
    that rubric.
    """

    options: Annotated[JsonObject, Field(default_factory=dict, examples=[{"phrases": ["parcel"]}])]
    rubric_version_id: UUID | None = None
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    weight: Annotated[float, Field(ge=0, le=1000)] = 1
    is_negated: bool = False


class InlineScorer(ScorerSettings):
    """A scorer that is not saved."""

    kind: Annotated[str, Field(max_length=40, examples=["contains"])]


class SavedScorerRequest(InlineScorer):
    name: Name
    description: ScorerDescription = None


class NamedChange(ResourceChange):
    """Fields left out are not changed."""

    name: Name | None = None
    description: ScorerDescription = None


class NamedCopyRequest(Schema):
    """`name` defaults to a free one."""

    name: Name | None = None


class ScorerVersionRequest(ScorerSettings):
    """`based_on` is the number of the version you changed; refused when another version was saved
    since.
    """

    based_on: VersionNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerFilter:
    """Filters of a project's scorers."""

    kind: Annotated[str | None, Field(max_length=40)] = None
    cost_class: CostClass | None = None
    status: Status = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricFilter:
    """Filters of a project's rubrics."""

    status: Status = "active"


class ScorerKindRead(Schema):
    """A kind of scorer. `example` is a case with its score, in a sentence. `options_schema` is the
    JSON Schema of its options. `takes_rubric`: its criteria may come from a saved rubric.
    `obstacle` is the reason if it cannot be used on this machine.
    """

    kind: str
    title: str
    description: str
    group: ScorerGroup
    example: str
    cost_class: str
    needs_expected: bool
    takes_rubric: bool
    obstacle: str | None
    options_schema: dict[str, Any]


class RubricReference(Schema):
    """The rubric that a scorer's criteria came from; `latest` is its newest version."""

    rubric_id: UUID
    name: str
    version: SavedVersionReference
    latest: SavedVersionReference


class SavedScorerSummary(Schema):
    """`run_count`: number of runs that used it, in any version."""

    id: UUID
    name: str
    description: str | None
    kind: str
    kind_title: str
    cost_class: CostClass
    needs_expected: bool
    threshold: float | None
    weight: float
    is_negated: bool
    latest: SavedVersionReference
    rubric: RubricReference | None
    run_count: int
    author: Annotated[str | None, Field(description="Who made the latest version, by email")]
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


class SavedScorerRead(SavedScorerSummary):
    options: dict[str, Any]


class ScorerVersionRead(SavedVersionRead):
    options: dict[str, Any]
    threshold: float | None
    weight: float
    is_negated: bool
    rubric_version_id: UUID | None
