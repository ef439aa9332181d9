"""Judges against people: how far a judge's scores can be taken for theirs, and what people would
say about all cases."""

import numpy as np

from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.estimating import estimate_differences, estimate_means
from edison.pipeline.aggregate.grouping import mean_by
from edison.pipeline.aggregate.outputs import output_scores
from edison.pipeline.aggregate.prediction_powered import combine
from edison.pipeline.aggregate.results import Calibration, CalibrationBin, HumanEstimate
from edison.pipeline.aggregate.table import Floats, Ints, ScoreTable

_BINS = 5


def calibrations(table: ScoreTable) -> tuple[Calibration, ...]:
    """Of every judge that scored an output which a person scored too."""
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
    """Of every variant of which people scored some cases."""
    is_human = table.is_human
    people = collapse(table.where(is_human)).composite
    automatic = collapse(table.where(~is_human)).composite
    alone = estimate_means(people)
    found = []
    for at, variant in enumerate(table.variants):
        if alone[at].cases:
            estimate, tuning = combine(people[:, at], automatic[:, at])
            found.append(
                HumanEstimate(
                    variant=variant.key, composite=estimate, people_alone=alone[at], tuning=tuning
                )
            )
    return tuple(found)


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
    """None when either never varies."""
    if np.ptp(first) < 1e-12 or np.ptp(second) < 1e-12:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Floats) -> Floats:
    """Equal values share the middle of their ranks."""
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
