"""The ledger: what every attempt to call a model was expected to cost, and did."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified


class EntryState(StrEnum):
    """`unconfirmed`: nobody was left to say what the attempt cost; it counts as its reservation."""

    RESERVED = "reserved"
    SETTLED = "settled"
    UNCONFIRMED = "unconfirmed"


class LedgerEntry(Identified, Base):
    """One attempt. Written before the call leaves and settled when it is over, so that reported
    spend is never below true spend. Money is in nano-dollars; None means that no price is known.
    """

    __tablename__ = "ledger_entries"
    __table_args__ = (
        CheckConstraint("state IN ('reserved', 'settled', 'unconfirmed')", name="state"),
        CheckConstraint("reserved_nanos >= 0", name="reserved_not_negative"),
        CheckConstraint("cost_nanos >= 0", name="cost_not_negative"),
        Index(None, "project_id", "created_at"),
        Index(None, "state", "created_at"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    # What asked for the call, such as `try`.
    purpose: Mapped[str] = mapped_column(String(40))
    provider: Mapped[str] = mapped_column(String(40))
    model: Mapped[str] = mapped_column(String(300))
    attempt: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    reserved_nanos: Mapped[int | None] = mapped_column(BigInteger)
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]
    cached_input_tokens: Mapped[int | None]
    reasoning_tokens: Mapped[int | None]
    # Counted by us, because the provider did not say.
    is_estimated: Mapped[bool]
    price_version: Mapped[str | None] = mapped_column(String(60))
    # A reason of the pipeline's `FailureReason`, `cancelled`, or None when there is an answer.
    failure: Mapped[str | None] = mapped_column(String(40))
    created_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
