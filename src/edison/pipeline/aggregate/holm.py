"""Holm's correction: any false alarm among comparisons made together is as rare as in one alone."""

import numpy as np

from edison.pipeline.aggregate.table import Floats


def adjust(p_values: Floats) -> Floats:
    """To be held against the same threshold as one alone. NaN stays, and does not count."""
    adjusted = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p_values[order] * factors))
    return adjusted
