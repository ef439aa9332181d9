"""Request and response schemas of the side-by-side view."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from edison.api.schema import CleanText, Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.length_bucket import LengthBucket

MOST_COLUMNS = 20
CaseOrder = Literal["position", "best", "worst", "difference", "disagreement", "cost", "latency"]
_Column = Annotated[str, StringConstraints(pattern=r"^([0-9a-fA-F-]{36}\.)?\d{1,4}$")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCaseFilter:
    """Filters and sorts cases. Score conditions hold if at least one column satisfies them. With
    `criterion`, scores are those of that criterion.
    """

    column: Annotated[
        list[_Column] | None,
        Field(
            max_length=MOST_COLUMNS,
            description="Position of a variant; of another run with the run's id and a dot in "
            "front. Without any, all variants of the run",
            examples=[["0", "1"]],
        ),
    ] = None
    order: Annotated[CaseOrder, Field(description="What has no such figure comes last")] = (
        "position"
    )
    criterion: Annotated[
        str | None, Field(max_length=120, description="Its key", examples=["s0.1"])
    ] = None
    status: Literal["ok", "error", "malformed"] | None = None
    min_score: Annotated[float | None, Field(ge=0, le=1)] = None
    max_score: Annotated[float | None, Field(ge=0, le=1)] = None
    min_disagreement: Annotated[
        float | None, Field(ge=0, le=1, description="How far judges are apart at least")
    ] = None
    tag: Annotated[CleanText | None, Field(max_length=200)] = None
    difficulty: Annotated[int | None, Field(ge=1, le=5)] = None
    length: LengthBucket | None = None
    is_flagged: bool | None = None


class SideCell(Schema):
    """A column's answer to the case. `position` is the case's position in that run, null if that
    run does not have it; with repeats, the output is the first.
    """

    run_id: UUID
    variant: int
    position: int | None
    output_id: UUID | None
    score: Annotated[float | None, Field(description="Composite, or that of the criterion")]
    disagreement: Annotated[float | None, Field(description="How far judges are apart, 0 to 1")]


class SideCase(Schema):
    """A case with its answers in all columns. `score` is their mean, `difference` the highest minus
    the lowest, `disagreement` and `latency_seconds` the maximum, `cost_usd` the sum.
    """

    position: int
    inputs_preview: str
    tags: list[str]
    difficulty: int | None
    score: float | None
    difference: float | None
    disagreement: float | None
    cost_usd: Usd | None
    latency_seconds: float | None
    is_flagged: bool
    cells: list[SideCell]
