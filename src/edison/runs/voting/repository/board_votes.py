"""All SQL about the votes on a board."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.runs.store.models import RunCase, RunVariant
from edison.runs.voting.models import Vote, VotingMatch, VotingRound
from edison.runs.voting.states import VoteChoice, VotingState


class BoardVote(NamedTuple):
    run_id: UUID
    case_position: int
    tags: list[str]
    difficulty: int | None
    first_id: UUID
    second_id: UUID
    outcome: int


class BoardVotes:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_votes(self, run_ids: Collection[UUID]) -> list[BoardVote]:
        a, b = aliased(RunVariant), aliased(RunVariant)
        rows = await self._session.execute(
            select(
                VotingRound.run_id,
                VotingMatch.case_position,
                RunCase.tags,
                RunCase.difficulty,
                a.model_id,
                b.model_id,
                Vote.choice,
                Vote.shown_first,
            )
            .join(VotingMatch, VotingMatch.round_id == VotingRound.id)
            .join(Vote, Vote.match_id == VotingMatch.id)
            .join(a, and_(a.run_id == VotingRound.run_id, a.position == VotingMatch.variant_a))
            .join(b, and_(b.run_id == VotingRound.run_id, b.position == VotingMatch.variant_b))
            .join(
                RunCase,
                and_(
                    RunCase.run_id == VotingRound.run_id,
                    RunCase.position == VotingMatch.case_position,
                ),
            )
            .where(*_counts(run_ids))
            .order_by(Vote.id)
        )
        found = []
        for run_id, case, tags, difficulty, a_id, b_id, choice, shown in rows:
            if a_id is None or b_id is None:
                continue
            first, second = (a_id, b_id) if shown == "a" else (b_id, a_id)
            outcome = 0
            if choice in (VoteChoice.A, VoteChoice.B):
                outcome = 1 if choice == shown else -1
            found.append(BoardVote(run_id, case, tags, difficulty, first, second, outcome))
        return found

    async def count(self, run_ids: Collection[UUID]) -> int:
        found = await self._session.scalar(
            select(func.count(Vote.id))
            .join(VotingMatch, VotingMatch.id == Vote.match_id)
            .join(VotingRound, VotingRound.id == VotingMatch.round_id)
            .where(*_counts(run_ids))
        )
        return int(found or 0)


def _counts(run_ids: Collection[UUID]) -> tuple[ColumnElement[bool], ...]:
    """Votes of closed rounds; pairs that came back measure consistency only."""
    return (
        VotingRound.run_id.in_(run_ids),
        VotingRound.state == VotingState.CLOSED,
        Vote.turn == 1,
    )
