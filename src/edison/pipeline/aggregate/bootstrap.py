"""Confidence intervals of means by resampling cases: bias-corrected, accelerated (BCa), and widened
for few cases.

Plain BCa (Efron 1987) follows the skew of scores but is too narrow for few cases, just as z is
where t belongs: with 15 cases a 95 % interval covers 92 %. Its quantiles are therefore moved out as
Hesterberg (2015, "What Teachers Should Know About the Bootstrap", section 3.3) does for percentile
intervals, by t with n - 1 degrees of freedom times sqrt(n / (n - 1)).

All columns share each resample of cases, and a mean is linear in how often each case was drawn, so
a block of resamples of all columns is one product of matrices. Blocks bound the memory.
"""

import math
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats

RESAMPLES = 4_000
SEED = 42
# Draws held in memory at a time.
_BLOCK = 2_000_000
_LONG_ROW = 1_000
# What the squares of equal scores may add up to.
_ROUNDING = 1e-20
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def bca_intervals(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Interval | None]:
    """Of the mean of every column; rows are cases. NaN is a case that a column does not have.

    A column with fewer than two cases has no interval; one whose values are all equal has an
    interval of no width.
    """
    centres = _means(columns)
    # Around zero, single precision loses nothing, and equal values stay exactly equal.
    deviations = columns - centres
    means = _resampled_means(deviations, resamples, seed)
    return [
        _interval(float(centre), deviations[:, at], means[:, at], level)
        for at, centre in enumerate(centres)
    ]


def bca_interval(
    terms: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """Of anything that depends on sums over cases only, such as a ratio, a slope or a correlation.

    Rows of `terms` are cases, its columns what is summed up; `statistic` turns sums, along the last
    axis, into the number. None where it cannot be had: NaN, or fewer than two cases.
    """
    sums = terms.sum(axis=0)
    estimate = float(statistic(sums))
    if len(terms) < 2 or math.isnan(estimate):
        return None
    influences = _influences(statistic(sums - terms))
    if float(np.square(influences).sum()) <= _ROUNDING:
        return Interval(low=estimate, high=estimate)
    random = np.random.Generator(np.random.SFC64(seed))
    blocks = [statistic(drawn @ terms) for drawn in _draws(len(terms), resamples, random)]
    resampled = np.concatenate(blocks)
    low, high = _bca_bounds(estimate, influences, resampled[~np.isnan(resampled)], level)
    return Interval(low=low, high=high)


def _means(columns: Floats) -> Floats:
    has_value = ~np.isnan(columns)
    counts = has_value.sum(axis=0)
    means = np.full(columns.shape[1], np.nan)
    sums = np.where(has_value, columns, 0).sum(axis=0)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def _resampled_means(deviations: Floats, resamples: int, seed: int) -> Floats:
    """A row per resample. A resample that holds none of a column's cases has NaN there."""
    has_value = ~np.isnan(deviations)
    values = np.where(has_value, deviations, 0).astype(np.float32)
    present = has_value.astype(np.float32)
    blocks = []
    for drawn in _draws(len(deviations), resamples, np.random.Generator(np.random.SFC64(seed))):
        means = np.full((len(drawn), values.shape[1]), np.nan)
        counts = drawn @ present
        np.divide(drawn @ values, counts, out=means, where=counts > 0)
        blocks.append(means)
    return np.concatenate(blocks) if blocks else np.empty((0, deviations.shape[1]))


def _draws(
    cases: int, resamples: int, random: np.random.Generator
) -> Iterator[NDArray[np.float32]]:
    """How often each case (columns) was drawn in each resample (rows)."""
    rows = max(1, _BLOCK // max(1, cases))
    for start in range(0, resamples if cases else 0, rows):
        shape = (min(rows, resamples - start), cases)
        yield _counts(random.integers(0, cases, size=shape, dtype=np.uint32))


def _counts(picked: NDArray[np.uint32]) -> NDArray[np.float32]:
    rows, cases = picked.shape
    # Counts of a long row stay in the processor's cache; short rows are not worth a call each.
    if cases >= _LONG_ROW:
        counts = np.empty(picked.shape, dtype=np.float32)
        for at, picks in enumerate(picked):
            counts[at] = np.bincount(picks, minlength=cases)
        return counts
    offsets = np.arange(rows, dtype=np.int64)[:, None] * cases
    flat = np.bincount((picked + offsets).ravel(), minlength=rows * cases)
    return flat.reshape(rows, cases).astype(np.float32)


def _interval(centre: float, deviations: Floats, means: Floats, level: float) -> Interval | None:
    known = deviations[~np.isnan(deviations)]
    if len(known) < 2:
        return None
    if float(np.square(known).sum()) <= _ROUNDING:
        return Interval(low=centre, high=centre)
    # The jackknife's influence of a case on a mean is its deviation from it.
    low, high = _bca_bounds(0.0, known, means[~np.isnan(means)], level)
    # A mean lies among its values; rounding must not carry a share past 1.
    least, most = float(known.min()), float(known.max())
    return Interval(low=centre + max(low, least), high=centre + min(high, most))


def _influences(without_one: Floats) -> Floats:
    """How far each case moves the statistic; a case without which there is none does not count."""
    known = without_one[~np.isnan(without_one)]
    centre = known.mean() if known.size else 0.0
    return np.nan_to_num(centre - without_one)


def _bca_bounds(
    estimate: float, influences: Floats, resampled: Floats, level: float
) -> tuple[float, float]:
    ordered = np.sort(resampled)
    below = sum(int(np.searchsorted(ordered, estimate, side=side)) for side in _SIDES)
    bias = normal_quantile(below / (2 * len(ordered)))
    squares = float(np.square(influences).sum())
    acceleration = float((influences**3).sum()) / (6 * squares**1.5)
    count = len(influences)
    z = t_quantile((1 + level) / 2, count - 1) * math.sqrt(count / (count - 1))
    low, high = (_quantile(ordered, _bca_share(bias, acceleration, end)) for end in (-z, z))
    return low, high


def _bca_share(bias: float, acceleration: float, z: float) -> float:
    shifted = bias + z
    stretch = 1 - acceleration * shifted
    # Beyond the pole the formula would come back from the other side.
    return normal_share(bias + shifted / stretch) if stretch > 0 else float(z > 0)


def _quantile(ordered: Floats, share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))
