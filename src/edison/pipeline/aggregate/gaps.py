"""Missing scores. A failed answer and an unreadable verdict are missing, not zero: they are left
out of a comparison and counted by reason; too many of them leave no verdict.
"""

from enum import IntEnum

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.composite import CaseScores
from edison.pipeline.aggregate.results import LeftOut
from edison.pipeline.aggregate.table import Bools, Floats, Ints

# As a share of the cases that one side should have scores for.
MOST_MISSING = 0.05


class Gap(IntEnum):
    """Why a case has no score. Also NONE where no scorer applies to the case."""

    NONE = 0
    FAILED = 1
    UNREADABLE = 2


def gaps_of(scores: CaseScores, failed: Bools | None = None) -> Ints:
    """Gaps by case and variant. A case that lacks a criterion counts as a gap as well. A case with
    a composite has no gap, even if one of its repeats failed.
    """
    gaps = np.full(scores.composite.shape, int(Gap.NONE), dtype=np.int64)
    gaps[scores.unscored | scores.partial] = Gap.UNREADABLE
    if failed is not None:
        gaps[failed & np.isnan(scores.composite)] = Gap.FAILED
    return gaps


def comparable(composite: Floats, gaps: Ints) -> Floats:
    """Composites with all criteria present; NaN where there is a gap."""
    return np.where(gaps == Gap.NONE, composite, np.nan)


def count_left_out(gaps: Ints | None) -> LeftOut:
    if gaps is None:
        return LeftOut()
    return LeftOut(
        failed=int((gaps == Gap.FAILED).sum()), unreadable=int((gaps == Gap.UNREADABLE).sum())
    )


def has_too_many_gaps(baseline: Ints | None, other: Ints | None, *, shared: int) -> bool:
    """Whether more than `MOST_MISSING` of one side is missing. `shared` cases have both scores."""
    if baseline is None or other is None:
        return False
    due = shared + int(((baseline != Gap.NONE) | (other != Gap.NONE)).sum())
    missing = max(int((gaps != Gap.NONE).sum()) for gaps in (baseline, other))
    return missing > MOST_MISSING * due
