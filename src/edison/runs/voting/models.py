"""Tables of blind voting: rounds, matches, seats, votes."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified
from edison.runs.voting.states import VoteChoice, VotingState

_STATES = ", ".join(f"'{state}'" for state in VotingState)
_CHOICES = ", ".join(f"'{choice}'" for choice in VoteChoice)


class VotingRound(Identified, Base):
    """Pairs of answers of one run, shown without their models. `order_key` keys the hash that
    decides the order of each pair and which pairs come back reversed; it is never sent.

    `named_count` and `identical_count` are pairs left out because an answer names a model, or both
    answers are the same.
    """

    __tablename__ = "voting_rounds"
    __table_args__ = (
        Index(None, "project_id", "created_at", "id"),
        CheckConstraint(f"state IN ({_STATES})", name="state"),
        CheckConstraint("people_per_match >= 1", name="people_positive"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    instructions: Mapped[str | None] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(10))
    people_per_match: Mapped[int] = mapped_column(SmallInteger)
    order_key: Mapped[str] = mapped_column(String(64))
    named_count: Mapped[int] = mapped_column(default=0)
    identical_count: Mapped[int] = mapped_column(default=0)
    author_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class VotingMatch(Identified, Base):
    """Two answers to one case. `variant_a` is lower than `variant_b`; `position` is the place in
    the shuffled order.
    """

    __tablename__ = "voting_matches"
    __table_args__ = (
        UniqueConstraint("round_id", "position"),
        Index(None, "output_a_id"),
        Index(None, "output_b_id"),
    )

    round_id: Mapped[UUID] = mapped_column(ForeignKey("voting_rounds.id", ondelete="CASCADE"))
    position: Mapped[int]
    case_position: Mapped[int]
    variant_a: Mapped[int] = mapped_column(SmallInteger)
    variant_b: Mapped[int] = mapped_column(SmallInteger)
    output_a_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))
    output_b_id: Mapped[UUID] = mapped_column(ForeignKey("outputs.id", ondelete="CASCADE"))


class VotingSeat(Identified, Base):
    """One of the votes that a match needs: free, claimed by `user_id` until `lease_until`, or
    voted.
    """

    __tablename__ = "voting_seats"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        # Each person votes on a match at most once, repeats apart.
        UniqueConstraint("match_id", "user_id"),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("voting_matches.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(SmallInteger)
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    lease_until: Mapped[datetime | None]
    is_voted: Mapped[bool] = mapped_column(default=False)


class Vote(Identified, Base):
    """A person's choice. `turn` is 2 for a pair that came back reversed, which measures consistency
    and does not count for ratings. `user_id` is None if the account was deleted.
    """

    __tablename__ = "votes"
    __table_args__ = (
        UniqueConstraint("match_id", "user_id", "turn"),
        CheckConstraint(f"choice IN ({_CHOICES})", name="choice"),
        CheckConstraint("shown_first IN ('a', 'b')", name="shown_first"),
        CheckConstraint("turn IN (1, 2)", name="turn"),
    )

    match_id: Mapped[UUID] = mapped_column(ForeignKey("voting_matches.id", ondelete="CASCADE"))
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    turn: Mapped[int] = mapped_column(SmallInteger)
    choice: Mapped[str] = mapped_column(String(10))
    shown_first: Mapped[str] = mapped_column(String(1))
    created_at: Mapped[datetime]


class VotingSkip(Base):
    """A match that a person skipped. It is not offered to that person again."""

    __tablename__ = "voting_skips"

    match_id: Mapped[UUID] = mapped_column(
        ForeignKey("voting_matches.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    created_at: Mapped[datetime]
