"""Quantiles of the normal distribution and of Student's t, without scipy at run time."""

import math
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
# Beyond this, a double represents neither the probability nor its complement.
_FARTHEST_Z = 37.0
_LARGE_FREEDOM = 1_000


def normal_share(z: float) -> float:
    """Cumulative distribution function of the standard normal distribution."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(share: float) -> float:
    """Inverse of `normal_share`. Shares of 0 and 1 give a large but finite z."""
    if share <= 0:
        return -_FARTHEST_Z
    if share >= 1:
        return _FARTHEST_Z
    return _NORMAL.inv_cdf(share)


def t_share(t: float, freedom: float) -> float:
    """Cumulative distribution function of Student's t distribution."""
    tail = 0.5 * beta_share(freedom / (freedom + t * t), freedom / 2, 0.5)
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def t_quantile(share: float, freedom: float) -> float:
    """Inverse of `t_share`, for shares in (0, 1)."""
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    if freedom >= _LARGE_FREEDOM:
        return _t_near_normal(normal_quantile(share), freedom)
    low, high = 0.0, 1.0
    while t_share(high, freedom) < share:
        low, high = high, high * 2
    # Bisection to double precision.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_share(middle, freedom) < share else (low, middle)
    return (low + high) / 2


def _t_near_normal(z: float, freedom: float) -> float:
    """The expansion of Abramowitz and Stegun 26.7.5: nine digits at a thousand degrees of
    freedom.
    """
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The continued fraction converges fast on this side only.
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    logarithm = a * math.log(x) + b * math.log1p(-x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(logarithm + scale) / a / _beta_fraction(x, a, b)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Lentz's method for the continued fraction of DLMF 8.17.22."""
    value, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, 500):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        else:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        denominator = 1 / (1 + term * denominator)
        numerator = 1 + term / numerator
        change = numerator * denominator
        value *= change
        if abs(change - 1) < 1e-15:
            break
    return value
