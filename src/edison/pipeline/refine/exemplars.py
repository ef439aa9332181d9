"""Selects the failing answers that best show what is wrong with a prompt.

The worst on the weak criteria come first, with no case and no answer twice, and with a penalty for
repeated tags: five different problems teach more than ten examples of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.weakness import WeakCriterion

MOST = 10
# Judges give 4 of 5 to answers that are fine but not perfect: from here on nothing failed.
PASSING = 0.9
# Penalty for each earlier exemplar with the same tag, on the scale of scores.
_REPETITION = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredOutput:
    """An answer with its scores in 0..1 and rationales, both by the criterion's key."""

    case: str
    variant: str
    inputs: Mapping[str, Any]
    output: str
    expected: str | None = None
    tags: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    rationales: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemplar:
    """`weakest` is the key of the weak criterion with the lowest score, `mean` the mean over all
    weak criteria.
    """

    output: ScoredOutput
    weakest: str
    mean: float


def choose_exemplars(
    outputs: Sequence[ScoredOutput], weak: Sequence[WeakCriterion], *, most: int = MOST
) -> tuple[Exemplar, ...]:
    """Returns failing answers, worst first; empty when nothing failed on a weak criterion."""
    left = _one_per_case(_failing(outputs, weak))
    chosen: list[Exemplar] = []
    used: dict[str, int] = {}

    def cost(exemplar: Exemplar) -> float:
        repeated = max((used.get(tag, 0) for tag in exemplar.output.tags), default=0)
        return exemplar.mean + _REPETITION * repeated

    while left and len(chosen) < most:
        best = min(left, key=cost)
        left.remove(best)
        chosen.append(best)
        for tag in best.output.tags:
            used[tag] = used.get(tag, 0) + 1
    return tuple(sorted(chosen, key=lambda exemplar: exemplar.mean))


def _failing(outputs: Sequence[ScoredOutput], weak: Sequence[WeakCriterion]) -> list[Exemplar]:
    keys = [one.criterion.key for one in weak]
    found = []
    for output in outputs:
        scores = {key: output.scores[key] for key in keys if key in output.scores}
        if scores and min(scores.values()) < PASSING:
            mean = sum(scores.values()) / len(scores)
            weakest = min(scores, key=lambda key: scores[key])
            found.append(Exemplar(output=output, weakest=weakest, mean=mean))
    return sorted(found, key=lambda exemplar: exemplar.mean)


def _one_per_case(exemplars: Sequence[Exemplar]) -> list[Exemplar]:
    """Keeps the worst exemplar of each case and of each distinct answer."""
    cases: set[str] = set()
    answers: set[str] = set()
    found = []
    for exemplar in exemplars:
        answer = " ".join(exemplar.output.output.split())
        if exemplar.output.case in cases or answer in answers:
            continue
        cases.add(exemplar.output.case)
        answers.add(answer)
        found.append(exemplar)
    return found
