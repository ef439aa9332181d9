"""Converts a digest to response schemas."""

from collections.abc import Sequence
from typing import Any

from edison.kit.money import NANOS_PER_USD, usd_from_nanos
from edison.pipeline.aggregate.results import Bias, VariantComparison, VariantStatistics, Verdict
from edison.runs.read.schemas import RunDetail, RunVariantRead
from edison.runs.results.compare import compare_variants
from edison.runs.results.digest import Digest
from edison.runs.results.layout import Rater, ResultLayout
from edison.runs.results.schemas.results import (
    AverageRead,
    AveragesRead,
    FlagCount,
    OutcomeCounts,
    RaterRead,
    RaterResult,
    RunProgressRead,
    RunResults,
    VariantResults,
    WeighedCriterion,
)
from edison.runs.results.schemas.statistics import (
    AgreementRead,
    BiasRead,
    CalibrationRead,
    ComparisonVerdict,
    CriterionResult,
    DistributionRead,
    FacetCellRead,
    HumanEstimateRead,
    IntervalRead,
    MeanRead,
    RaterKind,
    RatingsRead,
    WinMatrixRead,
)
from edison.runs.results.usage import Average, RunUsage
from edison.runs.store import states

_DIFFERENT = (Verdict.BETTER, Verdict.WORSE)


def read_results(run: RunDetail, digest: Digest) -> RunResults:
    summary = digest.summary
    biases = [*summary.biases, *digest.position_biases]
    is_complete = run.state == states.RunState.COMPLETED
    comparisons = summary.comparisons if is_complete else compare_variants(digest)
    separates = any(each.verdict in _DIFFERENT for each in comparisons)
    return RunResults(
        run_id=run.id,
        is_final=run.state in states.OVER,
        as_of=digest.made_at if run.state in states.WORKING else None,
        is_complete=is_complete,
        failed_count_zero=run.failed_count_zero,
        progress=_progress(run, digest),
        composite=MeanRead.model_validate(summary.composite),
        best=_best(summary.variants, comparisons),
        variants=[
            _variant(variant, said, usage, digest, is_on_front=is_on_front and separates)
            for variant, said, usage, is_on_front in zip(
                run.variants, summary.variants, digest.usage, digest.front, strict=True
            )
        ],
        criteria=_criteria(digest.layout),
        raters=_raters(run, digest.layout, biases),
        comparisons=[ComparisonVerdict.model_validate(each) for each in comparisons],
        facets=[FacetCellRead.model_validate(each) for each in summary.facets],
        agreements=[AgreementRead.model_validate(each) for each in summary.agreements],
        biases=[BiasRead.model_validate(each) for each in biases],
        calibrations=[CalibrationRead.model_validate(each) for each in summary.calibrations],
        human_estimates=[
            HumanEstimateRead.model_validate(each) for each in summary.human_estimates
        ],
        wins=None if digest.wins is None else WinMatrixRead.model_validate(digest.wins),
        ratings=None if digest.ratings is None else RatingsRead.model_validate(digest.ratings),
        flags=[
            FlagCount(scorer=scorer, flag=flag, count=count)
            for (scorer, flag), count in sorted(digest.flags.items())
        ],
        comparison_cost_usd=usd_from_nanos(digest.comparison_nanos),
    )


def _progress(run: RunDetail, digest: Digest) -> RunProgressRead:
    return RunProgressRead(
        cases=run.case_count,
        cells=run.cell_count,
        cells_done=sum(usage.answers for usage in digest.usage),
        scores=run.cell_count * run.scorer_count,
        scores_done=run.score_count,
        comparisons=run.comparison_total,
        comparisons_done=run.comparison_count,
    )


def _best(
    variants: Sequence[VariantStatistics], comparisons: Sequence[VariantComparison]
) -> int | None:
    """The variant with the highest composite, if it is above 0 and significantly better than
    another one. A single variant is always the best.
    """
    scores = {
        each.variant: each.composite.value for each in variants if each.composite.value is not None
    }
    if not scores:
        return None
    best = max(scores, key=lambda variant: scores[variant])
    if len(variants) == 1:
        return int(best)
    wins = any(
        (each.other == best and each.verdict is Verdict.BETTER)
        or (each.baseline == best and each.verdict is Verdict.WORSE)
        for each in comparisons
    )
    return int(best) if wins and scores[best] > 0 else None


def _variant(
    variant: RunVariantRead,
    said: VariantStatistics,
    usage: RunUsage,
    digest: Digest,
    *,
    is_on_front: bool,
) -> VariantResults:
    return VariantResults(
        position=variant.position,
        label=variant.label,
        is_simulated=variant.is_simulated,
        composite=MeanRead.model_validate(said.composite),
        standard_deviation=said.standard_deviation,
        pass_rate=MeanRead.model_validate(said.pass_rate),
        distribution=DistributionRead.model_validate(said.distribution),
        criteria=[CriterionResult.model_validate(each) for each in said.criteria],
        raters=[
            RaterResult(rater=each.scorer, composite=MeanRead.model_validate(each.composite))
            for each in said.scorers
            if _is_named(digest.layout.raters[each.scorer])
        ],
        unscored=said.unscored,
        missing=said.missing,
        human_cases=said.human_cases,
        is_on_front=is_on_front,
        **_usage(usage),
    )


def _usage(usage: RunUsage) -> dict[str, Any]:
    per_answer, averages = usage.nanos_per_answer, usage.averages
    median, slow = usage.latency_percentiles() or (None, None)
    return {
        "answers": usage.answers,
        "failed": usage.failed,
        "malformed": usage.malformed,
        "outcome_counts": OutcomeCounts(
            answered=usage.answers - usage.failed,
            failed=usage.failed,
            malformed=usage.malformed,
            cut_off=usage.cut_off,
            unreadable=usage.unreadable,
        ),
        "answer_cost_usd": usd_from_nanos(usage.answer_nanos),
        "judge_cost_usd": usd_from_nanos(usage.judge_nanos),
        "cost_per_answer_usd": None if per_answer is None else usd_from_nanos(round(per_answer)),
        "unpriced": usage.unpriced,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "latency_p50_seconds": median,
        "latency_p95_seconds": slow,
        "averages": AveragesRead(
            input_tokens=_average(averages.input_tokens),
            output_tokens=_average(averages.output_tokens),
            cost_usd=_average(averages.nanos, per_unit=NANOS_PER_USD),
            latency_seconds=_average(averages.seconds),
        ),
    }


def _average(average: Average, *, per_unit: int = 1) -> AverageRead:
    said = average.estimate()
    interval = said.interval
    return AverageRead(
        value=None if said.value is None else said.value / per_unit,
        interval=None
        if interval is None
        else IntervalRead(low=interval.low / per_unit, high=interval.high / per_unit),
        answers=said.cases,
    )


def _criteria(layout: ResultLayout) -> list[WeighedCriterion]:
    total = sum(each.weight for each in layout.criteria.values())
    return [
        WeighedCriterion(
            key=each.key,
            name=each.name,
            weight=each.weight / total if total else 0.0,
            scorers=list(each.scorers),
        )
        for each in layout.criteria.values()
    ]


def _is_named(rater: Rater) -> bool:
    """Human raters stay anonymous: they score blind, and results do not distinguish them."""
    return rater.kind in (RaterKind.SCORER, RaterKind.JUDGE)


def _raters(run: RunDetail, layout: ResultLayout, biases: Sequence[Bias]) -> list[RaterRead]:
    """Includes comparers that have a bias result."""
    said_of = {bias.judge for bias in biases}
    comparers = [
        RaterRead(key=key, label=each.label, kind=RaterKind.JUDGE, scorer=None)
        for each in run.comparers
        if (key := f"c{each.position}") in said_of
    ]
    named = [
        RaterRead(key=each.key, label=each.label, kind=each.kind, scorer=each.scorer)
        for each in layout.raters.values()
        if _is_named(each)
    ]
    return named + comparers
