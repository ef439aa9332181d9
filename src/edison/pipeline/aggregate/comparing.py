"""Whether one variant is better than another, on the cases that both have scores for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edison.pipeline.aggregate.bootstrap import RESAMPLES
from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.estimating import estimate_differences
from edison.pipeline.aggregate.holm import adjust
from edison.pipeline.aggregate.power import (
    ALPHA,
    cases_needed,
    effect_size,
    minimum_detectable_effect,
)
from edison.pipeline.aggregate.results import Comparison, Estimate, Verdict
from edison.pipeline.aggregate.sign_flip import sign_flip_p_values
from edison.pipeline.aggregate.table import Floats, ScoreTable

# Differences of composites that are equal on paper.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Composites of the same cases in the same order, NaN where there is none."""

    baseline: str
    other: str
    baseline_scores: Floats
    other_scores: Floats


def compare(
    baseline: ScoreTable,
    other: ScoreTable,
    *,
    variants: Sequence[tuple[str, str]] | None = None,
    alpha: float = ALPHA,
) -> tuple[Comparison, ...]:
    """Two runs, case by case. `variants` names pairs of theirs, the baseline's first; unless told,
    those of the same key or, if both runs have only one, these.
    """
    pairs = _same_variants(baseline, other) if variants is None else variants
    before, after = collapse(baseline).composite, collapse(other).composite
    place = {case.key: at for at, case in enumerate(other.cases)}
    shared = [(at, place[case.key]) for at, case in enumerate(baseline.cases) if case.key in place]
    rows = np.array(shared, dtype=np.int64).reshape(-1, 2)
    names = [variant.key for variant in baseline.variants]
    other_names = [variant.key for variant in other.variants]
    return compare_pairs(
        [
            Pair(
                baseline=first,
                other=second,
                baseline_scores=before[rows[:, 0], names.index(first)],
                other_scores=after[rows[:, 1], other_names.index(second)],
            )
            for first, second in pairs
        ],
        alpha=alpha,
    )


def compare_pairs(
    pairs: Sequence[Pair], *, alpha: float = ALPHA, resamples: int = RESAMPLES
) -> tuple[Comparison, ...]:
    """All of the same cases. P-values are corrected for the number of pairs."""
    if not pairs:
        return ()
    differences = np.column_stack([pair.other_scores - pair.baseline_scores for pair in pairs])
    differences[np.abs(differences) < _ROUNDING] = 0
    estimates = estimate_differences(differences, level=1 - alpha, resamples=resamples)
    p_values = sign_flip_p_values(differences)
    adjusted = adjust(p_values)
    return tuple(
        _comparison(pair, column[~np.isnan(column)], estimate, (alone, together), alpha)
        for pair, column, estimate, alone, together in zip(
            pairs, differences.T, estimates, p_values, adjusted, strict=True
        )
    )


def _comparison(
    pair: Pair,
    differences: Floats,
    estimate: Estimate,
    p_values: tuple[float, float],
    alpha: float,
) -> Comparison:
    is_shared = ~np.isnan(pair.baseline_scores + pair.other_scores)
    count = len(differences)
    mean = estimate.value or 0.0
    spread = float(differences.std(ddof=1)) if count > 1 else 0.0
    # Equal differences leave a spread of a rounding error.
    spread = spread if spread > _ROUNDING else 0.0
    alone, together = p_values
    return Comparison(
        baseline=pair.baseline,
        other=pair.other,
        baseline_mean=_mean(pair.baseline_scores[is_shared]),
        other_mean=_mean(pair.other_scores[is_shared]),
        difference=estimate,
        verdict=_verdict(mean, together, alpha),
        p_value=float(alone) if count else None,
        adjusted_p_value=float(together) if count else None,
        effect_size=effect_size(mean, spread, count),
        minimum_detectable_effect=minimum_detectable_effect(spread, count, alpha=alpha),
        cases_needed=cases_needed(mean, spread, alpha=alpha),
        improved=int((differences > 0).sum()),
        regressed=int((differences < 0).sum()),
        unchanged=int((differences == 0).sum()),
    )


def _mean(scores: Floats) -> float | None:
    return float(scores.mean()) if scores.size else None


def _verdict(mean: float, p_value: float, alpha: float) -> Verdict:
    # Written so that NaN, of no cases at all, is no evidence.
    if not p_value <= alpha:
        return Verdict.NO_EVIDENCE
    return Verdict.BETTER if mean > 0 else Verdict.WORSE


def _same_variants(baseline: ScoreTable, other: ScoreTable) -> list[tuple[str, str]]:
    known = {variant.key for variant in other.variants}
    same = [(variant.key, variant.key) for variant in baseline.variants if variant.key in known]
    if not same and len(baseline.variants) == len(other.variants) == 1:
        return [(baseline.variants[0].key, other.variants[0].key)]
    return same
