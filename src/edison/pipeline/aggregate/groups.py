"""Grouped sums and means. NaN means no value."""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import Floats, Ints


def sum_by(key: Ints, values: Floats, size: int = 0) -> Floats:
    """Sum per key, from 0 up to the highest key, or to `size`."""
    return np.asarray(np.bincount(key, weights=values, minlength=size), dtype=np.float64)


def mean_by(key: Ints, values: Floats, size: int = 0) -> Floats:
    """Mean per key, ignoring NaN; NaN for keys without values."""
    known = ~np.isnan(values)
    counts = np.bincount(key[known], minlength=size)
    means = np.full(len(counts), np.nan)
    np.divide(sum_by(key[known], values[known], size), counts, out=means, where=counts > 0)
    return means


def mean_known(values: Floats, axis: int = 1) -> Floats:
    """Mean along an axis, ignoring NaN; NaN where there are no values."""
    known = ~np.isnan(values)
    counts = known.sum(axis=axis)
    means = np.full(counts.shape, np.nan)
    np.divide(np.where(known, values, 0).sum(axis=axis), counts, out=means, where=counts > 0)
    return means
