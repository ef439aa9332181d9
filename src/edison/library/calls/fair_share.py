"""Fair division of a credential's slots among processes.

Slots are dealt round-robin, to each process at most as many as it wants; the rest is dealt the same
way, so a single process gets all of them. With more processes than slots, processes take turns: a
process that has had its turn moves to the end of the queue.
"""

from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotClaim:
    """One process's row: `slots` it holds, `wanted` slots it could use, and its place in the
    queue.
    """

    slots: int
    wanted: int
    turn: int


NOTHING = SlotClaim(slots=0, wanted=0, turn=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """The result of a renewal. `width` is the number of concurrent calls allowed from now on; it is
    less than `claim.slots` while calls must end before their slots can be released. `is_short`:
    other processes hold slots that are due to this one.
    """

    claim: SlotClaim
    width: int
    is_short: bool


def allocate(
    own: SlotClaim,
    others: Sequence[SlotClaim],
    *,
    limit: int,
    wanted: int,
    under_way: int,
    had_its_turn: bool,
) -> Allocation:
    """The process's next claim. Never takes slots that other processes still hold."""
    if not wanted:
        return Allocation(claim=NOTHING, width=0, is_short=False)
    last = max((other.turn for other in others), default=0)
    turn = own.turn or last + 1
    fair = _fair_share(turn, others, limit=limit, wanted=wanted)
    waiting = sum(1 for other in others if other.wanted)
    if had_its_turn and waiting >= limit and turn < last:
        turn = last + 1
        fair = _fair_share(turn, others, limit=limit, wanted=wanted)
    free = max(limit - sum(other.slots for other in others), 0)
    slots = min(max(fair, under_way), free)
    return Allocation(
        claim=SlotClaim(slots=slots, wanted=wanted, turn=turn),
        width=min(fair, slots),
        is_short=slots < min(fair, wanted),
    )


def _fair_share(turn: int, others: Sequence[SlotClaim], *, limit: int, wanted: int) -> int:
    wants = {other.turn: other.wanted for other in others if other.wanted}
    wants[turn] = wanted
    line = sorted(wants)
    return deal([wants[each] for each in line], limit=limit)[line.index(turn)]


def deal(wants: Sequence[int], *, limit: int) -> list[int]:
    """Deal slots as evenly as possible, first up to what is wanted, then the rest; ties go to
    earlier places.
    """
    dealt = [0] * len(wants)
    left = limit
    for most in (wants, [limit] * len(wants)):
        while places := [place for place, has in enumerate(dealt) if has < most[place]][:left]:
            for place in places:
                dealt[place] += 1
            left -= len(places)
    return dealt
