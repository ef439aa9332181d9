"""Tables of generations, their batches and drafts.

A batch's row is written together with its drafts once its answer has arrived; a generation whose
process died is resumed with the batches that have no row.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Float,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.library.datasets.models import TagList
from edison.pipeline.generate.outcome import FailureReason

# Unlike JSONB, keeps the order of variables and the notation of numbers.
_Json = JSON(none_as_null=True)


class GenerationState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


NEXT: dict[GenerationState, frozenset[GenerationState]] = {
    GenerationState.QUEUED: frozenset(
        {GenerationState.RUNNING, GenerationState.FAILED, GenerationState.CANCELLED}
    ),
    GenerationState.RUNNING: frozenset(
        {GenerationState.DONE, GenerationState.FAILED, GenerationState.CANCELLED}
    ),
    GenerationState.DONE: frozenset(),
    GenerationState.FAILED: frozenset({GenerationState.QUEUED}),
    GenerationState.CANCELLED: frozenset(),
}
# Terminal states; a failed generation can be resumed.
ENDED = (GenerationState.DONE, GenerationState.FAILED, GenerationState.CANCELLED)


def before(state: GenerationState) -> list[GenerationState]:
    """The states from which `state` can be reached."""
    return [each for each, following in NEXT.items() if state in following]


class Generation(Identified, Base):
    """`request` is as submitted, `plan` is derived from it. The counts are sums over the batches.
    `claimed_by` identifies the process that holds the lease, until `claimed_until`.
    """

    __tablename__ = "generations"
    __table_args__ = (
        Index(None, "dataset_id", "created_at", "id"),
        Index(None, "state", "claimed_until"),
        CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name="state"
        ),
        CheckConstraint("kind IN ('synthetic', 'adversarial', 'questions', 'gaps')", name="kind"),
    )

    dataset_id: Mapped[UUID] = mapped_column(ForeignKey("datasets.id", ondelete="CASCADE"))
    model_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("models.id", ondelete="SET NULL"), index=True
    )
    # Copied, because the model may be deleted.
    model_name: Mapped[str] = mapped_column(String(100))
    author_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    kind: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(String(20))
    wanted_count: Mapped[int]
    draft_count: Mapped[int] = mapped_column(default=0)
    accepted_count: Mapped[int] = mapped_column(default=0)
    malformed_count: Mapped[int] = mapped_column(default=0)
    refused_count: Mapped[int] = mapped_column(default=0)
    repeated_count: Mapped[int] = mapped_column(default=0)
    # None once an answer had no known price.
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger, default=0)
    note: Mapped[str | None] = mapped_column(Text)
    # A `FailureReason` of the pipeline, `budget` or `internal`.
    failure: Mapped[str | None] = mapped_column(String(40))
    claimed_by: Mapped[UUID | None] = mapped_column(Uuid())
    claimed_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    request: Mapped[dict[str, Any]] = mapped_column(_Json)
    plan: Mapped[dict[str, Any]] = mapped_column(_Json)

    @property
    def is_resumable(self) -> bool:
        """Whether resuming could succeed. A model whose answers cannot be read would return the
        same answers.
        """
        return (
            self.state == GenerationState.FAILED
            and self.model_id is not None
            and self.failure != FailureReason.MALFORMED_RESPONSE
        )


class GenerationBatch(Base):
    """One parsed answer of the model. `short`: requested rows that the model did not write."""

    __tablename__ = "generation_batches"

    generation_id: Mapped[UUID] = mapped_column(
        ForeignKey("generations.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    drafts: Mapped[int]
    malformed: Mapped[int]
    refused: Mapped[int]
    repeated: Mapped[int]
    short: Mapped[int]
    was_repaired: Mapped[bool]
    created_at: Mapped[datetime]


class GenerationDraft(Identified, Base):
    """A case that was not added yet; `case_id` is set once it was.

    `similarity` is that to the nearest case or draft. No foreign keys to them: they may be deleted,
    and the reference then dangles.
    """

    __tablename__ = "generation_drafts"
    __table_args__ = (
        UniqueConstraint("generation_id", "position"),
        UniqueConstraint("generation_id", "input_hash"),
        CheckConstraint("difficulty BETWEEN 1 AND 5", name="difficulty_in_range"),
    )

    generation_id: Mapped[UUID] = mapped_column(ForeignKey("generations.id", ondelete="CASCADE"))
    position: Mapped[int]
    batch: Mapped[int]
    difficulty: Mapped[int | None] = mapped_column(SmallInteger)
    input_hash: Mapped[str] = mapped_column(String(64))
    similarity: Mapped[float | None] = mapped_column(Float)
    near_case_id: Mapped[UUID | None] = mapped_column(Uuid())
    near_draft_id: Mapped[UUID | None] = mapped_column(Uuid())
    case_id: Mapped[UUID | None] = mapped_column(Uuid())
    tags: Mapped[list[str]] = mapped_column(TagList)
    expected: Mapped[str | None] = mapped_column(Text)
    inputs: Mapped[dict[str, Any]] = mapped_column(_Json)
