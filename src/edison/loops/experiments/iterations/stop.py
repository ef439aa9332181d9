"""Ends an experiment when a stop rule applies."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.loops.experiments.drafts.configure import read_config, stop_rules
from edison.loops.experiments.iterations.measure import (
    counts,
    metrics_of,
    tokens_of,
    total_nanos,
)
from edison.loops.experiments.iterations.transitions import move
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.notifications import notify_ended
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import ExperimentState, IterationState
from edison.pipeline.refine.stop import LoopProgress, Stop, find_stop

BY_PERSON = "person"


async def find_end(
    session: AsyncSession, experiment: Experiment, *, has_suggestion: bool | None
) -> Stop | None:
    """The stop rule that applies after the measurements so far."""
    if experiment.config is None:
        return None
    rows = await Iterations(session).list_of([experiment.id])
    finished = [metrics_of(each) for each, _ in rows if counts(each)]
    return find_stop(
        stop_rules(read_config(experiment.config)),
        LoopProgress(
            composites=tuple(None if each is None else each.train.value for each in finished),
            cost_nanos=total_nanos(rows),
            tokens=sum(tokens_of(*row) for row in rows),
            has_suggestion=has_suggestion,
        ),
    )


async def end(session: AsyncSession, experiment_id: UUID, *, reason: str, message: str) -> None:
    """Call it after the last iteration has reached a final state."""
    await Experiments(session).change(
        experiment_id,
        {
            "state": ExperimentState.COMPLETED,
            "stop_reason": reason,
            "stop_message": message,
            "completed_at": clock.now(),
        },
    )


async def end_by_rule(session: AsyncSession, experiment: Experiment, stop: Stop) -> None:
    """The same for a stop rule; notifies the members."""
    await end(session, experiment.id, reason=stop.reason, message=stop.message)
    await notify_ended(session, experiment, stop.message)


async def complete(
    session: AsyncSession, experiment: Experiment, iteration: Iteration, stop: Stop
) -> Iteration | None:
    """Completes the last iteration and ends the experiment. None if it moved on meanwhile."""
    moved = await move(session, iteration, IterationState.COMPLETED)
    if moved is not None:
        await end_by_rule(session, experiment, stop)
    return moved
