"""Tables of optimizations, their candidates, rounds and activity.

The rows determine the next step of a running optimization: a round whose run has ended is measured,
then the next round begins, candidates are proposed, or the finalist is tested.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.loops.optimizations.states import (
    CandidateOrigin,
    CandidateState,
    OptimizationState,
    RoundKind,
)
from edison.workspace.resources.models import Resource

# Unlike JSONB, JSON keeps the order of keys and the notation of numbers.
_Json = JSON(none_as_null=True)


def _one_of(column: str, values: type[StrEnum]) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


class Optimization(Resource, Base):
    """`config` is the configuration as requested. `train_ids` and `holdout_ids` are the cases in
    the order of the search, fixed at the start.

    `stop_reason` says why the search ended, `outcome` how the optimization did; `verdict` is the
    test on held-out cases, `look_id` its look, `model_choice` the test of cheaper models. `reason`
    and `message` say why it is paused or failed.
    """

    NOUN = "optimization"

    __tablename__ = "optimizations"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
        Index(None, "state"),
        CheckConstraint(_one_of("state", OptimizationState), name="state"),
    )

    state: Mapped[str] = mapped_column(String(20))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    prompt_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompts.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    prompt_name: Mapped[str] = mapped_column(String(100))
    version_label: Mapped[str] = mapped_column(String(50))
    dataset_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("datasets.id", ondelete="SET NULL"), index=True
    )
    seed: Mapped[int]
    config: Mapped[dict[str, Any]] = mapped_column(_Json)
    train_ids: Mapped[list[str] | None] = mapped_column(_Json)
    holdout_ids: Mapped[list[str] | None] = mapped_column(_Json)
    stop_reason: Mapped[str | None] = mapped_column(String(20))
    outcome: Mapped[str | None] = mapped_column(String(20))
    finalist: Mapped[int | None]
    verdict: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    model_choice: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    look_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("holdout_looks.id", ondelete="SET NULL"), unique=True
    )
    suggestion_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("suggestions.id", ondelete="SET NULL"), unique=True
    )
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str | None] = mapped_column(Text)
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class OptimizationModel(Base):
    """A model that an optimization calls, so that it is not deleted unnoticed."""

    __tablename__ = "optimization_models"

    optimization_id: Mapped[UUID] = mapped_column(
        ForeignKey("optimizations.id", ondelete="CASCADE"), primary_key=True
    )
    model_id: Mapped[UUID] = mapped_column(
        ForeignKey("models.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class OptimizationScorer(Base):
    """A saved scorer that an optimization uses, so that it is not deleted unnoticed."""

    __tablename__ = "optimization_scorers"

    optimization_id: Mapped[UUID] = mapped_column(
        ForeignKey("optimizations.id", ondelete="CASCADE"), primary_key=True
    )
    scorer_id: Mapped[UUID] = mapped_column(
        ForeignKey("scorers.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class OptimizationCandidate(Identified, Base):
    """A prompt that takes part, without a prompt version. Number 0 is the base.

    `parts` are those that differ from the base, each whole; `diff` is of these. `parents` are
    numbers of candidates. `scores` are composites by the key of the training case, `elimination`
    says why the candidate was dropped.
    """

    __tablename__ = "optimization_candidates"
    __table_args__ = (
        UniqueConstraint("optimization_id", "number"),
        CheckConstraint(_one_of("origin", CandidateOrigin), name="origin"),
        CheckConstraint(_one_of("state", CandidateState), name="state"),
    )

    optimization_id: Mapped[UUID] = mapped_column(
        ForeignKey("optimizations.id", ondelete="CASCADE")
    )
    number: Mapped[int] = mapped_column(SmallInteger)
    generation: Mapped[int] = mapped_column(SmallInteger)
    origin: Mapped[str] = mapped_column(String(10))
    operator: Mapped[str | None] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10))
    parents: Mapped[list[int]] = mapped_column(_Json)
    parts: Mapped[dict[str, Any]] = mapped_column(_Json)
    diff: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)
    targets: Mapped[list[str]] = mapped_column(_Json)
    text_name: Mapped[str | None] = mapped_column(String(40))
    scores: Mapped[dict[str, float]] = mapped_column(_Json)
    elimination: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    created_at: Mapped[datetime]


class OptimizationRound(Identified, Base):
    """Candidates measured together in one run. `stage` counts the rounds of a generation.
    `case_count` is the number of cases from the start of the search order.
    """

    __tablename__ = "optimization_rounds"
    __table_args__ = (
        UniqueConstraint("optimization_id", "number"),
        CheckConstraint(_one_of("kind", RoundKind), name="kind"),
    )

    optimization_id: Mapped[UUID] = mapped_column(
        ForeignKey("optimizations.id", ondelete="CASCADE")
    )
    number: Mapped[int] = mapped_column(SmallInteger)
    kind: Mapped[str] = mapped_column(String(10))
    generation: Mapped[int] = mapped_column(SmallInteger)
    stage: Mapped[int] = mapped_column(SmallInteger)
    candidates: Mapped[list[int]] = mapped_column(_Json)
    case_count: Mapped[int]
    run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class OptimizationEntry(Identified, Base):
    """A line of the activity. `data` are its figures."""

    __tablename__ = "optimization_entries"
    __table_args__ = (Index(None, "optimization_id", "created_at", "id"),)

    optimization_id: Mapped[UUID] = mapped_column(
        ForeignKey("optimizations.id", ondelete="CASCADE")
    )
    kind: Mapped[str] = mapped_column(String(20))
    data: Mapped[dict[str, Any]] = mapped_column(_Json)
    created_at: Mapped[datetime]
