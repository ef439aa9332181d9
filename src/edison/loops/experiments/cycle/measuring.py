"""What finished iterations have shown: scores, costs, and which version did best."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from edison.loops.experiments.models import Iteration
from edison.loops.experiments.repository.iterations import Spent
from edison.loops.experiments.schemas.experiments import BestRead
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.loops.experiments.states import IterationState
from edison.pipeline.aggregate.results import Comparison, Estimate, Interval
from edison.pipeline.refine.choosing import Measured, choose_best
from edison.runs.results.schemas.statistics import ComparisonVerdict, MeanRead

# As stored, and as read: a page asks for the same several times.
_read: WeakKeyDictionary[Iteration, tuple[dict[str, Any], IterationMetrics]] = WeakKeyDictionary()


def metrics_of(iteration: Iteration) -> IterationMetrics | None:
    stored = iteration.metrics
    if stored is None:
        return None
    known = _read.get(iteration)
    if known is None or known[0] is not stored:
        known = _read[iteration] = stored, IterationMetrics.model_validate(stored)
    return known[1]


def counts(iteration: Iteration) -> bool:
    """Whether it is one of those that the rules allow. What was cancelled or failed has shown
    nothing, though it did cost something.
    """
    return iteration.state not in (IterationState.CANCELLED, IterationState.FAILED)


def run_nanos(iteration: Iteration, spent: Spent) -> int:
    """What its runs cost; of runs that somebody deleted, what was noted when they were over."""
    metrics = metrics_of(iteration)
    noted = 0 if metrics is None else metrics.execution_nanos + metrics.judging_nanos
    return max(spent.cost_nanos, noted)


def total_nanos(rows: Sequence[tuple[Iteration, Spent]]) -> int:
    return sum(run_nanos(each, spent) + each.refine_cost_nanos for each, spent in rows)


def tokens_of(iteration: Iteration, spent: Spent) -> int:
    """Until its runs are over, only those of answers are known."""
    metrics = metrics_of(iteration)
    of_runs = spent.tokens
    if metrics is not None:
        of_runs = metrics.execution_tokens + metrics.judging_tokens
    return of_runs + iteration.refine_tokens


def find_best(iterations: Sequence[Iteration]) -> BestRead | None:
    """By the cases held out where there are any; None before anything was measured."""
    by_number = {str(each.number): each for each in iterations}
    measured = []
    for iteration in iterations:
        metrics = metrics_of(iteration)
        if metrics is None or metrics.train.value is None:
            continue
        first = metrics.against_first
        measured.append(
            Measured(
                version=str(iteration.number),
                train=estimate_of(metrics.train),
                holdout=None if metrics.holdout is None else estimate_of(metrics.holdout),
                against_first=None if first is None else comparison_of(first),
            )
        )
    choice = choose_best(measured)
    if choice is None:
        return None
    chosen = by_number[choice.version]
    return BestRead(
        iteration=chosen.number,
        version_id=chosen.version_id,
        version_label=chosen.version_label,
        score=choice.score,
        basis=choice.basis.value,
        warnings=list(choice.warnings),
    )


def estimate_of(mean: MeanRead) -> Estimate:
    interval = mean.interval
    return Estimate(
        value=mean.value,
        interval=None if interval is None else Interval(low=interval.low, high=interval.high),
        cases=mean.cases,
    )


def comparison_of(verdict: ComparisonVerdict) -> Comparison:
    return Comparison(
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
