"""Answers kept, so that the same question is not paid for twice."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base


class CachedAnswer(Base):
    """`key` is the digest of everything that shapes the answer; see the pipeline's `cache_key`.
    `completion` is JSON in ASCII, as text: a model may say things that PostgreSQL's JSON refuses.
    `expires_at` is None for answers that stay until they are replaced or evicted.
    """

    __tablename__ = "cached_answers"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    completion: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None] = mapped_column(index=True)


class LaneShare(Base):
    """How many calls of a credential one process may have under way. The shares of all processes
    together never pass the credential's limit; a share goes with its process.
    """

    __tablename__ = "lane_shares"

    credential_id: Mapped[UUID] = mapped_column(
        ForeignKey("credentials.id", ondelete="CASCADE"), primary_key=True
    )
    process_id: Mapped[UUID] = mapped_column(
        ForeignKey("worker_processes.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    slots: Mapped[int]
    # Calls under way and waiting, by which others see how much they should leave.
    wanted: Mapped[int]
    # Lower numbers came earlier. Where there are more processes than slots, they take turns.
    turn: Mapped[int] = mapped_column(BigInteger)
