"""Which pair is shown next, remembered where computing it for every vote would be slow."""

from collections.abc import Sequence
from itertools import combinations
from math import log2
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lru_cache import LruCache
from edison.runs.voting.pair_order import comes_back
from edison.runs.voting.ratings import rate_votes
from edison.runs.voting.repository.cast_votes import CastVote, count_votes, list_votes
from edison.runs.voting.repository.seats import VotingSeats

# The newest votes decide which pair is shown next.
MOST_RATED = 2_000
# Up to here, every vote changes the order of the pairs; later, every 2 % more votes do.
FEW_VOTES = 40
STEPS_PER_DOUBLING = 35

_priorities: LruCache[list[tuple[int, int]]] = LruCache(256)
# A round gets no matches after its start; a deleted one is in no vote.
_repeated: LruCache[list[UUID]] = LruCache(256)


async def get_priorities(session: AsyncSession, round_id: UUID) -> list[tuple[int, int]]:
    """Pairs of variants, those with the widest rating intervals first."""

    async def compute() -> list[tuple[int, int]]:
        return _prioritise(await list_votes(session, round_id))

    votes = await count_votes(session, round_id)
    if votes <= FEW_VOTES:
        return await compute()
    return await _priorities.get_or_compute(
        (round_id, int(STEPS_PER_DOUBLING * log2(votes))), compute
    )


def _prioritise(votes: Sequence[CastVote]) -> list[tuple[int, int]]:
    variants = sorted({at for vote in votes for at in (vote.variant_a, vote.variant_b)})
    ratings = rate_votes(votes[-MOST_RATED:], variants)
    if ratings is None:
        return []
    widths = {
        int(each.variant): each.interval.high - each.interval.low
        for each in ratings.ratings
        if each.interval is not None
    }
    pairs = combinations([at for at in variants if at in widths], 2)
    return sorted(pairs, key=lambda pair: (-round(widths[pair[0]] + widths[pair[1]], 6), pair))


async def get_repeated(seats: VotingSeats, order_key: str) -> list[UUID]:
    """The matches of the round that come back to this person."""

    async def compute() -> list[UUID]:
        return [
            match_id
            for match_id in await seats.list_matches()
            if comes_back(order_key, match_id, seats.user_id)
        ]

    return await _repeated.get_or_compute((seats.round_id, seats.user_id), compute)
