"""What people should know or act on, one row for each of them; and what they want to hear of."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class NotificationKind(StrEnum):
    """What a notification is about. Stored; never rename."""

    RUN_FINISHED = "run_finished"
    PARTIAL_FAILURE = "partial_failure"
    REVIEW_WAITING = "review_waiting"
    EXPERIMENT_ENDED = "experiment_ended"
    BUDGET_ALERT = "budget_alert"
    ALERT_OPENED = "alert_opened"
    ALERT_RECOVERED = "alert_recovered"
    MONITOR_PAUSED = "monitor_paused"


class EmailState(StrEnum):
    """Stored; never rename."""

    WANTED = "wanted"
    SENT = "sent"
    FAILED = "failed"


class Notification(Identified, Base):
    """To one person. `entity_type` and `entity_id` are what it is about, which may be gone;
    `part_type` and `part_id` are what to look at in it, such as one iteration of an experiment.
    With an `email_state` it goes by mail, too.
    """

    __tablename__ = "notifications"
    __table_args__ = (
        Index(None, "user_id", "created_at", "id"),
        Index(None, "email_state"),
        CheckConstraint("email_state IN ('wanted', 'sent', 'failed')", name="email_state"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    kind: Mapped[str] = mapped_column(String(40))
    entity_type: Mapped[str] = mapped_column(String(40))
    entity_id: Mapped[UUID] = mapped_column(Uuid())
    part_type: Mapped[str | None] = mapped_column(String(40))
    part_id: Mapped[UUID | None] = mapped_column(Uuid())
    title: Mapped[str] = mapped_column(String(200))
    email_state: Mapped[str | None] = mapped_column(String(10))
    created_at: Mapped[datetime]
    read_at: Mapped[datetime | None]
    body: Mapped[str] = mapped_column(Text)


class NotificationPreference(Base):
    """A user's channels for a kind; without a row, the defaults of `preferences`."""

    __tablename__ = "notification_preferences"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(40), primary_key=True)
    in_app: Mapped[bool]
    by_email: Mapped[bool]
