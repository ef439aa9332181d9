"""Summaries of the scores of one run, and of its pairwise comparisons."""

import itertools
from collections.abc import Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.agreement import agreements
from edison.pipeline.aggregate.bias import position_biases, score_biases
from edison.pipeline.aggregate.bootstrap import RESAMPLES, SEED
from edison.pipeline.aggregate.calibration import calibrations, human_estimates
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.composite import CaseScores, collapse, pass_rates
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.facets import facet_cells
from edison.pipeline.aggregate.gaps import comparable, gaps_of
from edison.pipeline.aggregate.groups import mean_known
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.results import (
    CriterionSummary,
    Estimate,
    PairSummary,
    RunSummary,
    ScorerSummary,
    VariantStatistics,
)
from edison.pipeline.aggregate.spread import histogram
from edison.pipeline.aggregate.table import Bools, Floats, PairTable, ScoreTable
from edison.pipeline.aggregate.wins import win_matrix


def summarise(
    table: ScoreTable,
    *,
    failed: Bools | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> RunSummary:
    """Also valid for a run in progress: cases without scores yet are ignored. `failed` marks the
    cases, by variant, with a failed answer.
    """
    scores = collapse(table)
    means = _Means.of(table, scores, resamples=resamples, seed=seed)
    return RunSummary(
        composite=means.overall,
        variants=tuple(
            _variant_summary(table, scores, means, at) for at in range(len(table.variants))
        ),
        comparisons=compare_pairs(variant_pairs(table, scores, failed)),
        facets=facet_cells(table.cases, table.variants, scores.composite),
        agreements=agreements(table),
        biases=score_biases(table),
        calibrations=calibrations(table),
        human_estimates=human_estimates(table),
    )


def summarise_pairs(table: PairTable) -> PairSummary:
    return PairSummary(
        wins=win_matrix(table), ratings=rate(table), position_biases=position_biases(table)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """All means over cases, from the same resamples. Inner lists are by criterion or scorer."""

    overall: Estimate
    composites: list[Estimate]
    pass_rates: list[Estimate]
    criteria: list[list[Estimate]]
    scorers: list[list[Estimate]]

    @staticmethod
    def of(table: ScoreTable, scores: CaseScores, *, resamples: int, seed: int) -> "_Means":
        case_count, variant_count = scores.composite.shape
        parts = [
            mean_known(scores.composite)[:, None],
            scores.composite,
            pass_rates(table),
            scores.criteria.reshape(case_count, variant_count * len(table.criteria)),
            _scorer_composites(table).reshape(case_count, variant_count * len(table.scorers)),
        ]
        estimates = estimate_means(np.hstack(parts), resamples=resamples, seed=seed)
        bounds = [0, *itertools.accumulate(part.shape[1] for part in parts)]
        overall, composites, rates, criteria, scorers = (
            estimates[start:end] for start, end in itertools.pairwise(bounds)
        )
        return _Means(
            overall=overall[0],
            composites=composites,
            pass_rates=rates,
            criteria=_rows(criteria, variant_count),
            scorers=_rows(scorers, variant_count),
        )


def _scorer_composites(table: ScoreTable) -> Floats:
    """Axes are case, variant and scorer: the composite by this scorer alone."""
    shape = (len(table.cases), len(table.variants))
    each = [collapse(table.where(table.scorer == at)).composite for at in range(len(table.scorers))]
    return np.stack(each, axis=2) if each else np.empty((*shape, 0))


def _rows(estimates: list[Estimate], count: int) -> list[list[Estimate]]:
    width = len(estimates) // count if count else 0
    return [estimates[at * width : (at + 1) * width] for at in range(count)]


def _variant_summary(
    table: ScoreTable, scores: CaseScores, means: _Means, at: int
) -> VariantStatistics:
    composite = scores.composite[:, at]
    return VariantStatistics(
        variant=table.variants[at].key,
        composite=means.composites[at],
        standard_deviation=_standard_deviation(composite),
        pass_rate=means.pass_rates[at],
        unscored=int(scores.unscored[:, at].sum()),
        missing=int(scores.missing[at].sum()),
        human_cases=int(scores.is_human[:, at].sum()),
        distribution=histogram(composite),
        criteria=tuple(
            _criterion_summary(
                criterion.key, scores.criteria[:, at, place], mean, int(scores.missing[at, place])
            )
            for place, (criterion, mean) in enumerate(
                zip(table.criteria, means.criteria[at], strict=True)
            )
        ),
        scorers=tuple(
            ScorerSummary(scorer=scorer.key, composite=mean)
            for scorer, mean in zip(table.scorers, means.scorers[at], strict=True)
        ),
    )


def _criterion_summary(
    criterion: str, scores: Floats, mean: Estimate, missing: int
) -> CriterionSummary:
    known = scores[~np.isnan(scores)]
    return CriterionSummary(
        criterion=criterion,
        mean=mean,
        minimum=float(known.min()) if known.size else None,
        maximum=float(known.max()) if known.size else None,
        standard_deviation=_standard_deviation(scores),
        missing=missing,
        distribution=histogram(known),
    )


def _standard_deviation(scores: Floats) -> float | None:
    known = scores[~np.isnan(scores)]
    return float(known.std(ddof=1)) if known.size > 1 else None


def variant_pairs(
    table: ScoreTable, scores: CaseScores, failed: Bools | None = None
) -> Sequence[Pair]:
    """Every pair of variants once, the earlier one as the baseline."""
    gaps = gaps_of(scores, failed)
    composite = comparable(scores.composite, gaps)
    return [
        Pair(
            baseline=table.variants[first].key,
            other=table.variants[second].key,
            baseline_scores=composite[:, first],
            other_scores=composite[:, second],
            baseline_gaps=gaps[:, first],
            other_gaps=gaps[:, second],
        )
        for first, second in itertools.combinations(range(len(table.variants)), 2)
    ]
