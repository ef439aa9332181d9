"""Drops candidates while they are measured on growing numbers of shared cases.

A candidate is dropped only when another one is shown to be better by a test that stays valid under
repeated looks (`aggregate/bets`). With m candidates, each test uses alpha / (m - 1), so that the
truly best candidate is dropped with a probability of at most alpha, however often the race is
looked at.
"""

from collections.abc import Mapping, Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.bets import p_value_below
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.table import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """`rival` is the candidate that is better, by `difference` on the `cases` both have. `p_value`
    is to be compared with `alpha`, the level of one test.
    """

    candidate: str
    rival: str
    difference: float
    cases: int
    p_value: float
    alpha: float


def stages_of(cases: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """Growing numbers of cases after which losers are dropped; the last one is all cases."""
    return (*(each for each in sorted(set(wanted)) if 0 < each < cases), cases)


def eliminate(
    scores: Mapping[str, Floats], *, entered: int, alpha: float = ALPHA
) -> tuple[Elimination, ...]:
    """The candidates to drop, in the order of `scores`, which holds scores in 0..1 by case in the
    order of the race, NaN where there is none. `entered` counts the candidates at the start of the
    race and must not change between looks.
    """
    level = alpha / max(1, entered - 1)
    found = []
    for candidate, own in scores.items():
        rivals = (
            _against(candidate, own, rival, other, level)
            for rival, other in scores.items()
            if rival != candidate
        )
        beaten = [each for each in rivals if each is not None]
        if beaten:
            found.append(min(beaten, key=lambda each: each.p_value))
    return tuple(found)


def _against(
    candidate: str, own: Floats, rival: str, other: Floats, level: float
) -> Elimination | None:
    count = min(len(own), len(other))
    differences = own[:count] - other[:count]
    known = differences[~np.isnan(differences)]
    if not len(known) or float(known.mean()) >= 0:
        return None
    p_value = p_value_below(known)
    if p_value > level:
        return None
    return Elimination(
        candidate=candidate,
        rival=rival,
        difference=float(known.mean()),
        cases=len(known),
        p_value=p_value,
        alpha=level,
    )
