"""The demo project's voting round: open, on the answers of its arena, with the votes of the
simulated reviewer.
"""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import arena, lookup
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.runs.voting import rounds, vote
from edison.runs.voting.models import VotingRound
from edison.runs.voting.schemas import VoteRequest, VotingMatchRead, VotingRoundRequest
from edison.runs.voting.states import ShownChoice

NAME = "Which reply would you send?"
INSTRUCTIONS = "Prefer the reply that solves the customer's problem with the fewest words."
MATCHES = 12
# The reviewer votes on some pairs; each pair needs the vote of one more person.
PEOPLE = 2
VOTES = 7


async def add_round(session: AsyncSession, project_id: UUID, owner_id: UUID) -> None:
    """Does nothing without the completed run of the arena, or if the round exists."""
    run_id = await session.scalar(
        select(Run.id).where(
            Run.project_id == project_id,
            Run.name == arena.NAME,
            Run.state == RunState.COMPLETED,
        )
    )
    made = await session.scalar(
        select(VotingRound.id).where(VotingRound.project_id == project_id, VotingRound.name == NAME)
    )
    if run_id is None or made is not None:
        return
    wanted = VotingRoundRequest(
        run_id=run_id,
        name=NAME,
        instructions=INSTRUCTIONS,
        people_per_match=PEOPLE,
        matches=MATCHES,
    )
    added = await rounds.create_round(
        session, project_id=project_id, author_id=owner_id, wanted=wanted
    )
    reviewer = await lookup.find_or_add_reviewer(session)
    who = vote.Voter(project_id=project_id, round_id=added.id, user_id=reviewer.id)
    step = await vote.claim_next(session, who=who)
    while step.match is not None and step.round.my_votes < VOTES:
        choice = VoteRequest(choice=_choose(step.match), turn=step.match.turn)
        step = await vote.cast(session, who=who, match_id=step.match.id, wanted=choice)
    if step.match is not None:
        # Otherwise the pair would stay claimed for ten minutes.
        await vote.skip(session, who=who, match_id=step.match.id)


def _choose(match: VotingMatchRead) -> ShownChoice:
    """As the instructions say: the shorter reply."""
    first, second = len(match.first.split()), len(match.second.split())
    if first == second:
        return ShownChoice.TIE
    return ShownChoice.FIRST if first < second else ShownChoice.SECOND
