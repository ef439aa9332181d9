"""The studentised bootstrap (bootstrap-t) of mean differences: cases are resampled, and each
resample's mean is measured in its own standard errors. Unlike tests that assume symmetric
differences, it stays valid where a few cases fail badly.

A resample without any spread is infinitely many standard errors away. All columns share each
resample; sums and sums of squares of a block of resamples are one matrix product.
"""

import math
from collections.abc import Iterator
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.binomial import upper_share
from edison.pipeline.aggregate.bootstrap import MANY_CASES, SEED, draws
from edison.pipeline.aggregate.results import Interval, PairedTest
from edison.pipeline.aggregate.table import Floats

# Rounding error of a spread of 0, as a share of the mean square.
_NO_SPREAD = {"float32": 1e-5, "float64": 1e-12}
# Tolerance for equal standard errors.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentisedTest:
    """`statistics` has each resample's distance from `mean` in its own standard errors, sorted;
    `error` is the standard error of `mean`; `differing` is the number of `cases` with a difference.
    """

    mean: float
    error: float
    cases: int
    differing: int
    statistics: Floats

    @property
    def test(self) -> PairedTest:
        return PairedTest.BOOTSTRAP_T

    @property
    def p_value(self) -> float:
        found = self.mean / self.error
        count = len(self.statistics)
        upper = count - int(np.searchsorted(self.statistics, found - _ROUNDING, side="left"))
        lower = int(np.searchsorted(self.statistics, found + _ROUNDING, side="right"))
        return min(1.0, 2 * (1 + min(upper, lower)) / (count + 1))

    def interval(self, alpha: float) -> Interval:
        most = int(alpha * (len(self.statistics) + 1) / 2 + _ROUNDING)
        if most == 0:
            return Interval(low=-1.0, high=1.0)
        ends = (self.statistics[-most], self.statistics[most - 1])
        low, high = (self.mean - end * self.error for end in ends)
        # Within a rounding error of 0, the p-value counts the end as reached.
        slack = _ROUNDING * self.error
        low, high = (0.0 if abs(end) <= slack else float(end) for end in (low, high))
        farthest = 1.0
        if max(-low, high) > 1:
            # No mean is farther from 0 than the share of cases that differ.
            farthest = upper_share(self.differing, self.cases, chance=alpha / 2)
        return Interval(low=max(low, -farthest), high=min(high, farthest))


def studentised_tests(
    columns: Floats, *, resamples: int, seed: int = SEED
) -> Iterator[StudentisedTest]:
    """Tests every column; rows are cases, NaN is a case that a column does not have. Every column
    has at least two different values.
    """
    known = ~np.isnan(columns)
    # Most differences are often the same: centred on these, resamples without spread are exact.
    centres = np.nanmedian(columns, axis=0)
    is_of_use = known.any(axis=1)
    statistics = _resample(columns[is_of_use] - centres, resamples, seed)
    for at in range(columns.shape[1]):
        values = columns[known[:, at], at]
        yield StudentisedTest(
            mean=float(values.mean()),
            # Divided by sqrt(n - 1) instead of sqrt(n), to allow for rare failures that few cases
            # miss.
            error=float(values.std(ddof=1)) / math.sqrt(len(values) - 1),
            cases=len(values),
            differing=int((values != 0).sum()),
            statistics=np.sort(statistics[:, at]),
        )


def _resample(deviations: Floats, resamples: int, seed: int) -> Floats:
    """A row per resample: distance of its means from those of the cases, in standard errors."""
    known = ~np.isnan(deviations)
    # With many cases single precision is enough, and twice as fast.
    precision: type[Any] = np.float32 if len(deviations) >= MANY_CASES else np.float64
    values = np.where(known, deviations, 0).astype(precision)
    both = np.hstack([values, np.square(values)])
    is_partial = ~known.all(axis=0)
    present = known[:, is_partial].astype(precision)
    every_case = np.ones((len(values), 1), dtype=precision)
    means = np.nanmean(deviations, axis=0)
    blocks = []
    for counts in draws(len(values), resamples, np.random.Generator(np.random.SFC64(seed))):
        drawn = counts.astype(precision, copy=False)
        sizes = np.repeat(drawn @ every_case, values.shape[1], axis=1)
        sizes[:, is_partial] = drawn @ present
        sums, squares = np.hsplit(drawn @ both, 2)
        blocks.append(_distances(sums, squares, np.maximum(sizes, 1), means))
    return np.concatenate(blocks)


def _distances(sums: Floats, squares: Floats, sizes: Floats, means: Floats) -> Floats:
    found = sums / sizes
    mean_squares = squares / sizes
    spread = mean_squares - np.square(found)
    has_spread = spread > _NO_SPREAD[sums.dtype.name] * mean_squares
    away = (found - means).astype(np.float64)
    variance = np.where(has_spread, spread / np.maximum(sizes - 1, 1), 1.0)
    infinite = np.where(np.abs(away) <= _ROUNDING, 0.0, np.copysign(np.inf, away))
    return np.where(has_spread, away / np.sqrt(variance), infinite)
