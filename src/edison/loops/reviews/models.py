"""What people decided about suggestions, and what they said to each other about them."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class Decision(StrEnum):
    """Stored; never rename. `edited`: approved with other words than were suggested."""

    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"


class Review(Identified, Base):
    """One decision. Without a reviewer, the project did not ask for one. `reviewer` is who it was
    by email, also when they are gone; `version_id` is the version that came of it.
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
    """Something that somebody said about a suggestion."""

    __tablename__ = "review_comments"
    __table_args__ = (Index(None, "suggestion_id", "created_at"),)

    suggestion_id: Mapped[UUID] = mapped_column(ForeignKey("suggestions.id", ondelete="CASCADE"))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    text: Mapped[str] = mapped_column(Text)
