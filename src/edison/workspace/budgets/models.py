"""Tables of budgets and of the ledger, which holds the reserved and actual cost of every attempt to
call a model. Amounts are in nano-dollars.
"""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    String,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, JsonColumn, Timestamped
from edison.db.membership import is_either

# A sum of calls may need more than 32 bits. SQLite's integers have 64.
_TOKENS = BigInteger().with_variant(Integer(), "sqlite")
_RESERVED = text("state = 'reserved'")
_UNCONFIRMED = text("state = 'unconfirmed'")


class Scope(StrEnum):
    """What a budget limits."""

    PROJECT = "project"
    EXPERIMENT = "experiment"
    MONITOR = "monitor"
    OPTIMIZER = "optimizer"
    ARENA = "arena"
    AB_TEST = "ab_test"
    EVALUATION = "evaluation"


class Period(StrEnum):
    """In all, a UTC day, or the last thirty days."""

    TOTAL = "total"
    DAY = "day"
    ROLLING_30_DAYS = "rolling_30_days"


class Budget(Identified, Timestamped, Base):
    """A spending limit for a scope and period.

    `spent_nanos` counts for the window that contains `window_day`; transactions on a later day roll
    the window forward first. For the scope `project`, `scope_id` is the project's id.
    """

    __tablename__ = "budgets"
    __table_args__ = (
        UniqueConstraint("project_id", "scope", "scope_id", "period"),
        CheckConstraint(
            "scope IN ('project', 'experiment', 'monitor', 'optimizer', 'arena', 'ab_test', "
            "'evaluation')",
            name="scope",
        ),
        CheckConstraint("period IN ('total', 'day', 'rolling_30_days')", name="period"),
        CheckConstraint("limit_nanos >= 0", name="limit_not_negative"),
        CheckConstraint("spent_nanos >= 0", name="spent_not_negative"),
        CheckConstraint("reserved_nanos >= 0", name="reserved_not_negative"),
        CheckConstraint("alert_threshold BETWEEN 0 AND 1", name="threshold_is_a_share"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    scope: Mapped[str] = mapped_column(String(20))
    scope_id: Mapped[UUID]
    period: Mapped[str] = mapped_column(String(20))
    limit_nanos: Mapped[int] = mapped_column(BigInteger)
    spent_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    reserved_nanos: Mapped[int] = mapped_column(BigInteger, default=0)
    window_day: Mapped[date]
    alert_threshold: Mapped[float]
    # Whether dollars of simulated models count; they never do elsewhere.
    counts_simulated: Mapped[bool] = mapped_column(default=False)
    # The day of the last alert about the threshold.
    alerted_on: Mapped[date | None]


class BudgetDay(Base):
    """Cost of one day, for budgets with a rolling window."""

    __tablename__ = "budget_days"

    budget_id: Mapped[UUID] = mapped_column(
        ForeignKey("budgets.id", ondelete="CASCADE"), primary_key=True
    )
    day: Mapped[date] = mapped_column(primary_key=True)
    spent_nanos: Mapped[int] = mapped_column(BigInteger)


class EntryState(StrEnum):
    """`settled`: charged its actual cost. `released`: never sent, or voided by an administrator.
    `unconfirmed`: its process died after sending it, so it is charged its full reservation.
    """

    RESERVED = "reserved"
    SETTLED = "settled"
    RELEASED = "released"
    UNCONFIRMED = "unconfirmed"


class LedgerEntry(Identified, Base):
    """One attempt to call a model. Written before the request is sent and charged when it ends, so
    reported spend is never below actual spend. Amounts are None when no price is known.
    `budget_ids` are the budgets that hold the reservation.

    `left_at` is committed before the request is sent: after a crash, a reservation without it is
    released and one with it is charged as unconfirmed. `settled_at` is when the charge was booked.
    `note` is an administrator's reason for correcting or voiding an unconfirmed charge.

    When the retention of a project deletes a run, its entries are replaced by sums, of which each
    stands for several `calls`.
    """

    __tablename__ = "ledger_entries"
    __table_args__ = (
        CheckConstraint(is_either("state", EntryState), name="state"),
        CheckConstraint("reserved_nanos >= 0", name="reserved_not_negative"),
        CheckConstraint("cost_nanos >= 0", name="cost_not_negative"),
        Index(None, "project_id", "created_at"),
        Index(None, "run_id", "created_at"),
        # Only these are looked for by their state. An index of all entries would be changed by
        # every charge.
        Index(
            "ix_ledger_entries_reserved",
            "process_id",
            sqlite_where=_RESERVED,
            postgresql_where=_RESERVED,
        ),
        # With the state, so that SQLite prefers it to that of all entries of a project.
        Index(
            "ix_ledger_entries_unconfirmed",
            "project_id",
            "state",
            "created_at",
            sqlite_where=_UNCONFIRMED,
            postgresql_where=_UNCONFIRMED,
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    # Why the call was made, such as `try`.
    purpose: Mapped[str] = mapped_column(String(40))
    # The run and the process that made the call; either may have been deleted.
    run_id: Mapped[UUID | None] = mapped_column(Uuid())
    process_id: Mapped[UUID | None] = mapped_column(Uuid())
    provider: Mapped[str] = mapped_column(String(40))
    model: Mapped[str] = mapped_column(String(300))
    attempt: Mapped[int]
    calls: Mapped[int] = mapped_column(server_default="1")
    state: Mapped[str] = mapped_column(String(20))
    reserved_nanos: Mapped[int | None] = mapped_column(BigInteger)
    budget_ids: Mapped[list[str]] = mapped_column(JsonColumn)
    cost_nanos: Mapped[int | None] = mapped_column(BigInteger)
    # Edison's own count of the prompt, from which estimates learn what the provider adds.
    counted_tokens: Mapped[int | None] = mapped_column(_TOKENS)
    input_tokens: Mapped[int | None] = mapped_column(_TOKENS)
    output_tokens: Mapped[int | None] = mapped_column(_TOKENS)
    cached_input_tokens: Mapped[int | None] = mapped_column(_TOKENS)
    reasoning_tokens: Mapped[int | None] = mapped_column(_TOKENS)
    # The model was simulated, so that its dollars are not real.
    is_simulated: Mapped[bool] = mapped_column(default=False)
    # Token counts are estimates, because the provider returned none.
    is_estimated: Mapped[bool]
    price_version: Mapped[str | None] = mapped_column(String(60))
    # A `FailureReason` of the pipeline, `cancelled`, or None for an answer.
    failure: Mapped[str | None] = mapped_column(String(40))
    created_at: Mapped[datetime]
    left_at: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    note: Mapped[str | None] = mapped_column(String(500))
