"""Table of provider credentials. Secrets are sealed, or are names of environment variables."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped
from edison.db.sealed import SEALED


class Credential(Identified, Timestamped, Base):
    """`secrets` maps a secret field to `{"sealed", "last_four"}` or to `{"env"}`. `limits` holds
    fields of the pipeline's `CallLimits`.
    """

    __tablename__ = "credentials"
    __table_args__ = (
        UniqueConstraint("project_id", "label"),
        # At most one default per provider, also under concurrent changes.
        Index(
            "uq_credentials_default",
            "project_id",
            "provider",
            unique=True,
            sqlite_where=text("is_default"),
            postgresql_where=text("is_default"),
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    provider: Mapped[str] = mapped_column(String(40))
    label: Mapped[str] = mapped_column(String(100))
    settings: Mapped[dict[str, Any]]
    secrets: Mapped[dict[str, Any]] = mapped_column(info=SEALED)
    limits: Mapped[dict[str, Any]] = mapped_column(default=dict)
    is_default: Mapped[bool]
    tested_at: Mapped[datetime | None]
    # Reason of the last failed test; None when the last test succeeded.
    failure: Mapped[str | None] = mapped_column(String(40))
