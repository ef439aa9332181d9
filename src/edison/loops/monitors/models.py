"""Tables of monitors, their checks and alerts.

A check's row determines its next step. At most one check per monitor and due time.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.loops.monitors.states import (
    AlertRule,
    AlertState,
    CheckState,
    MonitorState,
    PauseReason,
)
from edison.workspace.resources.models import Resource

# Unlike JSONB, JSON keeps the order of keys and the notation of numbers.
_Json = JSON(none_as_null=True)


def _one_of(column: str, values: type[StrEnum]) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


class Monitor(Resource, Base):
    """`version_id` None means the prompt's production version at the time of each check. `config`
    holds models, scorers, case filter, repeats and rules.

    `next_run_at` is None while the monitor is paused. A pause with `resume_at` ends by itself.
    Checks before `baseline_since` are not part of the baseline; with `pinned_check_id`, that check
    is the baseline. `baselines` lists all changes of the baseline: `{"at", "note", "author"}`.
    """

    NOUN = "monitor"

    __tablename__ = "monitors"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
        Index(None, "state", "next_run_at"),
        CheckConstraint(_one_of("state", MonitorState), name="state"),
        CheckConstraint(_one_of("pause_reason", PauseReason), name="pause_reason"),
    )

    state: Mapped[str] = mapped_column(String(20))
    pause_reason: Mapped[str | None] = mapped_column(String(20))
    pause_message: Mapped[str | None] = mapped_column(Text)
    resume_at: Mapped[datetime | None]
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    prompt_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompts.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    # Distinguishes a deleted fixed version from "the production version".
    is_production: Mapped[bool]
    dataset_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("datasets.id", ondelete="SET NULL"), index=True
    )
    cron: Mapped[str] = mapped_column(String(100))
    next_run_at: Mapped[datetime | None]
    muted_until: Mapped[datetime | None]
    check_count: Mapped[int] = mapped_column(default=0)
    baseline_since: Mapped[datetime | None]
    pinned_check_id: Mapped[UUID | None] = mapped_column(Uuid())
    baselines: Mapped[list[dict[str, Any]]] = mapped_column(_Json)
    config: Mapped[dict[str, Any]] = mapped_column(_Json)


class MonitorModel(Base):
    """A model that answers or judges in a monitor, so that it is not deleted unnoticed."""

    __tablename__ = "monitor_models"

    monitor_id: Mapped[UUID] = mapped_column(
        ForeignKey("monitors.id", ondelete="CASCADE"), primary_key=True
    )
    model_id: Mapped[UUID] = mapped_column(
        ForeignKey("models.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class MonitorScorer(Base):
    """A saved scorer that a monitor uses, so that it is not deleted unnoticed."""

    __tablename__ = "monitor_scorers"

    monitor_id: Mapped[UUID] = mapped_column(
        ForeignKey("monitors.id", ondelete="CASCADE"), primary_key=True
    )
    scorer_id: Mapped[UUID] = mapped_column(
        ForeignKey("scorers.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class MonitorCheck(Identified, Base):
    """One firing of a monitor, or a request to check now.

    `active_key` is the monitor's id while the check is active: a unique constraint allows one
    active check per monitor. `missed` counts the due times that a skipped check stands for.
    `reason` and `message` say why it was skipped, failed or found what it found. `case_scores` are
    the scores by model configuration and case key; `measures` are the statistics shown.
    `cost_nanos` is the cost of its runs, stored when it ends.
    """

    __tablename__ = "monitor_checks"
    __table_args__ = (
        UniqueConstraint("monitor_id", "scheduled_for"),
        UniqueConstraint("active_key"),
        Index(None, "monitor_id", "number"),
        Index(None, "state"),
        # Covers the counts and costs of a monitor: rows are wide, and there are thousands.
        Index(
            "ix_monitor_checks_day_sums",
            "monitor_id",
            "state",
            "scheduled_for",
            "created_at",
            "cost_nanos",
        ),
        CheckConstraint(_one_of("state", CheckState), name="state"),
    )

    monitor_id: Mapped[UUID] = mapped_column(ForeignKey("monitors.id", ondelete="CASCADE"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    trigger: Mapped[str] = mapped_column(String(20))
    active_key: Mapped[UUID | None] = mapped_column(Uuid())
    scheduled_for: Mapped[datetime]
    missed: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str | None] = mapped_column(Text)
    verdict: Mapped[str | None] = mapped_column(String(20))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    version_label: Mapped[str | None] = mapped_column(String(20))
    run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    confirm_run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    # Equal for equal cases, in any order.
    cases_digest: Mapped[str | None] = mapped_column(String(64))
    score: Mapped[float | None]
    cost_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    measures: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    case_scores: Mapped[dict[str, Any] | None] = mapped_column(_Json, deferred=True)


class Alert(Identified, Base):
    """`open_key` is "monitor:rule" until the alert is resolved: a unique constraint allows one open
    alert per monitor and rule. `check_id` is the check that opened it, `last_check_id` the latest
    that confirmed it. `details` holds the figures and the worst cells.
    """

    __tablename__ = "alerts"
    __table_args__ = (
        UniqueConstraint("open_key"),
        Index(None, "project_id", "state", "opened_at"),
        Index(None, "monitor_id", "rule", "opened_at"),
        CheckConstraint(_one_of("state", AlertState), name="state"),
        CheckConstraint(_one_of("rule", AlertRule), name="rule"),
        CheckConstraint("severity IN ('alert', 'warning')", name="severity"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    monitor_id: Mapped[UUID] = mapped_column(ForeignKey("monitors.id", ondelete="CASCADE"))
    rule: Mapped[str] = mapped_column(String(20))
    severity: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(20))
    open_key: Mapped[str | None] = mapped_column(String(60))
    title: Mapped[str] = mapped_column(String(200))
    message: Mapped[str] = mapped_column(Text)
    check_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("monitor_checks.id", ondelete="SET NULL"), index=True
    )
    last_check_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("monitor_checks.id", ondelete="SET NULL"), index=True
    )
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    reopened_count: Mapped[int] = mapped_column(default=0)
    muted_until: Mapped[datetime | None]
    acknowledged_at: Mapped[datetime | None]
    acknowledged_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    resolved_at: Mapped[datetime | None]
    resolved_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    resolution: Mapped[str | None] = mapped_column(String(20))
    note: Mapped[str | None] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(_Json)


class Scheduler(Base):
    """One row: when due monitors were last looked for. Locked while a check begins, so that the
    number of checks at once is exact.
    """

    __tablename__ = "schedulers"

    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    swept_at: Mapped[datetime]
