"""How a credential's slots are shared out among the processes that want them.

Slots are dealt out one by one in turn, to nobody more than it wants; what nobody wants is dealt out
too, so that a process alone has them all. With more processes than slots some get none: they are
next as soon as one that has some has had its turn, and goes to the end of the line.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One process's part. `slots` are those that it has, `wanted` those that it has use for."""

    slots: int
    wanted: int
    turn: int


NOTHING = Claim(slots=0, wanted=0, turn=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What becomes of a claim. `width` is how many calls may be under way from now on, which is
    less than the slots of the claim while calls have to end before slots can be given back.
    `is_short`: others have what this one should.
    """

    claim: Claim
    width: int
    is_short: bool


def portion(
    own: Claim,
    others: Sequence[Claim],
    *,
    limit: int,
    wanted: int,
    under_way: int,
    had_its_turn: bool,
) -> Portion:
    """One process's next claim. It never takes what others still have."""
    if not wanted:
        return Portion(claim=NOTHING, width=0, is_short=False)
    last = max((other.turn for other in others), default=0)
    turn = own.turn or last + 1
    fair = _fair_share(turn, others, limit=limit, wanted=wanted)
    waiting = sum(1 for other in others if other.wanted)
    if had_its_turn and waiting >= limit and turn < last:
        turn = last + 1
        fair = _fair_share(turn, others, limit=limit, wanted=wanted)
    free = max(limit - sum(other.slots for other in others), 0)
    slots = min(max(fair, under_way), free)
    return Portion(
        claim=Claim(slots=slots, wanted=wanted, turn=turn),
        width=min(fair, slots),
        is_short=slots < min(fair, wanted),
    )


def _fair_share(turn: int, others: Sequence[Claim], *, limit: int, wanted: int) -> int:
    wants = {other.turn: other.wanted for other in others if other.wanted}
    wants[turn] = wanted
    line = sorted(wants)
    return deal([wants[each] for each in line], limit=limit)[line.index(turn)]


def deal(wants: Sequence[int], *, limit: int) -> list[int]:
    """As evenly as can be, first what is wanted and then the rest; earlier ones first."""
    dealt = [0] * len(wants)
    left = limit
    for most in (wants, [limit] * len(wants)):
        while places := [place for place, has in enumerate(dealt) if has < most[place]][:left]:
            for place in places:
                dealt[place] += 1
            left -= len(places)
    return dealt
