"""Tables of projects, members and invitations."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped
from edison.kit.money import NANOS_PER_USD


class Role(StrEnum):
    """Permissions of a member; each role includes the ones before it."""

    VIEWER = "VIEWER"
    REVIEWER = "REVIEWER"
    EDITOR = "EDITOR"
    ADMIN = "ADMIN"
    OWNER = "OWNER"

    def includes(self, other: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


_ROLE_IS_KNOWN = "role IN ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN', 'OWNER')"


class Project(Identified, Timestamped, Base):
    __tablename__ = "projects"
    __table_args__ = (
        UniqueConstraint("slug"),
        # Includes the id, so the list is read from the index in order.
        Index(None, "updated_at", "id"),
        Index(None, "created_at"),
    )

    slug: Mapped[str] = mapped_column(String(80))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str | None] = mapped_column(Text)
    is_demo: Mapped[bool] = mapped_column(default=False)
    # Here rather than in the settings, because every request to the project reads it.
    requires_two_factor: Mapped[bool] = mapped_column(default=False)
    archived_at: Mapped[datetime | None]


class ProjectSettings(Base):
    """Default settings of the project; `version` detects concurrent changes."""

    __tablename__ = "project_settings"
    __table_args__ = (
        CheckConstraint("default_budget_nanos >= 0", name="budget_not_negative"),
        CheckConstraint("default_max_iterations BETWEEN 1 AND 100", name="iterations_in_range"),
        CheckConstraint("cost_alert_threshold BETWEEN 0 AND 1", name="threshold_is_a_share"),
        CheckConstraint("retention_days >= 0", name="retention_not_negative"),
    )

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    version: Mapped[int] = mapped_column(default=1)
    default_budget_nanos: Mapped[int] = mapped_column(BigInteger, default=100 * NANOS_PER_USD)
    default_max_iterations: Mapped[int] = mapped_column(default=10)
    allow_synthetic_datasets: Mapped[bool] = mapped_column(default=True)
    require_review_approval: Mapped[bool] = mapped_column(default=True)
    cost_alert_threshold: Mapped[float] = mapped_column(default=0.8)
    # Runs are archived and then deleted so many days after they ended; with 0 `retention_days` they
    # stay forever. Nothing happens before an admin has confirmed it.
    archive_days: Mapped[int] = mapped_column(default=60)
    retention_days: Mapped[int] = mapped_column(default=90)
    retention_confirmed_at: Mapped[datetime | None]
    updated_at: Mapped[datetime]


class ProjectMember(Identified, Base):
    __tablename__ = "project_members"
    __table_args__ = (
        UniqueConstraint("project_id", "user_id"),
        CheckConstraint(_ROLE_IS_KNOWN, name="role"),
        # Covering index for listing a user's projects.
        Index(None, "user_id", "project_id", "role"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(10))
    joined_at: Mapped[datetime]


class Invitation(Identified, Base):
    """A single-use link into a project; with an email, only for that person."""

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("digest"),
        CheckConstraint("role IN ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN')", name="role"),
    )

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    email: Mapped[str | None] = mapped_column(String(255))
    role: Mapped[str] = mapped_column(String(10))
    message: Mapped[str | None] = mapped_column(String(1000))
    digest: Mapped[str] = mapped_column(String(64))
    # Digest of a second secret that only the mailed link carries, which proves the address.
    proof_digest: Mapped[str | None] = mapped_column(String(64))
    invited_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
