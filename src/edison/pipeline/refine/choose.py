"""Chooses the best version of a prompt that a loop has found.

The leader is chosen on the training cases and tested once, on the held-out cases, against the first
version (the gate). Unless a version passed, the first one stays the best: the luckiest of many
versions looks better than it is on the cases it was chosen by.
"""

from collections.abc import Sequence
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.alpha import alpha_of_look, can_succeed
from edison.pipeline.aggregate.results import Estimate, VariantComparison, Verdict

# Below this alpha, fresh held-out cases are worth more than another look.
LEAST_ALPHA = 0.001
# Smaller differences are rounding errors.
_ROUNDING = 1e-9


class Basis(StrEnum):
    """Which cases a score is based on. Stored; never rename."""

    HOLDOUT = "holdout"
    TRAIN = "train"


class GateState(StrEnum):
    """What is known about the leader on held-out cases. Stored; never rename.

    `worn_out`: too few held-out cases to pass at the alpha that is left; nothing was spent.
    """

    FIRST = "first"
    PASSED = "passed"
    FAILED = "failed"
    WORN_OUT = "worn_out"
    UNTESTED = "untested"
    NO_CASES = "no_cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutTest:
    """The test of a version against the first. `comparison` is at `alpha`, that of the look; all
    three are None when the test could not succeed. `looks` counts those at these cases so far.
    """

    looks: int
    cases: int
    look: int | None = None
    alpha: float | None = None
    comparison: VariantComparison | None = None

    @property
    def has_passed(self) -> bool:
        return self.comparison is not None and self.comparison.verdict is Verdict.BETTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A version with its composites. `gain` is the paired difference from the first version on the
    training cases; None if they share none. `test` is its only test on held-out cases.
    """

    version: str
    train: Estimate
    gain: float | None = None
    holdout: Estimate | None = None
    test: HoldoutTest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestVersion:
    """`score` is the composite in 0..1 on the cases of `basis`. `leader` is the version chosen on
    the training cases, `state` the outcome of its test.
    """

    version: str
    basis: Basis
    score: float
    leader: str
    leader_gain: float
    state: GateState
    test: HoldoutTest | None = None


def find_leader(
    versions: Sequence[Measured], *, prefers_latest: bool = False
) -> tuple[Measured, float] | None:
    """The version with the highest gain on the training cases, and the gain; of equal ones the
    earliest, which is the smallest change, or the latest with `prefers_latest`. None when no
    version has a score. `versions` is in chronological order.
    """
    scored = _scored(versions)
    if not scored:
        return None
    gains = [_gain(each, scored[0]) for each in scored]
    best = max(gains)
    leaders = [each for each, gain in zip(scored, gains, strict=True) if gain >= best - _ROUNDING]
    return leaders[-1 if prefers_latest else 0], best


def choose_best(versions: Sequence[Measured]) -> BestVersion | None:
    """None when no version has a score. `versions` is in chronological order."""
    found = find_leader(versions)
    if found is None:
        return None
    leader, gain = found
    scored = _scored(versions)
    first = scored[0]
    state = _state(leader, first, scored)
    best = leader if state is GateState.NO_CASES else _last_passed(scored) or first
    held = None if best.holdout is None else best.holdout.value
    score = best.train.value if held is None else held
    return BestVersion(
        version=best.version,
        basis=Basis.TRAIN if held is None else Basis.HOLDOUT,
        score=score if score is not None else 0.0,
        leader=leader.version,
        leader_gain=gain,
        state=state,
        test=leader.test,
    )


def needs_test(versions: Sequence[Measured]) -> Measured | None:
    """The leader, if it can be tested on held-out cases and was not yet."""
    found = find_leader(versions)
    if found is None:
        return None
    scored = _scored(versions)
    leader = found[0]
    return leader if _state(leader, scored[0], scored) is GateState.UNTESTED else None


def is_worn_out(*, cases: int, looks: int) -> bool:
    """Whether fresh cases are due before the next look at these held-out cases."""
    following = looks + 1
    return alpha_of_look(following) < LEAST_ALPHA or not can_succeed(cases, look=following)


def _scored(versions: Sequence[Measured]) -> list[Measured]:
    return [each for each in versions if each.train.value is not None]


def _gain(version: Measured, first: Measured) -> float:
    if version is first:
        return 0.0
    if version.gain is not None:
        return version.gain
    return (version.train.value or 0.0) - (first.train.value or 0.0)


def _state(leader: Measured, first: Measured, scored: Sequence[Measured]) -> GateState:
    if not any(each.holdout is not None and each.holdout.value is not None for each in scored):
        return GateState.NO_CASES
    if leader is first:
        return GateState.FIRST
    test = leader.test
    if test is None:
        return GateState.UNTESTED
    if test.look is None:
        return GateState.WORN_OUT
    return GateState.PASSED if test.has_passed else GateState.FAILED


def _last_passed(scored: Sequence[Measured]) -> Measured | None:
    """Of the versions that passed, the one that leads on the training cases."""
    passed = [each for each in scored if each.test is not None and each.test.has_passed]
    return max(passed, key=lambda each: _gain(each, scored[0]), default=None)
