"""Response bodies of a project's home page."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.loops.monitors.states import MonitorState

# Items of one kind that are listed.
MOST_ITEMS = 3
# Checks in a trend.
TREND_CHECKS = 30


class WaitingKind(StrEnum):
    REVIEW = "review"
    FAILED_RUN = "failed_run"
    VOTING = "voting"
    ANNOTATION = "annotation"


class WaitingItem(Schema):
    """`id` is that of the suggestion, run, voting round or annotation queue."""

    id: UUID
    title: str
    note: Annotated[str | None, Field(description="What a suggestion changes")] = None
    since: datetime
    open_count: Annotated[
        int | None, Field(description="Pairs to vote on, or answers to score, by the reader")
    ] = None


class WaitingGroup(Schema):
    """What waits for the reader, newest first; alerts have a list of their own. `count` includes
    what is not listed.
    """

    kind: WaitingKind
    count: int
    items: Annotated[list[WaitingItem], Field(description=f"At most {MOST_ITEMS}")]


class CheckScore(Schema):
    number: int
    score: float
    verdict: str | None


class WatchedRead(Schema):
    """The monitor of a prompt in production, with its last measured checks, oldest first."""

    monitor_id: UUID
    name: str
    state: MonitorState
    open_alerts: int
    checked_at: datetime | None
    trend: list[CheckScore]


class ProductionRead(Schema):
    """A prompt in production. `watched` is null without a monitor of its production version."""

    prompt_id: UUID
    prompt_name: str
    version_id: UUID
    version_label: str
    watched: WatchedRead | None


class StepsRead(Schema):
    """First steps in a project, and whether they are done."""

    has_model: bool
    has_prompt: bool
    has_cases: bool
    has_run: bool
    has_improvement: Annotated[bool, Field(description="An experiment or optimization was started")]
    has_monitor: bool


class HomeRead(Schema):
    waiting: list[WaitingGroup]
    production: list[ProductionRead]
    steps: StepsRead
