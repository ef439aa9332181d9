"""Datasets: the cases a prompt is tested on."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped


class Dataset(Identified, Timestamped, Base):
    __tablename__ = "datasets"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        CheckConstraint(
            "kind IN ('golden', 'synthetic', 'adversarial', 'questions', 'manual')", name="kind"
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(20))
