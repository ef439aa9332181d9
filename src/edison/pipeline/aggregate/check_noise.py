"""Noise of a monitor's checks: how far checks of an unchanged system differ from each other.

Paired tests take cases as independent. Cases that share a document or a topic fail together, so a
check's mean varies more than they say, and checks repeat the same test all year. The checks
themselves show how much: the spread of their means contains whatever cases have in common.
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.drops import CheckNoise, CheckScores, build_baseline, case_means
from edison.pipeline.aggregate.quantiles import normal_share

# How many checks make the baseline, and how many show the noise. The baseline is made of the last
# good checks; the noise is that of the last checks that raised no alert, as leaving out suspicious
# ones would understate it.
REFERENCE_CHECKS = 30
# With fewer, their spread is a guess.
FEWEST_CHECKS = 5


def measure_noise(checks: Sequence[CheckScores], *, baseline_checks: int) -> CheckNoise | None:
    """Takes the last checks without an alert, with the same number of answers per case. None with
    fewer than five that have at least half of all cases.
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
    return CheckNoise(
        variance=variance(offsets) * len(centre),
        freedom=count - 1,
        baseline_checks=baseline_checks,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseNoise:
    """`mean` score over cases; `variance` of one case's score from check to check, the mean over
    cases.
    """

    mean: float
    variance: float


def measure_case_noise(checks: Sequence[CheckScores]) -> CaseNoise | None:
    """None without a case that two checks have."""
    scores: dict[str, list[float]] = {}
    for check in checks:
        for key, mean in case_means(check).items():
            scores.setdefault(key, []).append(mean)
    variances = [variance(found) for found in scores.values() if len(found) > 1]
    if not variances:
        return None
    return CaseNoise(mean=fmean(map(fmean, scores.values())), variance=fmean(variances))


def expected_plain_alarms(
    noise: CaseNoise, *, cases: int, threshold: float, checks_a_year: float
) -> float:
    """False alarms a year of the plain rule, "more than `threshold` below the previous check", if
    nothing changes.
    """
    if noise.variance == 0 or noise.mean <= 0 or cases < 1:
        return 0.0
    # The check less (1 - threshold) times the previous one is below 0.
    kept = 1 - threshold
    error = math.sqrt(noise.variance / cases * (1 + kept**2))
    return checks_a_year * normal_share(-threshold * noise.mean / error)
