"""Order of a pair, pairs that come back reversed, and the sample of pairs. Pure."""

import hashlib
import hmac
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

# Share of pairs that come back reversed, out of 256.
REPEATED_OF_256 = 13
# Votes of the same person before a pair comes back.
VOTES_BETWEEN = 5

Side = Literal["a", "b"]


class PairCandidate(NamedTuple):
    """A possible match."""

    case_position: int
    variant_a: int
    variant_b: int
    output_a_id: UUID
    output_b_id: UUID


def first_shown(order_key: str, match_id: UUID, user_id: UUID, turn: int) -> Side:
    """The second turn shows the reverse of the first."""
    is_a = _digest(order_key, match_id, user_id)[0] % 2 == 0
    return "a" if is_a == (turn == 1) else "b"


def comes_back(order_key: str, match_id: UUID, user_id: UUID) -> bool:
    return _digest(order_key, match_id, user_id)[1] < REPEATED_OF_256


def _digest(order_key: str, match_id: UUID, user_id: UUID) -> bytes:
    said = match_id.bytes + user_id.bytes
    return hmac.new(order_key.encode(), said, hashlib.sha256).digest()


def sample(candidates: Sequence[PairCandidate], *, count: int, seed: str) -> list[PairCandidate]:
    """Shuffled, with as equal numbers of each pair of variants as possible."""
    luck = random.Random(seed)  # noqa: S311 - an order, not a secret
    shuffled = list(candidates)
    luck.shuffle(shuffled)
    by_pair: dict[tuple[int, int], list[PairCandidate]] = defaultdict(list)
    for each in shuffled:
        by_pair[(each.variant_a, each.variant_b)].append(each)
    chosen: list[PairCandidate] = []
    while by_pair and len(chosen) < count:
        pairs = list(by_pair)
        luck.shuffle(pairs)
        for pair in pairs[: count - len(chosen)]:
            chosen.append(by_pair[pair].pop())
            if not by_pair[pair]:
                del by_pair[pair]
    return chosen
