"""Whether a candidate is as safe as the base."""

import numpy as np
import pytest

from edison.pipeline.refine.safety import compare_safety


@pytest.mark.parametrize(
    ("cases", "lost", "gained", "is_less_safe"),
    [
        # No case differs, or the mean is not lower.
        (10, 0, 0, False),
        (10, 1, 1, False),
        # On few cases, one lost case may be the sign of many.
        (10, 1, 0, True),
        # Nearly as many lost as gained, on enough cases to exclude a loss beyond the margin.
        (2000, 21, 20, False),
        # So many lost cases are no chance, although they are few.
        (2000, 20, 0, True),
    ],
)
def test_a_lower_mean_needs_evidence_that_it_is_no_loss(
    cases: int, lost: int, gained: int, is_less_safe: bool
) -> None:
    base, candidate = np.ones(cases), np.ones(cases)
    candidate[:lost] = 0
    base[lost : lost + gained] = 0
    found = compare_safety(base, candidate, alpha=0.03)
    assert found.difference == pytest.approx((gained - lost) / cases)
    assert found.is_less_safe is is_less_safe


def test_without_scores_nothing_is_less_safe() -> None:
    found = compare_safety(np.empty(0), np.empty(0), alpha=0.03)
    assert (found.difference, found.interval, found.is_less_safe) == (None, None, False)
