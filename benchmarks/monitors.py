"""Monitors and A/B tests in simulated worlds: false alarms a year, how soon a real drop is noticed,
and wrong decisions of A/B tests that are looked at after every answer. Seeds are fixed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.ab_tests import measure_ab_tests
from benchmarks.figures import Figure
from benchmarks.monitor_load import measure_load
from benchmarks.monitor_worlds import WORLDS, World
from edison.pipeline.aggregate.check_noise import FEWEST_CHECKS, REFERENCE_CHECKS
from edison.pipeline.aggregate.drops import (
    DEFAULT_RULE,
    CheckNoise,
    confirming_p,
    lower_p_values,
)
from edison.pipeline.aggregate.paired import ROUNDING
from edison.pipeline.aggregate.table import Floats, Ints

MONITORS = 1_000
CHECKS = 30
CASES = (20, 32, 50, 100)
SCHEDULES = {"daily": 365.0, "hourly": 8_760.0, "every 15 minutes": 35_040.0}
REPEATS = 3
# Independent confirmations of each suspicious check, for a smaller error of the simulation.
CONFIRMATIONS = 8
DROP = 0.15
DROP_MONITORS = 500
CHECKS_AFTER_DROP = 20
MOST_ALARMS = 1.0
MOST_CHECKS = 5
_NEVER = 10**6
_FEW = 5
# Few resamples know small p-values up to about this factor.
_NEAR = 10
# Tests that share resamples: as many as fit into memory.
_AT_ONCE = 50
_RULE = DEFAULT_RULE


def measure() -> list[Figure]:
    return [
        *_false_alarms(),
        _new_monitors(),
        *_drops(),
        *_short_reference(),
        *measure_ab_tests(),
        *measure_load(),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """Checks of some monitors that are far below their baseline: one-sided p-values."""

    monitors: Ints
    p_values: Floats


class _Fleet:
    """Monitors of one world, with the scores of their last good checks and the means of their last
    checks; all have the same number of checks. With a shorter reference, the paired test decides
    alone.
    """

    def __init__(self, world: World, *, earlier: int, reference: int = REFERENCE_CHECKS) -> None:
        self.world = world
        self.reference = reference
        self.everyone = np.arange(world.monitors)
        self.scores = np.zeros((reference, world.monitors, world.cases))
        self.is_good = np.zeros((reference, world.monitors), dtype=bool)
        self.means = np.zeros((reference, world.monitors))
        self.checks = 0
        none = np.array([], dtype=np.int64)
        for _ in range(earlier):
            self.add(world.scores(self.everyone, repeats=1), suspicious=none)

    def add(self, scores: Floats, *, suspicious: Ints) -> None:
        """The place of a suspicious check keeps an older good one."""
        slot = self.checks % self.reference
        good = np.delete(self.everyone, suspicious)
        self.scores[slot, good], self.is_good[slot, good] = scores[good], True
        self.means[slot] = scores.mean(axis=1)
        self.checks += 1

    def set_baseline(self) -> None:
        """Computes the baseline and the noise from the reference checks."""
        self.counts = self.is_good.sum(axis=0)
        self.baseline = self.scores.sum(axis=0) / self.counts[:, None]
        means = self.means[: self.checks]
        self.variances = means.var(axis=0, ddof=1) if self.checks > 1 else np.zeros(means.shape[1])

    def compare(
        self, monitors: Ints, scores: Floats, *, repeats: int, level: float, small_p: float = 0.0
    ) -> _Compared:
        """Leaves out monitors whose p-value is above `level`. Those that may be up to `small_p` are
        computed with many resamples.
        """
        differences = scores - self.baseline[monitors]
        differences[np.abs(differences) < ROUNDING] = 0
        drops = -differences.mean(axis=1) / self.baseline[monitors].mean(axis=1)
        far = np.flatnonzero(drops > _RULE.threshold + ROUNDING)
        by_checks = np.array(
            [self._noise_p(monitors[at], differences[at], repeats) for at in far], dtype=np.float64
        )
        far, by_checks = far[by_checks <= level], by_checks[by_checks <= level]
        by_cases = _p_values(differences[far].T, 0.0)
        small = np.flatnonzero((by_checks <= small_p) & (by_cases <= _NEAR * small_p))
        by_cases[small] = _p_values(differences[far[small]].T, 1.0)
        p_values = np.maximum(by_checks, by_cases)
        kept = p_values <= level
        return _Compared(monitors=monitors[far[kept]], p_values=p_values[kept])

    def _noise_p(self, monitor: int, differences: Floats, repeats: int) -> float:
        if self.checks < FEWEST_CHECKS or self.reference < REFERENCE_CHECKS:
            return 0.0
        noise = CheckNoise(
            variance=float(self.variances[monitor]) * self.world.cases,
            freedom=min(self.checks, REFERENCE_CHECKS) - 1,
            baseline_checks=int(self.counts[monitor]),
        )
        return noise.lower_p_value(float(differences.mean()), self.world.cases, repeats=repeats)


def _p_values(differences: Floats, small_p: float) -> Floats:
    found = [np.empty(0)]
    step = _AT_ONCE if small_p else 10 * _AT_ONCE
    for start in range(0, differences.shape[1], step):
        some = differences[:, start : start + step]
        found.append(lower_p_values(some, np.zeros(some.shape[1], dtype=bool), small_p=small_p))
    return np.concatenate(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Quiet:
    """A simulation without any drop. `p_values` of confirmations up to the daily level; all counts
    are per check.
    """

    suspicious: float
    plain: float
    p_values: Floats
    weight: float

    def alarms(self, checks_a_year: float) -> float:
        level = confirming_p(_RULE, checks_a_year)
        return float((self.p_values <= level).sum()) * self.weight * checks_a_year


def _simulate_quiet(
    name: str, cases: int, *, earlier: int, checks: int, reference: int = REFERENCE_CHECKS
) -> _Quiet:
    random = np.random.default_rng((1, list(WORLDS).index(name), cases, earlier))
    world = WORLDS[name](random=random, monitors=MONITORS, cases=cases)
    fleet = _Fleet(world, earlier=earlier, reference=reference)
    # A short reference has too many alarms for exact small p-values.
    frequent = confirming_p(_RULE, SCHEDULES["hourly"]) if reference == REFERENCE_CHECKS else 0.0
    suspicious, plain, found = 0, 0, [np.empty(0)]
    before = fleet.means[(fleet.checks - 1) % reference]
    for check in range(1, checks + 1):
        world.advance(check)
        fleet.set_baseline()
        scores = world.scores(fleet.everyone, repeats=1)
        first = fleet.compare(fleet.everyone, scores, repeats=1, level=_RULE.suspicious_p)
        for _ in range(CONFIRMATIONS):
            second = fleet.compare(
                first.monitors,
                world.scores(first.monitors, repeats=REPEATS),
                repeats=REPEATS,
                level=_RULE.confirmed_p,
                small_p=frequent,
            )
            found.append(second.p_values)
        fleet.add(scores, suspicious=first.monitors)
        means = scores.mean(axis=1)
        suspicious += len(first.monitors)
        plain += int((means < (1 - _RULE.threshold) * before - ROUNDING).sum())
        before = means
    total = MONITORS * checks
    return _Quiet(
        suspicious=suspicious / total,
        plain=plain / total,
        p_values=np.concatenate(found),
        weight=1 / total / CONFIRMATIONS,
    )


def _false_alarms() -> Iterator[Figure]:
    for cases in CASES:
        for name in WORLDS:
            quiet = _simulate_quiet(name, cases, earlier=REFERENCE_CHECKS, checks=CHECKS)
            alarms = [quiet.alarms(checks) for checks in SCHEDULES.values()]
            yield Figure(
                name=f"{name.capitalize()}, {cases} cases: false alarms a year "
                f"({', '.join(SCHEDULES)})",
                value=" · ".join(f"{each:.2f}" for each in alarms),
                ratio=f"plain rule, daily: {365 * quiet.plain:.0f}; "
                f"{100 * quiet.suspicious:.1f} % of checks confirmed again",
                target=f"<= {MOST_ALARMS:.0f} each",
                is_met=max(alarms) <= MOST_ALARMS,
            )


def _new_monitors() -> Figure:
    """From the second check on, when there is a baseline of one check."""
    quiet = _simulate_quiet("correlated cases", 32, earlier=1, checks=REFERENCE_CHECKS)
    alarms = quiet.alarms(SCHEDULES["daily"]) * REFERENCE_CHECKS / 365
    return Figure(
        name=f"Correlated cases, 32 cases, daily: false alarms in a monitor's first "
        f"{REFERENCE_CHECKS} checks",
        value=f"{alarms:.2f}",
    )


def _drops() -> Iterator[Figure]:
    for name, cases, drop in (
        *((name, 32, DROP) for name in WORLDS),
        ("stable", 20, DROP),
        ("stable", 50, DROP),
        ("stable", 100, DROP),
        ("stable", 32, 2 * DROP),
    ):
        found = _simulate_drop(name, cases, drop)
        is_promised = cases == 32 and drop == DROP
        median = float(np.median(found))
        yield Figure(
            name=f"{name.capitalize()}, {cases} cases, daily: noticed a drop of {drop:.0%} after",
            value=f"{median:.0f} check{'s' * (median > 1)}"
            if median < _NEVER
            else "none within 20 checks",
            ratio=f"{np.mean(found <= MOST_CHECKS):.0%} within {MOST_CHECKS} checks, "
            f"{np.mean(found < _NEVER):.0%} within {CHECKS_AFTER_DROP}",
            target=f"median <= {MOST_CHECKS}" if is_promised else "",
            is_met=median <= MOST_CHECKS if is_promised else None,
        )


def _short_reference() -> Iterator[Figure]:
    """What a baseline of few checks and the paired test alone would give."""
    quiet = _simulate_quiet("correlated cases", 32, earlier=_FEW, checks=CHECKS, reference=_FEW)
    yield Figure(
        name=f"For comparison, a baseline of {_FEW} checks and the paired test alone: "
        "correlated cases, 32 cases, daily: false alarms a year",
        value=f"{quiet.alarms(SCHEDULES['daily']):.0f}",
    )
    found = _simulate_drop("stable", 32, DROP, reference=_FEW)
    yield Figure(
        name=f"For comparison, the same: stable, 32 cases: noticed a drop of {DROP:.0%} within "
        f"{CHECKS_AFTER_DROP} checks",
        value=f"{np.mean(found < _NEVER):.0%}",
    )


def _simulate_drop(
    name: str, cases: int, drop: float, *, reference: int = REFERENCE_CHECKS
) -> Ints:
    """The number of checks until the alert, by monitor. Checks that were not suspicious enter the
    baseline, although the drop has happened.
    """
    random = np.random.default_rng((2, list(WORLDS).index(name), cases))
    world = WORLDS[name](random=random, monitors=DROP_MONITORS, cases=cases)
    fleet = _Fleet(world, earlier=reference, reference=reference)
    world.effect = 1 - drop
    # The drop may come with a new version.
    world.advance(0)
    found = np.full(DROP_MONITORS, _NEVER)
    for check in range(1, CHECKS_AFTER_DROP + 1):
        fleet.set_baseline()
        scores = world.scores(fleet.everyone, repeats=1)
        first = fleet.compare(fleet.everyone, scores, repeats=1, level=_RULE.suspicious_p)
        again = world.scores(first.monitors, repeats=REPEATS)
        second = fleet.compare(first.monitors, again, repeats=REPEATS, level=_RULE.confirmed_p)
        found[second.monitors] = np.minimum(found[second.monitors], check)
        fleet.add(scores, suspicious=first.monitors)
    return found
