"""The sign-flip test for few cases: how often does flipping the signs of the cases' differences
give a mean as far from zero? All combinations of signs are tried, so the p-value is exact.

A difference d is rejected when few flips of (differences - d) get as far. A flip does so when the
mean of the cases that it flips is not beyond d, so the interval's ends are order statistics of the
means of all subsets of cases (Hartigan 1969, "Using subsample values as typical values").
"""

from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.results import Interval, PairedTest
from edison.pipeline.aggregate.table import Floats

MOST_CASES = 14
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlipTest:
    """`means` of all non-empty subsets of cases, sorted; `mean` of all cases."""

    mean: float
    means: Floats

    @staticmethod
    def of(differences: Floats) -> "SignFlipTest":
        """Takes at most `MOST_CASES` cases."""
        members = _subsets(len(differences))
        means = (members @ differences) / members.sum(axis=1)
        means[np.abs(means) < _ROUNDING] = 0
        return SignFlipTest(mean=float(differences.mean()), means=np.sort(means))

    @property
    def test(self) -> PairedTest:
        return PairedTest.SIGN_FLIP

    @property
    def p_value(self) -> float:
        # Flipping no sign at all is one of the flips.
        upper = 1 + int(np.searchsorted(self.means, 0.0, side="right"))
        lower = 1 + len(self.means) - int(np.searchsorted(self.means, 0.0, side="left"))
        return min(1.0, 2 * min(upper, lower) / (len(self.means) + 1))

    def interval(self, alpha: float) -> Interval:
        most = int(alpha * (len(self.means) + 1) / 2 + _ROUNDING)
        if most == 0:
            return Interval(low=-1.0, high=1.0)
        return Interval(low=float(self.means[most - 1]), high=float(self.means[-most]))


@lru_cache(maxsize=MOST_CASES)
def _subsets(cases: int) -> Floats:
    """A row for every non-empty subset of the cases: 1 for its members."""
    numbers = np.arange(1, 2**cases, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(cases)) & 1).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTest:
    """The test for equal differences: their spread is unknown, but all have the same sign.

    Unseen cases may have the opposite difference: at most the share that is consistent with the
    sign test. If all differences are 0, unseen cases may have any difference.
    """

    difference: float
    cases: int

    @property
    def test(self) -> PairedTest:
        return PairedTest.SIGN

    @property
    def p_value(self) -> float:
        return 1.0 if self.difference == 0 else float(min(1.0, 2.0 ** (1 - self.cases)))

    def interval(self, alpha: float) -> Interval:
        unseen = 1 - (alpha / 2) ** (1 / self.cases)
        if self.difference == 0:
            return Interval(low=-unseen, high=unseen)
        near = self.difference * (1 - 2 * unseen)
        if self.p_value > alpha:
            near = min(near, 0.0) if self.difference > 0 else max(near, 0.0)
        low, high = sorted((near, self.difference))
        return Interval(low=low, high=high)
