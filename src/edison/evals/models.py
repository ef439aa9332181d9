"""Tables of evaluations: what `edison eval` started, so that it can go on and be compared with."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class Evaluation(Identified, Base):
    """An evaluation of a configuration. Equal `fingerprint`s ask the same questions and assert the
    same, so that one can go on where the other stopped.
    """

    __tablename__ = "evaluations"
    __table_args__ = (Index(None, "project_id", "created_at", "id"),)

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    fingerprint: Mapped[str] = mapped_column(String(64))
    tags: Mapped[dict[str, str]] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]


class EvaluationRun(Base):
    """A run of an evaluation; `position` is that of its group of cells."""

    __tablename__ = "evaluation_runs"

    evaluation_id: Mapped[UUID] = mapped_column(
        ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), index=True)
