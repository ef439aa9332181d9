"""Tables of saved scorers and rubrics. Their contents are in immutable versions."""

from typing import Any
from uuid import UUID

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base
from edison.workspace.resources.models import Version, VersionedResource

# Unlike JSONB, keeps the notation of numbers.
_Json = JSON(none_as_null=True)


class Rubric(VersionedResource, Base):
    NOUN = "rubric"

    __tablename__ = "rubrics"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
    )

    description: Mapped[str | None] = mapped_column(Text)


class RubricVersion(Version, Base):
    """`criteria` holds `{"name", "description", "weight", "scale"}` in the given order; the weights
    sum to 1.
    """

    __tablename__ = "rubric_versions"
    __table_args__ = (UniqueConstraint("rubric_id", "number"),)

    rubric_id: Mapped[UUID] = mapped_column(ForeignKey("rubrics.id", ondelete="CASCADE"))
    criteria: Mapped[list[dict[str, Any]]] = mapped_column(_Json)


class SavedScorer(VersionedResource, Base):
    """`kind` is the plug-in's file name. It never changes, because options are specific to a
    kind.
    """

    NOUN = "scorer"

    __tablename__ = "scorers"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
    )

    kind: Mapped[str] = mapped_column(String(40))
    description: Mapped[str | None] = mapped_column(Text)


class ScorerVersion(Version, Base):
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
