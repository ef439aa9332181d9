"""SQL that reads the votes of a round."""

from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.voting.models import Vote, VotingMatch


class CastVote(NamedTuple):
    """A vote with its match. `user_id` is None for deleted accounts."""

    match_id: UUID
    case_position: int
    variant_a: int
    variant_b: int
    user_id: UUID | None
    turn: int
    choice: str
    shown_first: str


async def list_votes(session: AsyncSession, round_id: UUID) -> list[CastVote]:
    rows = await session.execute(
        select(
            VotingMatch.id,
            VotingMatch.case_position,
            VotingMatch.variant_a,
            VotingMatch.variant_b,
            Vote.user_id,
            Vote.turn,
            Vote.choice,
            Vote.shown_first,
        )
        .join(Vote, Vote.match_id == VotingMatch.id)
        .where(VotingMatch.round_id == round_id)
        .order_by(Vote.created_at, Vote.id)
    )
    return [CastVote(*row) for row in rows]


async def count_votes(session: AsyncSession, round_id: UUID) -> int:
    found = await session.scalar(
        select(func.count())
        .select_from(VotingMatch)
        .join(Vote, Vote.match_id == VotingMatch.id)
        .where(VotingMatch.round_id == round_id)
    )
    return int(found or 0)
