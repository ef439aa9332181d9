"""Holm's correction: bounds the family-wise error rate of comparisons made together."""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import Floats


def adjust(p_values: Floats) -> Floats:
    """Adjusted p-values, to be compared with the same alpha as a single one. NaN stays and is not
    counted.
    """
    adjusted = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p_values[order] * factors))
    return adjusted


def thresholds(p_values: Floats, alpha: float) -> Floats:
    """Threshold of each unadjusted p-value: it is at most the threshold exactly when the adjusted
    one is at most `alpha`. P-values from the first failure on share its threshold.
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
