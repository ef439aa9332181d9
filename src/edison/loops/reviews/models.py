"""Tables of reviews and of comments on suggestions."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class ReviewDecision(StrEnum):
    """Stored; never rename. `edited`: approved with an edited text."""

    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"


class Review(Identified, Base):
    """One decision. `reviewer_id` is None for an automatic approval. `reviewer` is the reviewer's
    email, kept when the account is deleted; `version_id` is the version created from the
    suggestion.
    """

    __tablename__ = "reviews"
    __table_args__ = (
        UniqueConstraint("suggestion_id"),
        CheckConstraint("decision IN ('approved', 'edited', 'rejected')", name="decision"),
    )

    suggestion_id: Mapped[UUID] = mapped_column(ForeignKey("suggestions.id", ondelete="CASCADE"))
    reviewer_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    reviewer: Mapped[str | None] = mapped_column(String(255))
    decision: Mapped[str] = mapped_column(String(10))
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    reason: Mapped[str | None] = mapped_column(Text)


class ReviewComment(Identified, Base):
    """A comment on a suggestion."""

    __tablename__ = "review_comments"
    __table_args__ = (Index(None, "suggestion_id", "created_at"),)

    suggestion_id: Mapped[UUID] = mapped_column(ForeignKey("suggestions.id", ondelete="CASCADE"))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    text: Mapped[str] = mapped_column(Text)
