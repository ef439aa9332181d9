"""Decisions of an optimization: when its search ends, which candidate is tested on held-out cases,
and what the test means.

Candidates are compared with the base on the training cases that both have. One finalist is tested
on held-out cases; training scores prove nothing about it, because they chose it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.guardrail import Violation
from edison.pipeline.refine.parts import FEW_SHOTS_RAIL, VARIABLES_RAIL, check_prompt
from edison.pipeline.render.prompt_template import PromptTemplate

# Smaller gains on held-out cases are not worth a new version.
WORTHWHILE = 0.02
# A candidate needs scores for this share of the base's training cases.
LEAST_COVERAGE = 0.5
# Smaller differences are rounding errors.
_ROUNDING = 1e-9
# Rails that no candidate may break, however far the search moves from the base.
_FIRM_RAILS = frozenset({VARIABLES_RAIL, FEW_SHOTS_RAIL, "copied_material", "frozen_sections"})
_EMPTY = Violation(rail="empty", message="The prompt is empty.", measured=None, allowed=None)


class SearchStop(StrEnum):
    """Why a search ended. Stored; never rename."""

    NO_HEADROOM = "no_headroom"
    TARGET = "target"
    GENERATIONS = "generations"
    PATIENCE = "patience"
    MONEY = "money"
    NO_CANDIDATES = "no_candidates"


class GateReason(StrEnum):
    """What the test on held-out cases found. Stored; never rename.

    `too_small`: better, but by less than is worthwhile. `missing`: too many answers have no score.
    """

    BETTER = "better"
    NOT_BETTER = "not_better"
    TOO_SMALL = "too_small"
    LESS_SAFE = "less_safe"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """`target` is the mean training score at which the search ends; None is none. `patience` is the
    number of generations without a better candidate.
    """

    generations: int
    patience: int
    target: float | None = None
    worthwhile: float = WORTHWHILE


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCandidate:
    """A measured candidate; the base has number 0. `scores` are composites in 0..1 by training
    case.
    """

    number: int
    generation: int
    scores: Mapping[str, float]
    is_dropped: bool = False


def mean_score(scores: Mapping[str, float]) -> float | None:
    return sum(scores.values()) / len(scores) if scores else None


def gain_over(base: Mapping[str, float], scores: Mapping[str, float]) -> float | None:
    """The mean difference on shared cases; None if there is none."""
    shared = [scores[key] - base[key] for key in scores if key in base]
    return sum(shared) / len(shared) if shared else None


def choose_finalist(candidates: Sequence[SearchCandidate]) -> SearchCandidate | None:
    """The candidate with the highest gain over the base, which comes first; the earliest of equal
    ones. None unless one is better than the base.
    """
    base, *others = candidates
    best: tuple[float, SearchCandidate] | None = None
    for each in others:
        gain = gain_over(base.scores, each.scores)
        covers = len(each.scores) >= LEAST_COVERAGE * len(base.scores)
        if gain is None or each.is_dropped or not covers:
            continue
        if gain > (0.0 if best is None else best[0]) + _ROUNDING:
            best = gain, each
    return None if best is None else best[1]


def find_search_stop(
    limits: SearchLimits, candidates: Sequence[SearchCandidate], *, generation: int
) -> SearchStop | None:
    """The first reason that applies after a generation, counted from 0, which is the base and the
    stated rubric. The base comes first.
    """
    base = mean_score(candidates[0].scores)
    if generation == 0 and base is not None and base > 1 - limits.worthwhile + _ROUNDING:
        return SearchStop.NO_HEADROOM
    finalist = choose_finalist(candidates)
    best = mean_score((finalist or candidates[0]).scores)
    if limits.target is not None and best is not None and best >= limits.target - _ROUNDING:
        return SearchStop.TARGET
    if generation >= limits.generations:
        return SearchStop.GENERATIONS
    since = generation - (0 if finalist is None else finalist.generation)
    return SearchStop.PATIENCE if since >= limits.patience else None


def judge_gate(
    verdict: Verdict, difference: float | None, *, worthwhile: float, is_less_safe: bool
) -> GateReason:
    """What the only test of the finalist means; it is promoted when BETTER."""
    if verdict is Verdict.CANNOT_TELL:
        return GateReason.MISSING
    if verdict is not Verdict.BETTER or difference is None:
        return GateReason.NOT_BETTER
    if difference < worthwhile - _ROUNDING:
        return GateReason.TOO_SMALL
    return GateReason.LESS_SAFE if is_less_safe else GateReason.BETTER


def find_objections(
    base: PromptTemplate, prompt: PromptTemplate, *, material: tuple[str, ...]
) -> tuple[Violation, ...]:
    """Why a candidate may not be measured, whatever strategy proposed it. The limits of a single
    edit do not apply: candidates of later generations have several behind them.
    """
    if not prompt.text.strip():
        return (_EMPTY,)
    found = check_prompt(base, prompt, material=material)
    # Several edits may add more examples than one.
    return tuple(
        each
        for each in found
        if each.rail in _FIRM_RAILS and not (each.rail == FEW_SHOTS_RAIL and each.measured)
    )
