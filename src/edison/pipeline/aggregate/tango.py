"""Tango's score test and interval for two pass/fail columns on the same cases.

Tango 1998, "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 17.

At a difference of 0 the statistic is McNemar's. With fewer than 15 cases it rejects too often, so
there the exact sign test must also reject before 0 is excluded.
"""

import math
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.binomial import sign_test_p_value
from edison.pipeline.aggregate.quantiles import normal_quantile, normal_share
from edison.pipeline.aggregate.results import Interval, PairedTest

# From here on the score test alone keeps its error rate.
FEWEST_CASES = 15
_ROUNDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTest:
    """`improved` cases went from fail to pass, `regressed` ones from pass to fail."""

    improved: int
    regressed: int
    cases: int

    @property
    def test(self) -> PairedTest:
        return PairedTest.SCORE

    @property
    def p_value(self) -> float:
        p_value = 2 * normal_share(-abs(_statistic(0.0, self.improved, self.regressed, self.cases)))
        if self.cases < FEWEST_CASES:
            return max(p_value, sign_test_p_value(self.improved, self.regressed))
        return p_value

    def interval(self, alpha: float) -> Interval:
        low, high = _bounds(self.improved, self.regressed, self.cases, alpha)
        if self.p_value > alpha:
            return Interval(low=min(low, 0.0), high=max(high, 0.0))
        return Interval(low=low, high=high)


@lru_cache(maxsize=4096)
def _bounds(improved: int, regressed: int, cases: int, alpha: float) -> tuple[float, float]:
    """Where the statistic, which decreases with the difference, crosses z and -z."""
    z = normal_quantile(1 - alpha / 2)
    seen = (improved - regressed) / cases
    at_zero = _statistic(0.0, improved, regressed, cases)

    def crossing(low: float, high: float, level: float) -> float:
        for _ in range(_ROUNDS):
            middle = (low + high) / 2
            is_below = _statistic(middle, improved, regressed, cases) > level
            low, high = (middle, high) if is_below else (low, middle)
        return (low + high) / 2

    # 0 as an end of the bracket keeps rounding from moving a bound across it.
    low = crossing(0.0, seen, z) if at_zero > z else crossing(-1.0, min(seen, 0.0), z)
    high = crossing(seen, 0.0, -z) if at_zero < -z else crossing(max(seen, 0.0), 1.0, -z)
    return low, high


def _statistic(difference: float, improved: int, regressed: int, cases: int) -> float:
    """Distance between the observed and the assumed difference in standard errors, computed under
    the assumed difference.
    """
    a = 2 * cases
    b = -improved - regressed + (2 * cases - improved + regressed) * difference
    c = -regressed * difference * (1 - difference)
    q = (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = cases * (2 * q + difference * (1 - difference))
    distance = improved - regressed - cases * difference
    if variance <= 0:
        return math.copysign(math.inf, distance) if abs(distance) > 1e-12 else 0.0
    return distance / math.sqrt(variance)
