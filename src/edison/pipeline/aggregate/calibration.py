"""Calibration of judges against human scores, and estimates of human scores for all cases."""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.estimate import estimate_differences, estimate_means
from edison.pipeline.aggregate.groups import mean_by
from edison.pipeline.aggregate.outputs import output_scores
from edison.pipeline.aggregate.prediction_powered import combine
from edison.pipeline.aggregate.results import (
    Calibration,
    CalibrationBin,
    Estimate,
    HumanEstimate,
)
from edison.pipeline.aggregate.table import Floats, Ints, ScoreTable

# With fewer cases, the interval does not reach its nominal coverage.
FEWEST_RANDOM_CASES = 20
_BINS = 5
_NOTHING = Estimate(value=None, interval=None, cases=0)


def calibrations(table: ScoreTable) -> tuple[Calibration, ...]:
    """Calibration of every judge that scored an output with a human score."""
    outputs = output_scores(table)
    people = outputs.people(table)
    found = []
    for at, judge in enumerate(table.scorers):
        both = ~np.isnan(people) & ~np.isnan(outputs.value[:, at])
        if judge.is_judge and both.any():
            found.append(
                _calibration(judge.key, outputs.value[both, at], people[both], outputs.case[both])
            )
    return tuple(found)


def human_estimates(table: ScoreTable) -> tuple[HumanEstimate, ...]:
    """Estimates for every variant with human scores. Only cases drawn at random allow conclusions
    about the cases without human scores.
    """
    is_human = table.is_human
    people = collapse(table.where(is_human)).composite
    drawn = collapse(table.where(is_human & table.drawn_at_random)).composite
    automatic = collapse(table.where(~is_human)).composite
    alone = estimate_means(people)
    return tuple(
        _human_estimate(variant.key, drawn[:, at], automatic[:, at], alone[at])
        for at, variant in enumerate(table.variants)
        if alone[at].cases
    )


def _human_estimate(
    variant: str, drawn: Floats, automatic: Floats, alone: Estimate
) -> HumanEstimate:
    count = int((~np.isnan(drawn)).sum())
    estimate, tuning, obstacle = _NOTHING, 0.0, _obstacle(count)
    if obstacle is None:
        estimate, tuning = combine(drawn, automatic)
    return HumanEstimate(
        variant=variant,
        composite=estimate,
        people_alone=alone,
        tuning=tuning,
        random_cases=count,
        obstacle=obstacle,
    )


def _obstacle(random_cases: int) -> str | None:
    if random_cases >= FEWEST_RANDOM_CASES:
        return None
    if random_cases == 0:
        return (
            "None of the cases that people scored were drawn at random, so their scores say "
            "nothing about the others. Score a random sample in an annotation queue."
        )
    return (
        f"Only {random_cases} of the cases that people scored were drawn at random; it takes "
        f"{FEWEST_RANDOM_CASES}."
    )


def _calibration(judge: str, said: Floats, people: Floats, case: Ints) -> Calibration:
    differences = said - people
    (difference,) = estimate_differences(mean_by(case, differences)[:, None])
    return Calibration(
        judge=judge,
        outputs=len(said),
        difference=difference,
        mean_absolute_error=float(np.abs(differences).mean()),
        correlation=_correlation(said, people),
        rank_correlation=_correlation(_ranks(said), _ranks(people)),
        bins=_bins(said, people),
    )


def _correlation(first: Floats, second: Floats) -> float | None:
    """None when either is constant."""
    if np.ptp(first) < 1e-12 or np.ptp(second) < 1e-12:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values get the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _bins(said: Floats, people: Floats) -> tuple[CalibrationBin, ...]:
    place = np.clip(np.floor(said * _BINS + 1e-9).astype(np.int64), 0, _BINS - 1)
    return tuple(
        CalibrationBin(
            judge_mean=float(said[place == at].mean()),
            human_mean=float(people[place == at].mean()),
            outputs=int((place == at).sum()),
        )
        for at in np.unique(place)
    )
