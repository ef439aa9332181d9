"""What people say about outputs."""

from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Float,
    ForeignKey,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped
from edison.runs.scoring.scales import Question

_QUESTIONS = ", ".join(f"'{question}'" for question in Question)
# Keeps criteria in the order in which they were asked.
_Json = JSON(none_as_null=True)


class HumanScore(Identified, Timestamped, Base):
    """What one person says about one output: one row, changed in place, gone with the answer it is
    about.

    `answer` is on the question's scale and `value` the same from 0 to 1; both are None for a
    comment alone. `criteria` holds `{name: answer}` where people were asked about several, and
    `answer` is None then. `user_id` is None once the person is gone.
    """

    __tablename__ = "human_scores"
    __table_args__ = (
        UniqueConstraint("output_id", "user_id"),
        CheckConstraint(f"question IN ({_QUESTIONS})", name="question"),
        CheckConstraint("value BETWEEN 0 AND 1", name="value_is_a_share"),
    )

    output_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    question: Mapped[str] = mapped_column(String(10))
    answer: Mapped[int | None] = mapped_column(SmallInteger)
    value: Mapped[float | None] = mapped_column(Float)
    criteria: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    comment: Mapped[str | None] = mapped_column(Text)
