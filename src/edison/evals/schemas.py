"""Request and response bodies of evaluations."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints, field_validator

from edison.api.schema import CleanText, Line, Schema, Usd
from edison.runs.plan.schemas import RunRequest
from edison.runs.store.states import RunState

MOST_TAGS = 50

TagName = Annotated[Line, StringConstraints(min_length=1, max_length=100)]
TagValue = Annotated[CleanText, StringConstraints(max_length=500)]
Tags = Annotated[dict[TagName, TagValue], Field(max_length=MOST_TAGS)]


class EvaluationLimit(Schema):
    """What an evaluation may cost. Calls that could exceed it are not made."""

    max_cost_usd: Annotated[
        Usd | None,
        Field(description="Simulated cost counts if every model is simulated; null is no limit"),
    ] = None

    @field_validator("max_cost_usd")
    @classmethod
    def _is_positive(cls, value: Decimal | None) -> Decimal | None:
        if value is not None and value <= 0:
            raise ValueError("must be more than 0")
        return value


class EvaluationRequest(EvaluationLimit):
    """A run with a cost limit of its own."""

    run: RunRequest
    tags: Tags = Field(default_factory=dict)


class EvaluationRunRead(Schema):
    """A run of an evaluation. `reason` and `message` say why it is paused or failed."""

    id: UUID
    state: RunState
    reason: str | None
    message: str | None
    done_count: int
    cell_count: int


class EvaluationRead(Schema):
    """An evaluation with its runs. `is_waiting`: no run goes on by itself, because each is
    completed, cancelled, failed or paused.
    """

    id: UUID
    name: str
    project_slug: str
    tags: dict[str, str]
    created_at: datetime
    is_waiting: bool
    done_count: int
    cell_count: int
    runs: list[EvaluationRunRead]
