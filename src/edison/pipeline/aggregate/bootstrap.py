"""Confidence intervals of means by resampling cases: bias-corrected and accelerated (BCa), widened
for few cases.

Plain BCa (Efron 1987) follows the skew of scores but is too narrow for few cases, as z is where t
is appropriate: with 15 cases a 95 % interval covers 92 %. Its quantiles are therefore widened as
Hesterberg (2015, "What Teachers Should Know About the Bootstrap") does for percentile intervals: by
t with n - 1 degrees of freedom, times sqrt(n / (n - 1)).

All columns share each resample of cases, and a mean is linear in the number of draws of each case,
so a block of resamples of all columns is one matrix product. Blocks limit the memory.
"""

import math
from collections.abc import Callable, Iterator
from typing import Literal

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import mean_known
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share, t_quantile
from edison.pipeline.aggregate.results import Interval
from edison.pipeline.aggregate.table import Floats, Singles

RESAMPLES = 4_000
SEED = 42
# Draws held in memory at a time.
_BLOCK = 2_000_000
# From here on, approximations agree in all displayed digits.
MANY_CASES = 1_000
# Acceleration up to which the expansion of a mean's resamples is exact enough.
_LITTLE_SKEW = 0.02
# How many of the 256 byte values map to 0, 1, 2 … draws: mean and variance are exactly 1, as in a
# Poisson distribution, and the skew is within a hundredth.
_TIMES = b"".join(bytes([times]) * values for times, values in enumerate((93, 98, 43, 17, 4, 1)))
# Max sum of squares that equal scores can have by rounding.
_ROUNDING = 1e-20
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def bca_intervals(
    columns: Floats, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Interval | None]:
    """Interval of the mean of every column; rows are cases. NaN is a case that a column does not
    have.

    A column with fewer than two cases has no interval; one whose values are all equal has an
    interval of zero width.
    """
    centres = mean_known(columns, axis=0)
    # Centred, so that single precision is enough and equal values stay exactly equal.
    deviations = columns - centres
    known = [column[~np.isnan(column)] for column in deviations.T]
    bounds = [_expanded_bounds(each, level) for each in known]
    left = [at for at, found in enumerate(bounds) if found is None and _has_spread(known[at])]
    if left:
        is_of_use = ~np.isnan(columns[:, left]).all(axis=1)
        means = _resampled_means(deviations[is_of_use][:, left], resamples, seed)
        for at, column in zip(left, means.T, strict=True):
            bounds[at] = _bca_bounds(0.0, known[at], column[~np.isnan(column)], level)
    return [_interval(*each) for each in zip(centres.tolist(), known, bounds, strict=True)]


def bca_interval(
    terms: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """Interval of any statistic that depends only on sums over cases, such as a ratio, a slope or a
    correlation.

    Rows of `terms` are cases, columns are the summands; `statistic` maps sums, along the last axis,
    to the number. None where it is undefined: NaN, or fewer than two cases. With many cases bias
    and skew are negligible, and the much faster jackknife is used.
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
    """A row per resample. NaN where a resample contains none of a column's cases."""
    has_value = ~np.isnan(deviations)
    values = np.where(has_value, deviations, 0).astype(np.float32)
    present = has_value.astype(np.float32)
    # Columns without gaps share one count.
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


# `np.random` is quoted because reading it loads NumPy.
def draws(cases: int, resamples: int, random: "np.random.Generator") -> Iterator[Singles]:
    """Yields how often each case (columns) was drawn in each resample (rows)."""
    rows = max(1, _BLOCK // max(1, cases))
    draw = _draw_many if cases >= MANY_CASES else _draw_few
    for start in range(0, resamples if cases else 0, rows):
        yield draw(min(rows, resamples - start), cases, random)


def _draw_few(rows: int, cases: int, random: "np.random.Generator") -> Singles:
    picked = random.integers(0, cases, size=(rows, cases), dtype=np.uint32)
    offsets = np.arange(rows, dtype=np.int64)[:, None] * cases
    counts = np.bincount((picked + offsets).ravel(), minlength=rows * cases)
    return counts.reshape(rows, cases).astype(np.float32)


def _draw_many(rows: int, cases: int, random: "np.random.Generator") -> Singles:
    """The Poisson bootstrap (Hanley and MacGibbon 2006): each case is drawn 0, 1, 2 … times
    independently, once on average. One random byte per case decides, for speed.
    """
    words = -(-cases // 8)
    raw = random.bit_generator.random_raw(rows * words).tobytes()
    counts = np.frombuffer(raw.translate(_TIMES), dtype=np.uint8).reshape(rows, words * 8)
    return counts[:, :cases].astype(np.float32)


def _has_spread(deviations: Floats) -> bool:
    return len(deviations) > 1 and float(np.square(deviations).sum()) > _ROUNDING


def _interval(
    centre: float, deviations: Floats, bounds: tuple[float, float] | None
) -> Interval | None:
    """`bounds` are relative to `centre`, None without spread."""
    if len(deviations) < 2:
        return None
    if bounds is None:
        return Interval(low=centre, high=centre)
    # A mean lies among its values; rounding must not carry a share past 1.
    least, most = float(deviations.min()), float(deviations.max())
    return Interval(low=centre + max(bounds[0], least), high=centre + min(bounds[1], most))


def _expanded_bounds(deviations: Floats, level: float) -> tuple[float, float] | None:
    """The bounds of a mean that infinitely many resamples would give, by the Cornish-Fisher
    expansion; None with few cases, much skew or no spread. The error is a tenth of the noise of
    `RESAMPLES` resamples.
    """
    if len(deviations) < MANY_CASES or not _has_spread(deviations):
        return None
    acceleration = _acceleration(deviations)
    if abs(acceleration) > _LITTLE_SKEW:
        return None
    error = math.sqrt(float(np.square(deviations).sum())) / len(deviations)
    # The bias of a mean's resamples equals its acceleration.
    places = [_bca_place(acceleration, acceleration, end) for end in _ends(len(deviations), level)]
    low, high = (error * (place + acceleration * (place**2 - 1)) for place in places)
    return low, high


def _influences(without_one: Floats) -> Floats:
    """Influence of each case on the statistic; 0 where the statistic is undefined without
    the case.
    """
    known = without_one[~np.isnan(without_one)]
    centre = known.mean() if known.size else 0.0
    return np.nan_to_num(centre - without_one)


def _bca_bounds(
    estimate: float, influences: Floats, resampled: Floats, level: float
) -> tuple[float, float]:
    ordered = np.sort(resampled)
    below = sum(int(np.searchsorted(ordered, estimate, side=side)) for side in _SIDES)
    bias = normal_quantile(below / (2 * len(ordered)))
    acceleration = _acceleration(influences)
    places = [_bca_place(bias, acceleration, end) for end in _ends(len(influences), level)]
    low, high = (_quantile(ordered, normal_share(place)) for place in places)
    return low, high


def _ends(count: int, level: float) -> tuple[float, float]:
    z = t_quantile((1 + level) / 2, count - 1) * math.sqrt(count / (count - 1))
    return -z, z


def _acceleration(influences: Floats) -> float:
    """The jackknife influence of a case on a mean is its deviation from the mean."""
    squares = float(np.square(influences).sum())
    return float((influences**3).sum() / (6 * squares**1.5))


def _bca_place(bias: float, acceleration: float, z: float) -> float:
    """The bound's place among the resamples, as a normal quantile."""
    shifted = bias + z
    stretch = 1 - acceleration * shifted
    # Beyond the pole of the formula its sign would flip.
    return bias + shifted / stretch if stretch > 0 else math.copysign(math.inf, z)


def _quantile(ordered: Floats, share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (ordered[above] - ordered[below]) * (place - below))
