"""Tables of notifications, one row per user, and of their preferences."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.workspace.notifications.kinds import path_of
from edison.workspace.notifications.types import NotificationSubject


class Notification(Identified, Base):
    """To one person. `entity_type` and `entity_id` are what it is about, which may be gone;
    `part_type` and `part_id` are what to look at in it, such as one iteration of an experiment.
    """

    __tablename__ = "notifications"
    __table_args__ = (Index(None, "user_id", "created_at", "id"),)

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
    created_at: Mapped[datetime]
    read_at: Mapped[datetime | None]
    body: Mapped[str] = mapped_column(Text)

    @property
    def path(self) -> str:
        """The page to open, relative to the site."""
        part = None
        if self.part_type is not None and self.part_id is not None:
            part = self.part_type, self.part_id
        subject = NotificationSubject(entity=(self.entity_type, self.entity_id), part=part)
        return path_of(self.project_id, subject)


class NotificationPreference(Base):
    """A user's channels for a kind; without a row, the defaults of the kind."""

    __tablename__ = "notification_preferences"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(40), primary_key=True)
    in_app: Mapped[bool]
    by_email: Mapped[bool]
