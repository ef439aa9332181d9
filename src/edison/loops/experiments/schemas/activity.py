"""Response bodies of an experiment's activity."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema

ActivityKind = Literal[
    "created",
    "configured",
    "confirmed",
    "renamed",
    "archived",
    "unarchived",
    "finished",
    "started",
    "measured",
    "suggested",
    "pruned",
    "paused",
    "resumed",
    "cancelled",
    "closed",
    "refined_again",
    "left_to_people",
    "came_short",
    "failed",
    "approved",
    "edited",
    "rejected",
    "proposed",
    "commented",
]


class ActivityEntry(Schema):
    """One activity of an experiment. `iteration` is the number of the iteration concerned."""

    at: datetime
    kind: ActivityKind
    actor: Annotated[
        str | None,
        Field(description="By email; null for what Edison did", examples=["ada@example.org"]),
    ]
    iteration: int | None
    iteration_id: UUID | None
    version_label: Annotated[str | None, Field(examples=["v2"])]
    suggestion_id: UUID | None
    count: Annotated[int | None, Field(description="How many were suggested")]
    message: str | None


class ExperimentActivity(Schema):
    """The activity of an experiment, latest first; `total` includes entries not returned."""

    entries: list[ActivityEntry]
    total: int
