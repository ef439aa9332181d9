"""Tables of A/B tests, their arms, batches and recorded answers.

The rows determine the next step of a running test: a batch whose run has ended is measured, then
the test is looked at, then the next batch begins.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.loops.abtests.states import AbArmName, AbMode, AbTestState, AnswerState
from edison.workspace.resources.models import Resource

# Unlike JSONB, JSON keeps the order of keys and the notation of numbers.
_Json = JSON(none_as_null=True)


def _one_of(column: str, values: type[StrEnum]) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


class AbTest(Resource, Base):
    """`config` holds the scorers as requested and, from the start on, as planned. `pairs`,
    `worthwhile`, `batch_pairs` and `seed` are fixed at the start: looks with other numbers would
    not be valid.

    `result` is the latest look, and the decision once the test is over. `reason` and `message` say
    why it failed or ran out of money; `note` is what the person who stopped it wrote.
    """

    NOUN = "ab_test"

    __tablename__ = "ab_tests"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        Index(None, "project_id", "updated_at", "id"),
        Index(None, "state"),
        CheckConstraint(_one_of("state", AbTestState), name="state"),
        CheckConstraint(_one_of("mode", AbMode), name="mode"),
    )

    state: Mapped[str] = mapped_column(String(20))
    mode: Mapped[str] = mapped_column(String(20))
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    dataset_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("datasets.id", ondelete="SET NULL"), index=True
    )
    pairs: Mapped[int]
    worthwhile: Mapped[float]
    batch_pairs: Mapped[int]
    seed: Mapped[int]
    config: Mapped[dict[str, Any]] = mapped_column(_Json)
    result: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    answer_count: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)
    stopped_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    @property
    def noun(self) -> str:
        return "A/B test"


class AbArm(Base):
    """The names are those at the last change, so that they outlive what they name."""

    __tablename__ = "ab_test_arms"
    __table_args__ = (CheckConstraint(_one_of("arm", AbArmName), name="arm"),)

    test_id: Mapped[UUID] = mapped_column(
        ForeignKey("ab_tests.id", ondelete="CASCADE"), primary_key=True
    )
    arm: Mapped[str] = mapped_column(String(10), primary_key=True)
    prompt_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompts.id", ondelete="SET NULL"), index=True
    )
    version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("prompt_versions.id", ondelete="SET NULL"), index=True
    )
    model_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("models.id", ondelete="SET NULL"), index=True
    )
    parameters: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    prompt_name: Mapped[str] = mapped_column(String(100))
    version_label: Mapped[str] = mapped_column(String(50))
    model_name: Mapped[str] = mapped_column(String(300))


class AbJudge(Base):
    """A model that scores answers of a test, so that it is not deleted unnoticed."""

    __tablename__ = "ab_test_judges"

    test_id: Mapped[UUID] = mapped_column(
        ForeignKey("ab_tests.id", ondelete="CASCADE"), primary_key=True
    )
    model_id: Mapped[UUID] = mapped_column(
        ForeignKey("models.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class AbScorer(Base):
    """A saved scorer that a test uses, so that it is not deleted unnoticed."""

    __tablename__ = "ab_test_scorers"

    test_id: Mapped[UUID] = mapped_column(
        ForeignKey("ab_tests.id", ondelete="CASCADE"), primary_key=True
    )
    scorer_id: Mapped[UUID] = mapped_column(
        ForeignKey("scorers.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class AbBatch(Identified, Base):
    """Cases that both arms answer in one run. `case_ids` are those of the dataset. `measures` are
    the scores by arm, in the order of the run's cases, null where there is none, and the usage;
    None until the run has ended.
    """

    __tablename__ = "ab_test_batches"
    __table_args__ = (UniqueConstraint("test_id", "number"),)

    test_id: Mapped[UUID] = mapped_column(ForeignKey("ab_tests.id", ondelete="CASCADE"))
    number: Mapped[int]
    run_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("runs.id", ondelete="SET NULL"), index=True
    )
    case_ids: Mapped[list[str]] = mapped_column(_Json)
    measures: Mapped[dict[str, Any] | None] = mapped_column(_Json)
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class AbAnswer(Identified, Base):
    """An answer that a program recorded. `number` is its place in the order of arrival;
    `external_id` is the program's own id, which makes recording idempotent.
    """

    __tablename__ = "ab_test_answers"
    __table_args__ = (
        UniqueConstraint("test_id", "number"),
        UniqueConstraint("test_id", "external_id"),
        Index(None, "test_id", "state"),
        CheckConstraint(_one_of("arm", AbArmName), name="arm"),
        CheckConstraint(_one_of("state", AnswerState), name="state"),
        CheckConstraint("score BETWEEN 0 AND 1", name="score_is_a_share"),
    )

    test_id: Mapped[UUID] = mapped_column(ForeignKey("ab_tests.id", ondelete="CASCADE"))
    number: Mapped[int]
    external_id: Mapped[str | None] = mapped_column(String(200))
    arm: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(20))
    inputs: Mapped[dict[str, Any]] = mapped_column(_Json)
    expected: Mapped[str | None] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    score: Mapped[float | None]
    scores: Mapped[list[dict[str, Any]] | None] = mapped_column(_Json)
    cost_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[datetime]
