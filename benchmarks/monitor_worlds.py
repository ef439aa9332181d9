"""Worlds in which nothing happens, to count the false alarms of monitors: simulated checks of many
monitors at once. `effect` below 1 makes every case of a world worse by that factor.
"""

from dataclasses import dataclass, field

import numpy as np

from edison.pipeline.aggregate.table import Floats, Ints

PASS_RATE = 0.8
GROUP = 4
# Chance that a case shares the fate of its group: two of a group have a correlation of 0.49.
SHARED_FATE = 0.7
CHECKS_BETWEEN_VERSIONS = 10


@dataclass(kw_only=True)
class World:
    """All cases pass equally often."""

    random: np.random.Generator
    monitors: int
    cases: int
    effect: float = 1.0
    rates: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.rates = self.draw_rates((self.monitors, self.cases))

    def draw_rates(self, shape: tuple[int, int]) -> Floats:
        return np.full(shape, PASS_RATE)

    def advance(self, check: int) -> None:
        """What changes before this check."""

    def scores(self, monitors: Ints, *, repeats: int) -> Floats:
        """Mean score of every case (columns) of these monitors (rows)."""
        rates = self.effect * self.rates[monitors]
        total = np.zeros(rates.shape)
        for _ in range(repeats):
            total += self.draw_scores(rates)
        return np.asarray(total / repeats)

    def draw_scores(self, rates: Floats) -> Floats:
        return np.asarray(self.random.random(rates.shape) < rates, dtype=np.float64)


class Unequal(World):
    """Most cases pass almost always, a few almost never."""

    def draw_rates(self, shape: tuple[int, int]) -> Floats:
        return self.random.beta(1.6, 0.4, shape)


class Correlated(World):
    """Groups of four similar cases often pass or fail together."""

    def draw_scores(self, rates: Floats) -> Floats:
        groups = np.arange(self.cases) // GROUP
        of_group = self.random.random((len(rates), groups[-1] + 1))[:, groups]
        is_shared = self.random.random(rates.shape) < SHARED_FATE
        luck = np.where(is_shared, of_group, self.random.random(rates.shape))
        return np.asarray(luck < rates, dtype=np.float64)


class JudgeNoise(World):
    """Graded scores in steps of 0.1: neither answers nor the judge repeat themselves."""

    def draw_rates(self, shape: tuple[int, int]) -> Floats:
        return self.random.beta(6, 1.5, shape)

    def draw_scores(self, rates: Floats) -> Floats:
        answers = rates + self.random.normal(0, 0.1, rates.shape)
        judged = answers + self.random.normal(0, 0.15, rates.shape)
        return np.asarray(np.round(10 * np.clip(judged, 0, 1)) / 10)


class NewVersions(Unequal):
    """Every version is good at other cases, and as good on the whole."""

    def advance(self, check: int) -> None:
        if check % CHECKS_BETWEEN_VERSIONS == 0:
            self.rates = self.random.permuted(self.rates, axis=1)


WORLDS: dict[str, type[World]] = {
    "stable": World,
    "unequal case difficulty": Unequal,
    "correlated cases": Correlated,
    "judge noise": JudgeNoise,
    "new versions without effect": NewVersions,
}
