"""Table of the audit log: actions and refusals by user, append-only."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class AuditEntry(Identified, Base):
    """Outlives the entities it refers to, so it has no foreign keys."""

    __tablename__ = "audit_entries"
    __table_args__ = (
        CheckConstraint("outcome IN ('allowed', 'denied')", name="outcome"),
        Index(None, "project_id", "at"),
        Index(None, "actor_id", "action", "at"),
        Index(None, "entity_type", "entity_id", "at"),
    )

    at: Mapped[datetime]
    project_id: Mapped[UUID | None]
    actor_id: Mapped[UUID | None]
    actor: Mapped[str | None] = mapped_column(String(255))
    action: Mapped[str] = mapped_column(String(100))
    entity_type: Mapped[str] = mapped_column(String(50))
    entity_id: Mapped[str | None] = mapped_column(String(64))
    outcome: Mapped[str] = mapped_column(String(10))
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]
    address: Mapped[str | None] = mapped_column(String(64))
    user_agent: Mapped[str | None] = mapped_column(String(400))
    trace_id: Mapped[str | None] = mapped_column(String(64))
