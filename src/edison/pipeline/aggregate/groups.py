"""Sums and means of values that belong together. NaN stands for no value."""

import numpy as np

from edison.pipeline.aggregate.table import Floats, Ints


def sum_by(key: Ints, values: Floats, size: int = 0) -> Floats:
    """Per key, from 0 up to the highest one, or to `size`."""
    return np.asarray(np.bincount(key, weights=values, minlength=size), dtype=np.float64)


def mean_by(key: Ints, values: Floats, size: int = 0) -> Floats:
    """Of the values that are there, per key; NaN for keys without any."""
    known = ~np.isnan(values)
    counts = np.bincount(key[known], minlength=size)
    means = np.full(len(counts), np.nan)
    np.divide(sum_by(key[known], values[known], size), counts, out=means, where=counts > 0)
    return means


def mean_known(values: Floats, axis: int = 1) -> Floats:
    """Along an axis, of the values that are there; NaN where there are none."""
    known = ~np.isnan(values)
    counts = known.sum(axis=axis)
    means = np.full(counts.shape, np.nan)
    np.divide(np.where(known, values, 0).sum(axis=axis), counts, out=means, where=counts > 0)
    return means
