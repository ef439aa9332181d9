"""Metrics of an iteration, computed from the results of its runs."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from edison.db.session import Database
from edison.kit.money import nanos_from_usd
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.repository.iterations import Spent
from edison.loops.experiments.schemas.iterations import (
    CriterionMean,
    IterationMetrics,
    TrainingChange,
    VariantMetrics,
)
from edison.loops.experiments.states import IterationState
from edison.pipeline.aggregate.results import Estimate, Interval, VariantComparison
from edison.runs.read.schemas import RunDetail, RunVariantRead
from edison.runs.results import service as results
from edison.runs.results.schemas.results import RunResults, VariantResults
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead


async def gather(
    database: Database,
    *,
    project_id: UUID,
    runs: tuple[RunDetail, RunDetail | None],
    keys: Sequence[str],
    earlier: Sequence[Iteration],
    tokens: tuple[int, int],
) -> IterationMetrics:
    """Computes the metrics. `runs` are the training run and the holdout run; `keys` name the model
    configurations in the order of the variants. `earlier` are the measured iterations before,
    oldest first; `tokens` are those of answers and of judging. Slow for large runs.
    """
    run, holdout = runs
    train = await results.get_results(database, project_id=project_id, run_id=run.id)
    held = (
        None
        if holdout is None
        else await results.get_results(database, project_id=project_id, run_id=holdout.id)
    )
    compare = _Comparing(database=database, project_id=project_id)
    before_id, first_id = (earlier[at].run_id if earlier else None for at in (-1, 0))
    gain = await compare(first_id, run.id)
    found = [train] if held is None else [train, held]
    return IterationMetrics(
        train=train.composite,
        holdout=None if held is None else held.composite,
        change=_figures(await compare(before_id, run.id)),
        train_gain=None if gain is None else gain.difference.value,
        against_first=None,
        variants=_variants(run, keys, train, held),
        criteria=_criteria(train),
        answers=sum(each.answers for result in found for each in result.variants),
        failed=sum(each.failed for result in found for each in result.variants),
        malformed=sum(each.malformed for result in found for each in result.variants),
        safety_findings=_safety_findings(run, train),
        unscored=sum(each.unscored for each in train.variants),
        is_unjudged=train.composite.value is None,
        execution_tokens=tokens[0],
        judging_tokens=tokens[1],
        execution_nanos=_nanos(found, "answer_cost_usd"),
        judging_nanos=_nanos(found, "judge_cost_usd")
        + sum(nanos_from_usd(each.comparison_cost_usd) for each in found),
    )


class _Comparing:
    """Compares two runs, either of which may be missing or deleted."""

    def __init__(self, *, database: Database, project_id: UUID) -> None:
        self._database = database
        self._project_id = project_id

    async def __call__(self, before: UUID | None, after: UUID | None) -> ComparisonVerdict | None:
        if before is None or after is None:
            return None
        return await results.compare_overall(
            self._database, project_id=self._project_id, baseline_id=before, other_id=after
        )


def _nanos(found: Sequence[RunResults], field: str) -> int:
    return sum(nanos_from_usd(getattr(each, field)) for result in found for each in result.variants)


def _variants(
    run: RunDetail, keys: Sequence[str], train: RunResults, held: RunResults | None
) -> list[VariantMetrics]:
    wins = train.wins
    win_rates = {} if wins is None else dict(zip(wins.variants, wins.win_rates, strict=True))
    return [
        _variant(
            keys[at],
            variant,
            found,
            None if held is None else held.variants[at].composite,
            win_rates.get(variant.position),
        )
        for at, (variant, found) in enumerate(zip(run.variants, train.variants, strict=True))
    ]


def _variant(
    key: str,
    variant: RunVariantRead,
    found: VariantResults,
    holdout: MeanRead | None,
    win_rate: MeanRead | None,
) -> VariantMetrics:
    return VariantMetrics(
        key=key,
        label=variant.label,
        model_id=variant.model_id,
        model_name=variant.model_name,
        is_simulated=variant.is_simulated,
        train=found.composite,
        holdout=holdout,
        win_rate=win_rate,
        cost_usd=found.answer_cost_usd,
        cost_per_answer_usd=found.cost_per_answer_usd,
        latency_p50_seconds=found.latency_p50_seconds,
        failed=found.failed,
        parameters={name: value for name, value in variant.parameters.items() if value is not None},
    )


def _criteria(train: RunResults) -> list[CriterionMean]:
    """Criteria with a weight, with their means over all variants."""
    return [
        CriterionMean(
            key=criterion.key,
            name=criterion.name,
            weight=criterion.weight,
            mean=_mean(train, criterion.key),
        )
        for criterion in train.criteria
        if criterion.weight > 0
    ]


def _mean(train: RunResults, key: str) -> float | None:
    found = [
        (each.mean.value, each.mean.cases)
        for variant in train.variants
        for each in variant.criteria
        if each.criterion == key and each.mean.value is not None
    ]
    cases = sum(count for _, count in found)
    return sum(value * count for value, count in found) / cases if cases else None


def _safety_findings(run: RunDetail, train: RunResults) -> int:
    """Cases in which a safety check found something. Safety checks have weight 0; a finding scores
    0.
    """
    keys = {f"s{each.position}" for each in run.scorers if each.weight == 0}
    return sum(
        each.distribution.counts[0]
        for variant in train.variants
        for each in variant.criteria
        if each.criterion in keys and each.distribution.counts
    )


# Parsed metrics by iteration, with the stored value they came from: one page reads them repeatedly.
_read: WeakKeyDictionary[Iteration, tuple[dict[str, Any], IterationMetrics]] = WeakKeyDictionary()


def _figures(found: ComparisonVerdict | None) -> TrainingChange | None:
    return None if found is None else TrainingChange.model_validate(found)


def metrics_of(iteration: Iteration) -> IterationMetrics | None:
    stored = iteration.metrics
    if stored is None:
        return None
    known = _read.get(iteration)
    if known is None or known[0] is not stored:
        known = _read[iteration] = stored, IterationMetrics.model_validate(stored)
    return known[1]


def counts(iteration: Iteration) -> bool:
    """Whether the iteration counts towards the limit. Cancelled and failed ones do not, although
    they cost money.
    """
    return iteration.state not in (IterationState.CANCELLED, IterationState.FAILED)


def run_nanos(iteration: Iteration, spent: Spent) -> int:
    """Cost of the runs; for deleted runs the cost stored in the metrics."""
    metrics = metrics_of(iteration)
    noted = 0 if metrics is None else metrics.execution_nanos + metrics.judging_nanos
    return max(spent.cost_nanos, noted)


def total_nanos(rows: Sequence[tuple[Iteration, Spent]]) -> int:
    return sum(run_nanos(each, spent) + each.refine_cost_nanos for each, spent in rows)


def tokens_of(iteration: Iteration, spent: Spent) -> int:
    """Until the runs have finished, only the tokens of answers."""
    metrics = metrics_of(iteration)
    of_runs = spent.tokens
    if metrics is not None:
        of_runs = metrics.execution_tokens + metrics.judging_tokens
    return of_runs + iteration.refine_tokens


def estimate_of(mean: MeanRead) -> Estimate:
    interval = mean.interval
    return Estimate(
        value=mean.value,
        interval=None if interval is None else Interval(low=interval.low, high=interval.high),
        cases=mean.cases,
    )


def comparison_of(verdict: ComparisonVerdict) -> VariantComparison:
    return VariantComparison(
        **{
            **{
                name: getattr(verdict, name)
                for name in ComparisonVerdict.model_fields
                if name not in ("baseline", "other", "difference")
            },
            "baseline": str(verdict.baseline),
            "other": str(verdict.other),
            "difference": estimate_of(verdict.difference),
        }
    )
