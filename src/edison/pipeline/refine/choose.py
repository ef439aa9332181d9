"""Chooses the best version of a prompt that a loop has found.

By the held-out score wherever there is one: every version was optimised on the train cases, and the
luckiest of many looks better there than it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from edison.pipeline.aggregate.results import Estimate, VariantComparison, Verdict


class Basis(StrEnum):
    """Which cases a choice is based on. Stored; never rename."""

    HOLDOUT = "holdout"
    TRAIN = "train"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A version with its composites. `against_first` compares it with the loop's first version, on
    held-out cases if there are any, and is None for the first itself.
    """

    version: str
    train: Estimate
    holdout: Estimate | None = None
    against_first: VariantComparison | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestVersion:
    """`score` is the composite in 0..1 that the choice is based on. `warnings` are sentences."""

    version: str
    basis: Basis
    score: float
    warnings: tuple[str, ...] = ()
    runner_up: str | None = None


def choose_best(versions: Sequence[Measured]) -> BestVersion | None:
    """Returns the version with the highest score; of equal ones the earliest, which is the smallest
    change. None when no version has a score. `versions` is in chronological order.
    """
    held_out = [
        (one.holdout.value, one)
        for one in versions
        if one.holdout is not None and one.holdout.value is not None
    ]
    trained = [(one.train.value, one) for one in versions if one.train.value is not None]
    basis = Basis.HOLDOUT if held_out else Basis.TRAIN
    ranked = sorted(held_out or trained, key=lambda pair: -pair[0])
    if not ranked:
        return None
    score, best = ranked[0]
    return BestVersion(
        version=best.version,
        basis=basis,
        score=score,
        warnings=_warnings(best, basis, unmeasured=len(versions) - len(ranked)),
        runner_up=ranked[1][1].version if len(ranked) > 1 else None,
    )


def _warnings(best: Measured, basis: Basis, *, unmeasured: int) -> tuple[str, ...]:
    found = []
    if basis is Basis.TRAIN:
        found.append(
            "Chosen by the cases that the versions were made with, since no held-out case has a "
            "score: it may do worse on new ones."
        )
    if unmeasured:
        what = "held-out score" if basis is Basis.HOLDOUT else "score"
        found.append(
            f"{unmeasured} {'version has' if unmeasured == 1 else 'versions have'} no {what} and "
            "could not be chosen."
        )
    evidence = best.against_first
    if evidence is not None and evidence.verdict is not Verdict.BETTER:
        found.append(
            f"There is no evidence on {evidence.difference.cases} cases that it is better than the "
            "first version."
        )
    return tuple(found)
