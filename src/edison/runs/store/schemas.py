"""Filters of the lists of runs, outputs and rows."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from pydantic.dataclasses import dataclass

from edison.api.schema import CleanText
from edison.runs.store.states import RunState


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
