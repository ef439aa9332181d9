"""Schemas of the dataset and case endpoints."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from edison.api.schema import CleanText, Line, Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import LONGEST_TAG, MOST_TAGS, CaseContents, Origin, Split
from edison.workspace.resources.schemas import Description

MOST_SELECTED = 10_000

Name = Annotated[Line, StringConstraints(min_length=1, max_length=100), Field(examples=["Golden"])]


def _none_if_blank(value: str | None) -> str | None:
    return value or None


DatasetDescription = Annotated[
    Description, Field(examples=["Questions our support team answers every day"])
]
HoldoutPercent = Annotated[
    int, Field(ge=0, le=100, description="Share of new cases that is held out")
]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TAG)]
Tags = Annotated[list[Tag], Field(max_length=MOST_TAGS, examples=[["billing"]])]
DatasetTags = Annotated[
    Tags, Field(description="Of the dataset itself; cases have their own", examples=[["support"]])
]
Difficulty = Annotated[int, Field(ge=1, le=5)]
Inputs = Annotated[
    dict[str, Any],
    Field(
        description="Variable -> value of any JSON type",
        examples=[{"question": "Where is my order?"}],
    ),
]
# `contents.py` validates texts; schemas only limit their length.
Notes = Annotated[str | None, AfterValidator(_none_if_blank)]


class DatasetRequest(Schema):
    name: Name
    kind: Origin = Origin.MANUAL
    description: DatasetDescription = None
    tags: DatasetTags = Field(default_factory=list)
    holdout_percent: HoldoutPercent = 20


class DatasetChange(Schema):
    """Fields left out are not changed."""

    name: Name | None = None
    kind: Origin | None = None
    description: DatasetDescription = None
    tags: DatasetTags | None = None
    holdout_percent: HoldoutPercent | None = None
    is_archived: bool | None = None


class BulkChangeRead(Schema):
    """The last bulk change, which `undo` reverts."""

    change_id: UUID
    action: Literal[
        "add_tags", "remove_tags", "replace_tags", "set_split", "delete", "import", "add"
    ]
    count: int
    author_id: UUID | None
    created_at: datetime


class DatasetRead(Schema):
    id: UUID
    name: Name
    kind: Origin
    description: str | None
    tags: Annotated[list[str], Field(description="Of the dataset itself")]
    holdout_percent: int
    case_count: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    last_used_at: Annotated[
        datetime | None, Field(description="When a model was last shown its cases")
    ]


class DatasetDetail(DatasetRead):
    last_change: BulkChangeRead | None


class VariableRead(Schema):
    name: str
    cases: Annotated[int, Field(description="How many cases have the variable")]


class FacetRead(Schema):
    value: str
    cases: int


class FacetsRead(Schema):
    """Number of cases per property, for filters."""

    total: int
    with_expected: int
    tags: list[FacetRead]
    splits: list[FacetRead]
    origins: list[FacetRead]
    difficulties: list[FacetRead]


class DuplicateRead(Schema):
    id: UUID
    position: int
    similarity: Annotated[float, Field(description="To the first case of the group, 0 to 1")]


class DuplicateGroupRead(Schema):
    """Similar cases. `exact`: they differ only in letter case, character width or white space."""

    kind: Literal["exact", "near"]
    cases: list[DuplicateRead]


class DuplicatesRead(Schema):
    threshold: float
    compared: Annotated[int, Field(description="How many cases were compared")]
    groups: list[DuplicateGroupRead]
    more_groups: Annotated[int, Field(description="How many groups are not shown")]


class CaseRequest(Schema):
    """`split` is assigned if left out; `origin` defaults to that of the dataset."""

    inputs: Inputs
    expected: str | None = None
    tags: Annotated[Tags, Field(default_factory=list)]
    difficulty: Difficulty | None = None
    split: Split | None = None
    origin: Origin | None = None
    notes: Notes = None

    def contents(self) -> CaseContents:
        return CaseContents(**self.model_dump() | {"tags": tuple(dict.fromkeys(self.tags))})


class CaseChange(Schema):
    """Fields left out are not changed. `version` is the version that the change applies to."""

    version: Annotated[int, Field(ge=1, le=2**31 - 1)]
    inputs: Inputs | None = None
    expected: str | None = None
    tags: Tags | None = None
    difficulty: Difficulty | None = None
    split: Split | None = None
    origin: Origin | None = None
    notes: Notes = None

    def given(self) -> dict[str, Any]:
        """The fields to change; null is ignored for fields that cannot be empty."""
        values = self.model_dump(exclude_unset=True, exclude={"version"})
        optional = ("expected", "difficulty", "notes")
        return {
            name: value for name, value in values.items() if name in optional or value is not None
        }


class CaseRead(Schema):
    id: UUID
    dataset_id: UUID
    version: int
    position: int
    inputs: Inputs
    expected: str | None
    tags: list[str]
    difficulty: int | None
    split: Split
    origin: Origin
    notes: str | None
    author_id: UUID | None
    created_at: datetime
    updated_at: datetime


class CaseVersionRead(Schema):
    """An earlier version of a case, written by `author` at `updated_at`."""

    version: int
    inputs: Inputs
    expected: str | None
    tags: list[str]
    difficulty: int | None
    split: Split
    origin: Origin
    notes: str | None
    author: Annotated[str | None, Field(description="Name or email")]
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter:
    """Filters of cases; all given conditions must hold. The page's `q` searches texts."""

    tag: Annotated[CleanText | None, Field(max_length=LONGEST_TAG)] = None
    split: Split | None = None
    difficulty: Annotated[int | None, Field(ge=1, le=5)] = None
    origin: Origin | None = None
    has_expected: bool | None = None


class SelectionFilter(Schema):
    """The same filters as for the list of cases."""

    q: Annotated[CleanText | None, Field(max_length=200)] = None
    tag: Annotated[CleanText | None, Field(max_length=LONGEST_TAG)] = None
    split: Split | None = None
    difficulty: Difficulty | None = None
    origin: Origin | None = None
    has_expected: bool | None = None

    def as_filter(self) -> CaseFilter:
        return CaseFilter(**self.model_dump(exclude={"q"}))


class CaseChoice(Schema):
    """Selects cases of the dataset: by id or by filter, at most `limit` of them."""

    case_ids: Annotated[list[UUID], Field(min_length=1, max_length=10_000)] | None = None
    filter: SelectionFilter | None = None
    limit: Annotated[int, Field(ge=1, le=100_000)] | None = None


class Selection(Schema):
    """Cases by id, or all that match a filter. With `count`, refused unless exactly that many
    match.
    """

    ids: Annotated[list[UUID] | None, Field(min_length=1, max_length=MOST_SELECTED)] = None
    matching: SelectionFilter | None = None
    count: Annotated[int | None, Field(ge=0)] = None

    @model_validator(mode="after")
    def _one_way(self) -> "Selection":
        if (self.ids is None) == (self.matching is None):
            raise ValueError("Give either ids or matching.")
        return self


class AddTags(Schema):
    action: Literal["add_tags"]
    tags: Annotated[Tags, Field(min_length=1)]


class RemoveTags(Schema):
    action: Literal["remove_tags"]
    tags: Annotated[Tags, Field(min_length=1)]


class ReplaceTags(Schema):
    """Cases that have any of the tags get `by` instead."""

    action: Literal["replace_tags"]
    tags: Annotated[Tags, Field(min_length=1)]
    by: Tag


class SetSplit(Schema):
    action: Literal["set_split"]
    split: Split


class Delete(Schema):
    action: Literal["delete"]


BulkAction = Annotated[
    AddTags | RemoveTags | ReplaceTags | SetSplit | Delete, Field(discriminator="action")
]


class BulkRequest(Schema):
    selection: Selection
    change: BulkAction


class BulkResult(Schema):
    """`last_change` is null when no case had to change, so there is nothing to undo."""

    count: int
    last_change: BulkChangeRead | None


class UndoRequest(Schema):
    change_id: Annotated[UUID, Field(description="Of the change to take back: `last_change`")]
