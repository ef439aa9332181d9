"""Results of a closed round, models revealed."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.pipeline.aggregate.results import EloRating
from edison.runs.store.models import RunVariant
from edison.runs.voting.errors import VotingOpen
from edison.runs.voting.ratings import consistency_of, rate_votes
from edison.runs.voting.repository.cast_votes import CastVote, list_votes
from edison.runs.voting.repository.rounds import Rounds
from edison.runs.voting.rounds import read_round
from edison.runs.voting.schemas import VotedModelRead, VoterRead, VotingResults
from edison.runs.voting.states import VoteChoice, VotingState


async def get_results(
    session: AsyncSession, *, project_id: UUID, round_id: UUID, user_id: UUID
) -> VotingResults:
    """Raises VotingOpen before the round is closed."""
    rounds = Rounds(session)
    round_ = await rounds.get(project_id, round_id)
    if round_.state != VotingState.CLOSED:
        raise VotingOpen
    votes = await list_votes(session, round_id)
    variants = await rounds.list_variants(round_.run_id)
    positions = [each.position for each in variants]
    ratings = await asyncio.to_thread(rate_votes, votes, positions)
    rated = {} if ratings is None else {each.variant: each for each in ratings.ratings}
    agreement, judged = _agreement(votes, await rounds.list_judged(round_))
    models = [_model(each, rated.get(str(each.position)), votes) for each in variants]
    return VotingResults(
        round=await read_round(session, round_, user_id=user_id),
        run_id=round_.run_id,
        models=sorted(models, key=lambda each: (-each.points, each.variant)),
        voters=await _voters(session, votes),
        first_advantage=None if ratings is None else ratings.first_advantage,
        tie_share=None if ratings is None else ratings.tie_share,
        consistency=consistency_of(votes)[1],
        judge_agreement=agreement,
        judged_count=judged,
    )


def _model(
    variant: RunVariant, rating: EloRating | None, votes: Sequence[CastVote]
) -> VotedModelRead:
    counts = Counter(
        found
        for vote in votes
        if vote.turn == 1 and (found := _result_of(vote, variant.position)) is not None
    )
    interval = None if rating is None or not rating.comparisons else rating.interval
    return VotedModelRead(
        variant=variant.position,
        label=variant.label,
        model_id=variant.model_id,
        model_name=variant.model_name,
        points=1000.0 if rating is None else rating.points,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        wins=counts["win"],
        losses=counts["loss"],
        ties=counts["tie"],
    )


def _result_of(vote: CastVote, position: int) -> str | None:
    if position not in (vote.variant_a, vote.variant_b):
        return None
    if vote.choice not in (VoteChoice.A, VoteChoice.B):
        return "tie"
    return "win" if (vote.choice == VoteChoice.A) == (position == vote.variant_a) else "loss"


def _agreement(
    votes: Sequence[CastVote], judged: Mapping[tuple[int, int, int], str]
) -> tuple[float | None, int]:
    """The share of votes with the judges' preference, over the pairs that have one."""
    same = [
        judged[key] == (vote.choice if vote.choice in (VoteChoice.A, VoteChoice.B) else "tie")
        for vote in votes
        if vote.turn == 1
        and (key := (vote.case_position, vote.variant_a, vote.variant_b)) in judged
    ]
    return (sum(same) / len(same) if same else None), len(same)


async def _voters(session: AsyncSession, votes: Sequence[CastVote]) -> list[VoterRead]:
    by_person: defaultdict[UUID | None, list[CastVote]] = defaultdict(list)
    for vote in votes:
        by_person[vote.user_id].append(vote)
    names = await Rounds(session).find_people([each for each in by_person if each is not None])
    voters = []
    for user_id, own in by_person.items():
        repeats, consistency = consistency_of(own)
        voters.append(
            VoterRead(
                user_id=user_id,
                name=None if user_id is None else names.get(user_id),
                votes=sum(vote.turn == 1 for vote in own),
                repeats=repeats,
                consistency=consistency,
            )
        )
    return sorted(voters, key=lambda each: (-each.votes, str(each.user_id)))
