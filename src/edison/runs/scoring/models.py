"""Tables of human scores, flags and annotation queues."""

from datetime import datetime
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
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped
from edison.runs.scoring.scales import ScoringQuestion
from edison.runs.scoring.states import AnnotationQueueState, SampleStrategy

_QUESTIONS = ", ".join(f"'{question}'" for question in ScoringQuestion)
_STATES = ", ".join(f"'{state}'" for state in AnnotationQueueState)
_STRATEGIES = ", ".join(f"'{strategy}'" for strategy in SampleStrategy)
# JSON keeps the order of the criteria.
_Json = JSON(none_as_null=True)


class HumanScore(Identified, Timestamped, Base):
    """One person's score of one output: one row, updated in place, deleted when the answer is
    replaced.

    `answer` is on the question's scale, `value` the same in 0..1; both are None for a comment
    alone. With several criteria, `criteria` holds `{name: answer}` and `answer` is None. `user_id`
    is None if the account was deleted.
    """

    __tablename__ = "human_scores"
    __table_args__ = (
        UniqueConstraint("output_id", "user_id"),
        CheckConstraint(f"question IN ({_QUESTIONS})", name="question"),
        CheckConstraint("value BETWEEN 0 AND 1", name="value_is_a_share"),
    )

    output_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    question: Mapped[str] = mapped_column(String(10))
    answer: Mapped[int | None] = mapped_column(SmallInteger)
    value: Mapped[float | None] = mapped_column(Float)
    criteria: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    comment: Mapped[str | None] = mapped_column(Text)


class OutputFlag(Base):
    """Marks an output for attention: at most one per output, deleted when the answer is replaced.
    `user_id` is None if the account was deleted.
    """

    __tablename__ = "output_flags"

    output_id: Mapped[UUID] = mapped_column(
        ForeignKey("outputs.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]


class AnnotationQueue(Identified, Timestamped, Base):
    """Outputs to be scored blind by people.

    `overlap` is the number of people per output. `criteria` holds `{"name", "description",
    "weight"}`; None means a single question about the whole output. `seed` makes the sample
    reproducible.
    """

    __tablename__ = "annotation_queues"
    __table_args__ = (
        Index(None, "project_id", "created_at", "id"),
        CheckConstraint(f"question IN ({_QUESTIONS})", name="question"),
        CheckConstraint(f"state IN ({_STATES})", name="state"),
        CheckConstraint(f"strategy IN ({_STRATEGIES})", name="strategy"),
        CheckConstraint("overlap >= 1", name="overlap_positive"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))
    instructions: Mapped[str | None] = mapped_column(Text)
    question: Mapped[str] = mapped_column(String(10))
    criteria: Mapped[list[dict[str, Any]] | None] = mapped_column(_Json)
    strategy: Mapped[str] = mapped_column(String(20))
    seed: Mapped[int] = mapped_column(BigInteger)
    overlap: Mapped[int] = mapped_column(SmallInteger)
    state: Mapped[str] = mapped_column(String(10))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )


class AnnotationAssignee(Base):
    """A person asked to score; a queue without assignees is open to all members who may score."""

    __tablename__ = "annotation_assignees"

    queue_id: Mapped[UUID] = mapped_column(
        ForeignKey("annotation_queues.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class AnnotationItem(Identified, Base):
    """An output in a queue; `position` is its place in the order."""

    __tablename__ = "annotation_items"
    __table_args__ = (
        UniqueConstraint("queue_id", "output_id"),
        Index(None, "queue_id", "position"),
    )

    queue_id: Mapped[UUID] = mapped_column(ForeignKey("annotation_queues.id", ondelete="CASCADE"))
    output_id: Mapped[UUID] = mapped_column(
        ForeignKey("outputs.id", ondelete="CASCADE"), index=True
    )
    position: Mapped[int]


class AnnotationSeat(Identified, Base):
    """One of the scores that an item needs. An item has as many seats as people who should score
    it, which limits the number of scores.

    A seat is free, claimed by `user_id` until `lease_until`, or scored.
    """

    __tablename__ = "annotation_seats"
    __table_args__ = (
        UniqueConstraint("item_id", "number"),
        # Each person scores an item at most once.
        UniqueConstraint("item_id", "user_id"),
    )

    item_id: Mapped[UUID] = mapped_column(ForeignKey("annotation_items.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(SmallInteger)
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    lease_until: Mapped[datetime | None]
    is_scored: Mapped[bool] = mapped_column(default=False)


class AnnotationSkip(Base):
    """A person's skip of an item, with the reason. The item is not offered to that person again."""

    __tablename__ = "annotation_skips"

    item_id: Mapped[UUID] = mapped_column(
        ForeignKey("annotation_items.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]
