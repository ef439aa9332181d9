"""Columns shared by the tables of resources and of their versions."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Identified, Timestamped

LONGEST_NAME = 100


class Resource(Identified, Timestamped):
    """A named entity of a project that can be archived; archived ones keep their name. `NOUN` is
    its name in messages, in the audit log and in events.
    """

    NOUN: ClassVar[str]

    @property
    def noun(self) -> str:
        """The name in messages, where it differs from the one in the log and in events."""
        return self.NOUN

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    archived_at: Mapped[datetime | None]


class VersionedResource(Resource):
    """Its contents are in immutable versions; `latest_number` is the number of the newest."""

    latest_number: Mapped[int]


class Version(Identified):
    """Immutable. `digest` is equal for equal contents."""

    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]

    @property
    def label(self) -> str:
        return f"v{self.number}"
