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


def thresholds(p_values: Floats, alpha: float) -> Floats:
    """What each p-value itself is held against: at most that, exactly when the adjusted one is at
    most `alpha`. Those that are not are held against the threshold of the first that was not.
    """
    levels = np.full(len(p_values), alpha)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    steps = alpha / np.arange(len(order), 0, -1)
    failed = np.flatnonzero(p_values[order] > steps)
    if failed.size:
        steps[failed[0] :] = steps[failed[0]]
    levels[order] = steps
    return levels
