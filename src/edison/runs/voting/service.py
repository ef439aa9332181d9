"""What other slices need of blind voting."""

from collections.abc import Collection, Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.voting.repository.board_votes import BoardVotes
from edison.runs.voting.repository.rounds import OpenRound, Rounds


class ModelVote(NamedTuple):
    """A vote of a closed round between two models. `outcome` is 1 for `first`, -1 for `second`,
    0 for a tie. Votes on the same case of a run share `case`.
    """

    case: tuple[UUID, int]
    first_id: UUID
    second_id: UUID
    outcome: int


async def list_model_votes(
    session: AsyncSession,
    *,
    run_ids: Collection[UUID],
    tag: str | None = None,
    difficulty: int | None = None,
) -> Sequence[ModelVote]:
    """Votes of closed rounds on the answers of these runs, without deleted models."""
    found = await BoardVotes(session).list_votes(run_ids)
    return [
        ModelVote((vote.run_id, vote.case_position), vote.first_id, vote.second_id, vote.outcome)
        for vote in found
        if (tag is None or tag in vote.tags)
        and (difficulty is None or vote.difficulty == difficulty)
    ]


async def count_model_votes(session: AsyncSession, *, run_ids: Collection[UUID]) -> int:
    """Changes when a round is closed or deleted."""
    return await BoardVotes(session).count(run_ids)


async def list_open_rounds(
    session: AsyncSession, *, project_id: UUID, user_id: UUID
) -> Sequence[OpenRound]:
    """Open rounds with pairs left for this person, the newest first."""
    return await Rounds(session).list_left(project_id, user_id)


async def drop_outdated(session: AsyncSession, output_ids: Sequence[UUID]) -> None:
    """Hook of runs: the answers of these outputs were replaced. Removes their pairs and votes."""
    await Rounds(session).drop_matches(output_ids)


async def find_evidence(session: AsyncSession, project_id: UUID) -> Collection[UUID]:
    """Hook of retention: the runs that people voted on. Votes are deleted with their run."""
    return await Rounds(session).list_run_ids(project_id)
