"""Confidence intervals of means by resampling cases: bias-corrected, accelerated (BCa), and widened
for few cases.

Plain BCa (Efron 1987) follows the skew of scores but is too narrow for few cases, just as z is
where t belongs: with 15 cases a 95 % interval covers 92 %. Its quantiles are therefore moved out as
Hesterberg (2015, "What Teachers Should Know About the Bootstrap") moves those of percentile
intervals: by t with n - 1 degrees of freedom, times sqrt(n / (n - 1)).

All columns share each resample of cases, and a mean is linear in how often each case was drawn, so
a block of resamples of all columns is one product of matrices. Blocks bound the memory.
"""

import math
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from edison.pipeline.aggregate.groups import mean_known
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats

RESAMPLES = 4_000
SEED = 42
# Draws held in memory at a time.
_BLOCK = 2_000_000
# From here on, shortcuts give the same to all digits that are shown.
MANY_CASES = 1_000
# Of 256 bytes, how many stand for 0, 1, 2 … times: mean and variance are exactly 1, as a Poisson
# distribution has them, and the skew within a hundredth.
_TIMES = bytes(np.repeat(np.arange(6, dtype=np.uint8), (93, 98, 43, 17, 4, 1)))
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
    centres = mean_known(columns, axis=0)
    # Around zero, single precision loses nothing, and equal values stay exactly equal.
    deviations = columns - centres
    is_of_use = ~np.isnan(columns).all(axis=1)
    means = _resampled_means(deviations[is_of_use], resamples, seed)
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
    axis, into the number. None where it cannot be had: NaN, or fewer than two cases. With many
    cases nothing is left of bias and skew, and the jackknife says the same in no time.
    """
    sums = terms.sum(axis=0)
    estimate = float(statistic(sums))
    if len(terms) < 2 or math.isnan(estimate):
        return None
    influences = _influences(statistic(sums - terms))
    squares = float(np.square(influences).sum())
    if squares <= _ROUNDING:
        return Interval(low=estimate, high=estimate)
    if len(terms) >= MANY_CASES:
        half = t_quantile((1 + level) / 2, len(terms) - 1) * math.sqrt(squares)
        return Interval(low=estimate - half, high=estimate + half)
    random = np.random.Generator(np.random.SFC64(seed))
    blocks = [statistic(drawn @ terms) for drawn in draws(len(terms), resamples, random)]
    resampled = np.concatenate(blocks)
    low, high = _bca_bounds(estimate, influences, resampled[~np.isnan(resampled)], level)
    return Interval(low=low, high=high)


def _resampled_means(deviations: Floats, resamples: int, seed: int) -> Floats:
    """A row per resample. A resample that holds none of a column's cases has NaN there."""
    has_value = ~np.isnan(deviations)
    values = np.where(has_value, deviations, 0).astype(np.float32)
    present = has_value.astype(np.float32)
    # Columns that have every case have the same count.
    is_partial = ~has_value.all(axis=0)
    every_case = np.ones((len(deviations), 1), dtype=np.float32)
    blocks = []
    for drawn in draws(len(deviations), resamples, np.random.Generator(np.random.SFC64(seed))):
        means = np.full((len(drawn), values.shape[1]), np.nan)
        counts = np.repeat(drawn @ every_case, values.shape[1], axis=1)
        counts[:, is_partial] = drawn @ present[:, is_partial]
        np.divide(drawn @ values, counts, out=means, where=counts > 0)
        blocks.append(means)
    return np.concatenate(blocks) if blocks else np.empty((0, deviations.shape[1]))


def draws(cases: int, resamples: int, random: np.random.Generator) -> Iterator[NDArray[np.float32]]:
    """How often each case (columns) was drawn in each resample (rows)."""
    rows = max(1, _BLOCK // max(1, cases))
    draw = _draw_many if cases >= MANY_CASES else _draw_few
    for start in range(0, resamples if cases else 0, rows):
        yield draw(min(rows, resamples - start), cases, random)


def _draw_few(rows: int, cases: int, random: np.random.Generator) -> NDArray[np.float32]:
    picked = random.integers(0, cases, size=(rows, cases), dtype=np.uint32)
    offsets = np.arange(rows, dtype=np.int64)[:, None] * cases
    counts = np.bincount((picked + offsets).ravel(), minlength=rows * cases)
    return counts.reshape(rows, cases).astype(np.float32)


def _draw_many(rows: int, cases: int, random: np.random.Generator) -> NDArray[np.float32]:
    """The Poisson bootstrap (Hanley and MacGibbon 2006): each case by itself is drawn 0, 1, 2 …
    times, once on average. One random byte decides, which is all that such speed leaves time for.
    """
    words = -(-cases // 8)
    raw = random.bit_generator.random_raw(rows * words).tobytes()
    counts = np.frombuffer(raw.translate(_TIMES), dtype=np.uint8).reshape(rows, words * 8)
    return counts[:, :cases].astype(np.float32)


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
