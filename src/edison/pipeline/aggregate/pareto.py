"""Pareto front of variants by score and cost."""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import Bools, Floats


def pareto_front(scores: Floats, costs: Floats) -> Bools:
    """True for each variant that no other variant dominates: at least as good in all respects and
    better in one. More score and less cost are better; costs may have several columns, such as
    money and latency. Variants without a score or a cost (NaN) are not on the front.
    """
    losses = np.column_stack([-scores, costs])
    known = ~np.isnan(losses).any(axis=1)
    no_worse = np.all(losses[:, None, :] <= losses[None, :, :], axis=2)
    better = np.any(losses[:, None, :] < losses[None, :, :], axis=2)
    # Comparisons with NaN are False, so unknown values dominate nothing.
    beaten = np.any(no_worse & better, axis=0)
    return np.asarray(known & ~beaten)
