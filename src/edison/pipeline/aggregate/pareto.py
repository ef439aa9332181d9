"""Which variants nothing beats in both score and cost."""

import numpy as np

from edison.pipeline.aggregate.table import Bools, Floats


def pareto_front(scores: Floats, costs: Floats) -> Bools:
    """True for each variant to which no other is at least as good and cheap, and better in one.

    More score and less cost are better; costs may have several columns, such as money and latency.
    What has no score or no cost (NaN) is not on the front.
    """
    losses = np.column_stack([-scores, costs])
    known = ~np.isnan(losses).any(axis=1)
    no_worse = np.all(losses[:, None, :] <= losses[None, :, :], axis=2)
    better = np.any(losses[:, None, :] < losses[None, :, :], axis=2)
    # NaN is neither, so what is not known beats nothing.
    beaten = np.any(no_worse & better, axis=0)
    return np.asarray(known & ~beaten)
