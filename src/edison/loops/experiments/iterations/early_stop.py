"""Adaptive sampling: stops an iteration early when its version is clearly worse than the previous
one, or too close to distinguish.

Interim looks use a confidence sequence, which is valid at all looks simultaneously.
"""

from dataclasses import asdict
from uuid import UUID

from edison.db.session import Database
from edison.loops.experiments.drafts.configure import read_config
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.schemas.iterations import IterationMetrics, SamplingRead
from edison.loops.experiments.states import IterationState
from edison.pipeline.aggregate.sequence import FEWEST_CASES, SequentialDecision
from edison.pipeline.refine.early_stop import SamplingState, look_at
from edison.runs.read import service as runs
from edison.runs.results import service as results
from edison.runs.results.schemas.statistics import IntervalRead, MeanRead
from edison.runs.store import states
from edison.runs.store.states import RunState

# Better versions run to their end: later iterations are compared with their score.
_ENOUGH = (SequentialDecision.WORSE, SequentialDecision.TOO_CLOSE)
_LOOKED_AT = (IterationState.EXECUTING, IterationState.JUDGING)


async def consider(database: Database, iteration: Iteration) -> None:
    """Looks at the results so far, and cancels the training run if they are conclusive."""
    if iteration.state not in _LOOKED_AT or iteration.sampling is not None:
        return
    if not read_config(iteration.config).limits.is_adaptive or iteration.run_id is None:
        return
    async with database.read() as session:
        experiment = await Experiments(session).find(iteration.experiment_id)
        if experiment is None:
            return
        rows = await Iterations(session).list_of([experiment.id])
        run = await runs.get_run(session, project_id=experiment.project_id, run_id=iteration.run_id)
    before = [
        each.run_id
        for each, _ in rows
        if each.number < iteration.number and each.metrics is not None and each.run_id is not None
    ]
    if not before or run.state in states.OVER or run.done_count < FEWEST_CASES:
        return
    pair = await results.pair_up(
        database,
        project_id=experiment.project_id,
        baseline_id=before[-1],
        other_id=iteration.run_id,
    )
    if pair is None:
        return
    sampling = look_at(*pair, planned_cases=run.case_count)
    if sampling.look.decision in _ENOUGH and sampling.look.cases < run.case_count:
        await _end(database, experiment.project_id, iteration, sampling, run.case_count)


async def _end(
    database: Database,
    project_id: UUID,
    iteration: Iteration,
    sampling: SamplingState,
    planned_cases: int,
) -> None:
    """Stores the decision and cancels the run in one transaction."""
    async with database.write() as session:
        current = await Iterations(session).find(iteration.id, is_locked=True)
        if current is None or current.state not in _LOOKED_AT or current.run_id is None:
            return
        run = await runs.get_run(session, project_id=project_id, run_id=current.run_id)
        if run.state in states.OVER or run.state == RunState.PAUSED:
            return
        await Iterations(session).change(
            iteration.id, {"sampling": _stored(sampling, planned_cases)}
        )
        await runs.cancel_run(session, project_id=project_id, run_id=current.run_id)


def _stored(sampling: SamplingState, planned_cases: int) -> dict[str, object]:
    found = sampling.look
    return {
        "decision": found.decision.value,
        "message": sampling.message,
        "cases": found.cases,
        "planned_cases": planned_cases,
        "difference": found.difference,
        "interval": None if found.interval is None else asdict(found.interval),
    }


def with_sampling(metrics: IterationMetrics, iteration: Iteration) -> IterationMetrics:
    """Replaces `change` by the difference and the sequence of the look that ended the run early."""
    if metrics.change is None or iteration.sampling is None:
        return metrics
    sampling = SamplingRead.model_validate(iteration.sampling)
    interval = sampling.interval
    difference = MeanRead(
        value=sampling.difference,
        interval=None if interval is None else IntervalRead(low=interval.low, high=interval.high),
        cases=sampling.cases,
    )
    change = metrics.change.model_copy(update={"difference": difference})
    return metrics.model_copy(update={"change": change, "sampling": sampling})
