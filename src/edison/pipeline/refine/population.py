"""Selection of parents among measured prompts, for evolutionary strategies.

A prompt that is the best on a single case has learned something, even if its mean is low: parents
come from the per-case Pareto front, each with the weight of the cases it leads (GEPA, Agrawal et
al. 2025). The best by mean stay parents in any case (elitism).
"""

import random
from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.optimizer import PoolMember

# Smaller differences of scores are rounding errors.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A possible parent. `place` is its place in the pool, `leads` the number of cases on which no
    other prompt is better, at least 1 for the elite.
    """

    place: int
    member: PoolMember
    mean: float
    leads: int


def mean_of(member: PoolMember) -> float:
    """0 for a prompt without scores."""
    return sum(member.scores.values()) / len(member.scores) if member.scores else 0.0


def survivors_of(pool: Sequence[PoolMember], *, size: int, elite: int) -> tuple[Survivor, ...]:
    """At most `size` parents, best mean first: the elite, and then those that lead on most cases.
    Of prompts with equal scores on all cases, the earliest counts.
    """
    leads = _leads(pool)
    ranked = sorted(range(len(pool)), key=lambda place: (-mean_of(pool[place]), place))
    chosen = ranked[:elite]
    front = sorted(
        (place for place in ranked if leads[place] and place not in chosen),
        key=lambda place: (-leads[place], ranked.index(place)),
    )
    kept = [*chosen, *front][:size]
    return tuple(
        Survivor(
            place=place,
            member=pool[place],
            mean=mean_of(pool[place]),
            leads=max(1, leads[place]),
        )
        for place in sorted(kept, key=ranked.index)
    )


def draw_parent(survivors: Sequence[Survivor], draw: random.Random) -> Survivor:
    (parent,) = draw.choices(survivors, [each.leads for each in survivors])
    return parent


def draw_pair(
    survivors: Sequence[Survivor], draw: random.Random
) -> tuple[Survivor, Survivor] | None:
    """Two different parents; None if there is only one."""
    first = draw_parent(survivors, draw)
    others = [each for each in survivors if each.place != first.place]
    return (first, draw_parent(others, draw)) if others else None


def _leads(pool: Sequence[PoolMember]) -> list[int]:
    """The number of cases on which each prompt has the best score. A prompt that never does better
    than another one leads nothing, unless all others are as low.
    """
    keys = dict.fromkeys(key for member in pool for key in member.scores)
    leads = [0] * len(pool)
    for key in keys:
        known = [(member.scores[key], at) for at, member in enumerate(pool) if key in member.scores]
        best = max(score for score, _ in known)
        for score, at in known:
            if score >= best - _ROUNDING:
                leads[at] += 1
    dominated = [_is_dominated(at, pool) for at in range(len(pool))]
    return [
        0 if is_dominated else count for is_dominated, count in zip(dominated, leads, strict=True)
    ]


def _is_dominated(place: int, pool: Sequence[PoolMember]) -> bool:
    """Whether another prompt is at least as good on all of its cases, and better on one or listed
    earlier.
    """
    own = pool[place].scores
    for at, other in enumerate(pool):
        if at == place or any(key not in other.scores for key in own):
            continue
        differences = [other.scores[key] - score for key, score in own.items()]
        is_no_worse = all(each >= -_ROUNDING for each in differences)
        if is_no_worse and (any(each > _ROUNDING for each in differences) or at < place):
            return True
    return False
