"""Tables of saved scorers and rubrics. Their contents are in immutable versions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped

# Unlike JSONB, keeps the notation of numbers.
_Json = JSON(none_as_null=True)


class Named(Identified, Timestamped):
    """A named, versioned entity of a project. `latest_number` is the number of its newest version.
    Archived entities keep their name.
    """

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str | None] = mapped_column(Text)
    latest_number: Mapped[int]
    archived_at: Mapped[datetime | None]


class Versioned(Identified):
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


class Rubric(Named, Base):
    __tablename__ = "rubrics"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
    )


class RubricVersion(Versioned, Base):
    """`criteria` holds `{"name", "description", "weight", "scale"}` in the given order; the weights
    sum to 1.
    """

    __tablename__ = "rubric_versions"
    __table_args__ = (UniqueConstraint("rubric_id", "number"),)

    rubric_id: Mapped[UUID] = mapped_column(ForeignKey("rubrics.id", ondelete="CASCADE"))
    criteria: Mapped[list[dict[str, Any]]] = mapped_column(_Json)


class SavedScorer(Named, Base):
    """`kind` is the plug-in's file name. It never changes, because options are specific to a
    kind.
    """

    __tablename__ = "scorers"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
    )

    kind: Mapped[str] = mapped_column(String(40))


class ScorerVersion(Versioned, Base):
    """`options` are complete: the criteria of a rubric are copied into them, so that a version does
    not change when its rubric is deleted. `rubric_version_id` is the source of the criteria.
    """

    __tablename__ = "scorer_versions"
    __table_args__ = (
        UniqueConstraint("scorer_id", "number"),
        CheckConstraint("threshold BETWEEN 0 AND 1", name="threshold_is_a_share"),
        CheckConstraint("weight >= 0", name="weight_not_negative"),
    )

    scorer_id: Mapped[UUID] = mapped_column(ForeignKey("scorers.id", ondelete="CASCADE"))
    rubric_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("rubric_versions.id", ondelete="SET NULL"), index=True
    )
    options: Mapped[dict[str, Any]] = mapped_column(_Json)
    threshold: Mapped[float | None]
    weight: Mapped[float]
    is_negated: Mapped[bool]
