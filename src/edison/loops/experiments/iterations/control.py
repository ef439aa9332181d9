"""Control of iterations: start, pause, resume, cancel, close, refine again, finish."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import job as jobs
from edison.kit.errors import Conflict, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.errors import IllegalChange, IterationUnderWay, NotConfirmed
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations import start as starting
from edison.loops.experiments.iterations import stop
from edison.loops.experiments.iterations.drive import list_runs, phase_of, stop_runs
from edison.loops.experiments.iterations.transitions import drive_job, move
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.states import IDLE, ExperimentState, IterationState
from edison.runs.read import service as runs
from edison.runs.store import states
from edison.runs.store.states import RunState
from edison.workspace.resources.service import note

BY_PERSON = "person"
ENDED_BY_PERSON = "Ended by a person."


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationRef:
    """Identifies an iteration within its project and experiment."""

    project_id: UUID
    experiment_id: UUID
    iteration_id: UUID


async def start(
    session: AsyncSession,
    *,
    project_id: UUID,
    experiment_id: UUID,
    version_id: UUID | None,
    author_id: UUID,
) -> UUID:
    """Raises NotReady with all reasons."""
    experiment = await Experiments(session).get(project_id, experiment_id, to_change=True)
    iteration = await starting.start(
        session, experiment, version_id=version_id, author_id=author_id
    )
    await _note(session, experiment, iteration, "started")
    return iteration.id


async def pause(session: AsyncSession, place: IterationRef) -> None:
    """Pauses the iteration: calls in flight finish, no new ones start. Raises IllegalChange."""
    experiment, iteration = await _lock(session, place)
    if iteration.state not in (IterationState.EXECUTING, IterationState.JUDGING):
        raise IllegalChange("paused", iteration.state)
    for run in await list_runs(session, iteration):
        if run.state not in states.OVER and run.state != RunState.PAUSED:
            await runs.pause_run(session, project_id=place.project_id, run_id=run.id)
    moved = await move(
        session,
        iteration,
        IterationState.PAUSED,
        problem=BY_PERSON,
        message="Paused by a person.",
    )
    await _note(session, experiment, moved or iteration, "paused")


async def resume(session: AsyncSession, place: IterationRef) -> None:
    """Resumes the iteration with its missing cells. Raises IllegalChange."""
    experiment, iteration = await _lock(session, place)
    if iteration.state != IterationState.PAUSED:
        raise IllegalChange("resumed", iteration.state)
    found = await list_runs(session, iteration)
    for run in found:
        if run.state in (RunState.PAUSED, RunState.FAILED):
            await runs.resume_run(session, project_id=place.project_id, run_id=run.id)
    moved = await move(session, iteration, phase_of(iteration, found))
    await _note(session, experiment, moved or iteration, "resumed")


async def cancel(session: AsyncSession, place: IterationRef) -> None:
    """Cancels the iteration for good; results are kept. Raises IllegalChange."""
    experiment, iteration = await _lock(session, place)
    found = await list_runs(session, iteration)
    if iteration.state == IterationState.TRYING and iteration.trial_run_id is not None:
        found = await Iterations(session).find_runs([iteration.trial_run_id])
        await Suggestions(session).supersede_all(iteration.id)
    await stop_runs(session, place.project_id, found)
    moved = await move(
        session,
        iteration,
        IterationState.CANCELLED,
        problem=BY_PERSON,
        message="Cancelled by a person.",
    )
    if moved is None:
        raise IllegalChange("cancelled", iteration.state)
    await _note(session, experiment, moved, "cancelled")


async def close(session: AsyncSession, place: IterationRef) -> None:
    """Completes the iteration without a change. Pending suggestions become superseded, and no next
    iteration starts. Raises IllegalChange.
    """
    experiment, iteration = await _lock(session, place)
    if iteration.state != IterationState.REVIEWING:
        raise IllegalChange("closed", iteration.state)
    moved = await _set_aside(session, iteration)
    await _note(session, experiment, moved or iteration, "closed")


async def refine_again(session: AsyncSession, place: IterationRef) -> None:
    """Refines again, after no usable change was suggested. Raises IllegalChange, and Conflict while
    a suggestion is pending.
    """
    experiment, iteration = await _lock(session, place)
    if iteration.state != IterationState.REVIEWING:
        raise IllegalChange("refined again", iteration.state)
    if await Suggestions(session).count_pending_of(iteration.id):
        raise Conflict("Decide about what is suggested already, then ask for more.")
    moved = await move(session, iteration, IterationState.REFINING)
    jobs.request(session, drive_job(iteration.id, place.project_id))
    await _note(session, experiment, moved or iteration, "refined_again")


async def finish(session: AsyncSession, *, project_id: UUID, experiment_id: UUID) -> None:
    """Ends the experiment on a user's request. Raises NotConfirmed, and IterationUnderWay while an
    iteration is running or paused.
    """
    rows = await Iterations(session).list_of([experiment_id])
    latest = await Iterations(session).find(rows[-1][0].id, is_locked=True) if rows else None
    experiment = await Experiments(session).get(project_id, experiment_id, to_change=True)
    if experiment.config is None:
        raise NotConfirmed
    if experiment.state == ExperimentState.REVIEWING and latest is not None:
        await _set_aside(session, latest)
    elif experiment.state not in IDLE:
        raise IterationUnderWay
    before = experiment.state
    await stop.end(session, experiment_id, reason=BY_PERSON, message=ENDED_BY_PERSON)
    await note(
        session,
        experiment,
        "finished",
        before={"state": before},
        after={"state": ExperimentState.COMPLETED},
    )


async def _set_aside(session: AsyncSession, iteration: Iteration) -> Iteration | None:
    await Suggestions(session).supersede_all(iteration.id)
    return await move(session, iteration, IterationState.COMPLETED)


async def _lock(session: AsyncSession, place: IterationRef) -> tuple[Experiment, Iteration]:
    experiment = await Experiments(session).get(place.project_id, place.experiment_id)
    iteration = await Iterations(session).find(place.iteration_id, is_locked=True)
    if iteration is None or iteration.experiment_id != place.experiment_id:
        raise NotFound("There is no such iteration of this experiment.")
    return experiment, iteration


async def _note(
    session: AsyncSession, experiment: Experiment, iteration: Iteration, action: str
) -> None:
    await note(
        session,
        experiment,
        f"iteration_{action}",
        after={"iteration": iteration.number, "state": iteration.state},
    )
    await publish_iteration(session, experiment, iteration)
