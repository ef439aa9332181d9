"""Tables of the answer cache, of credentials' concurrency slots, and of what models bill."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base
from edison.pipeline.generate.tokens.bound import BilledInput


class CachedAnswer(Base):
    """`key` is the digest of everything that shapes the answer; see the pipeline's `cache_key`.
    `completion` is ASCII JSON stored as text, because PostgreSQL's JSON types refuse some strings
    that models return. `expires_at` is None for answers that stay until they are replaced or
    evicted.
    """

    __tablename__ = "cached_answers"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    completion: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None] = mapped_column(index=True)


class LaneShare(Base):
    """How many concurrent calls of a lane one process may make. The sum over all processes never
    exceeds the lane's limit. A lane is a credential, or a model that limits its concurrency itself;
    `lane_id` is the id of either. Deleted with its process.
    """

    __tablename__ = "lane_shares"

    lane_id: Mapped[UUID] = mapped_column(primary_key=True)
    process_id: Mapped[UUID] = mapped_column(
        ForeignKey("worker_processes.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    slots: Mapped[int]
    # Calls in flight plus calls waiting; other processes use it to compute their fair share.
    wanted: Mapped[int]
    # Lower numbers are served first. Processes take turns when they outnumber the slots.
    turn: Mapped[int] = mapped_column(BigInteger)


class ModelBilledInput(Base):
    """The largest bills of a model for its input; see `BilledInput`."""

    __tablename__ = "model_billed_inputs"

    model_id: Mapped[UUID] = mapped_column(
        ForeignKey("models.id", ondelete="CASCADE"), primary_key=True
    )
    bills: Mapped[int]
    ratio_percent: Mapped[int]
    overhead_tokens: Mapped[int]

    @property
    def billed(self) -> BilledInput:
        return BilledInput(
            bills=self.bills,
            ratio_percent=self.ratio_percent,
            overhead_tokens=self.overhead_tokens,
        )

    @billed.setter
    def billed(self, value: BilledInput) -> None:
        self.bills = value.bills
        self.ratio_percent = value.ratio_percent
        self.overhead_tokens = value.overhead_tokens
