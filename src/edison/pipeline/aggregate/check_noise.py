"""Noise of a monitor's checks: how far checks of an unchanged system differ from each other.

Paired tests take cases as independent. Cases that share a document or a topic fail together, so a
check's mean varies more than they say, and checks repeat the same test all year. The checks
themselves show how much: the spread of their means contains whatever cases have in common.
"""

import math
from collections.abc import Sequence

from edison.pipeline.aggregate.drops import CheckNoise, CheckScores, build_baseline, case_means
from edison.pipeline.aggregate.quantiles import normal_share

# The latest checks that raised no alert make the reference: those that were not suspicious are the
# baseline, all of them show the noise. Leaving out the lowest ones would understate it.
REFERENCE_CHECKS = 30
# With fewer, their spread is a guess.
FEWEST_CHECKS = 5


def measure_noise(checks: Sequence[CheckScores], *, baseline_checks: int) -> CheckNoise | None:
    """Takes the reference checks, also suspicious ones, with the same number of answers per case.
    None with fewer than five that have at least half of all cases.
    """
    means = [case_means(check) for check in checks]
    centre = build_baseline(checks)
    offsets = [
        math.fsum(score - centre[key] for key, score in found.items()) / len(found)
        for found in means
        if found and 2 * len(found) >= len(centre)
    ]
    count = len(offsets)
    if count < FEWEST_CHECKS or baseline_checks < 1:
        return None
    middle = math.fsum(offsets) / count
    variance = math.fsum((offset - middle) ** 2 for offset in offsets) / (count - 1)
    return CheckNoise(
        variance=variance * len(centre), freedom=count - 1, baseline_checks=baseline_checks
    )


def expected_plain_alarms(
    checks: Sequence[CheckScores], *, threshold: float, checks_a_year: float
) -> float | None:
    """False alarms a year of the plain rule, "more than `threshold` below the previous check", if
    nothing changes. The variance of each case's score over the checks gives the variance of a
    check's mean. None without a case that two checks have.
    """
    scores: dict[str, list[float]] = {}
    for check in checks:
        for key, mean in case_means(check).items():
            scores.setdefault(key, []).append(mean)
    variances = [_variance(found) for found in scores.values() if len(found) > 1]
    mean = math.fsum(build_baseline(checks).values()) / len(scores) if scores else 0.0
    if not variances or mean <= 0:
        return None
    # A case that only one check has counts with the mean variance.
    variance = math.fsum(variances) / len(variances) / len(scores)
    if variance == 0:
        return 0.0
    # The check less (1 - threshold) times the previous one is below 0.
    kept = 1 - threshold
    error = math.sqrt(variance * (1 + kept**2))
    return checks_a_year * normal_share(-threshold * mean / error)


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
