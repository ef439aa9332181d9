"""Filters of the lists of runs, outputs and rows."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from pydantic.dataclasses import dataclass

from edison.api.schema import CleanText
from edison.runs.store.states import RunState
from edison.workspace.resources.schemas import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Selects runs; conditions are combined with AND. The page's `q` searches names."""

    state: RunState | None = None
    origin: Annotated[str | None, Field(max_length=20)] = None
    prompt_id: UUID | None = None
    model_id: UUID | None = None
    dataset_id: UUID | None = None
    author_id: UUID | None = None
    is_active: Annotated[bool | None, Field(description="Only those that are not over yet")] = None
    status: Annotated[Status, Field(description="Archived runs are hidden")] = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFilter:
    """Selects outputs of a run; conditions are combined with AND. The score is the effective one:
    the mean of human scores, otherwise the weighted mean of automatic scores.
    """

    status: Literal["ok", "error", "malformed"] | None = None
    min_score: Annotated[float | None, Field(ge=0, le=1)] = None
    max_score: Annotated[float | None, Field(ge=0, le=1)] = None
    is_human: Annotated[bool | None, Field(description="Whether people have scored it")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Selects rows of a run: each condition must hold for at least one cell of the row."""

    status: Annotated[
        str | None,
        Field(
            pattern="^(ok|error|malformed)(,(ok|error|malformed)){0,2}$",
            description="Some cell has it; several with commas between them",
            examples=["error,malformed"],
        ),
    ] = None
    min_score: Annotated[
        float | None, Field(ge=0, le=1, description="Some cell's grade is at least this")
    ] = None
    max_score: Annotated[
        float | None, Field(ge=0, le=1, description="Some cell's grade is at most this")
    ] = None
    q: Annotated[
        CleanText | None,
        Field(max_length=200, description="Found in inputs, the expected answer, answers, errors"),
    ] = None

    @property
    def statuses(self) -> tuple[str, ...]:
        return tuple(self.status.split(",")) if self.status else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOrder:
    """Sorts rows by a figure of the variant at a position, ascending or descending."""

    figure: str
    variant: int
    is_falling: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpan:
    """A page of rows: the rows after a position, by case or sorted by one variant's figure."""

    after: Annotated[int, Field(ge=-1, description="`next` of the rows before")] = -1
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    sort: Annotated[
        str | None,
        Field(
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
