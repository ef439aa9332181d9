"""Keeps an iteration in step with its runs."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.cycle.control import move
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.notes import publish_iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import IterationState
from edison.loops.experiments.telling import tell_of_failure, tell_of_pause
from edison.runs.read import service as runs
from edison.runs.store.models import Run
from edison.runs.store.states import RunState

_FOLLOWED = (IterationState.EXECUTING, IterationState.JUDGING, IterationState.PAUSED)
_GONE = "A run of this iteration was deleted, so it cannot be finished."


async def follow(session: AsyncSession, iteration_id: UUID) -> None:
    """Move the iteration to where its runs are."""
    iterations = Iterations(session)
    iteration = await iterations.find(iteration_id, is_locked=True)
    if iteration is None or iteration.state not in _FOLLOWED:
        return
    experiment = await Experiments(session).find(iteration.experiment_id)
    if experiment is None:
        return
    found = await list_runs(session, iteration)
    state, problem, message = _wanted(iteration, found)
    if state == iteration.state:
        return
    if state in (IterationState.CANCELLED, IterationState.FAILED):
        await stop_runs(session, experiment.project_id, found)
    moved = await move(session, iteration, state, problem=problem, message=message)
    if moved is None:
        return
    if state is IterationState.FAILED:
        await tell_of_failure(session, experiment, moved)
    elif state is IterationState.PAUSED:
        await tell_of_pause(session, experiment, moved)
    await publish_iteration(session, experiment, moved)


async def list_runs(session: AsyncSession, iteration: Iteration) -> Sequence[Run]:
    ids = [each for each in (iteration.run_id, iteration.holdout_run_id) if each is not None]
    return await Iterations(session).find_runs(ids)


async def stop_runs(session: AsyncSession, project_id: UUID, found: Sequence[Run]) -> None:
    """Cancel what is not over. What failed could be resumed, so it is cancelled as well."""
    for run in found:
        if run.state not in (RunState.COMPLETED, RunState.CANCELLED):
            await runs.cancel_run(session, project_id=project_id, run_id=run.id)


def _wanted(
    iteration: Iteration, found: Sequence[Run]
) -> tuple[IterationState, str | None, str | None]:
    """Where it should be; and, when it is halted there, a word and a sentence why."""
    if iteration.run_id is None or not found:
        return IterationState.FAILED, "run_deleted", _GONE
    for run in found:
        if run.state == RunState.CANCELLED and not _was_enough(iteration, run):
            return IterationState.CANCELLED, "run_cancelled", "A run of it was cancelled."
    for run in found:
        if run.state in (RunState.PAUSED, RunState.FAILED):
            return IterationState.PAUSED, run.reason, run.message
    if all(run.state in (RunState.COMPLETED, RunState.CANCELLED) for run in found):
        return IterationState.AGGREGATING, None, None
    return phase_of(iteration, found), None, None


def _was_enough(iteration: Iteration, run: Run) -> bool:
    """Whether a run was ended because more cases would not have changed what is known."""
    return iteration.sampling is not None and run.id == iteration.run_id


def phase_of(iteration: Iteration, found: Sequence[Run]) -> IterationState:
    """Judging begins when the last answer is there, though most is judged by then; what was judged
    once is not called executing again.
    """
    is_answered = all(run.done_count >= run.cell_count for run in found)
    if is_answered or iteration.state == IterationState.JUDGING:
        return IterationState.JUDGING
    return IterationState.EXECUTING
