"""Drives an iteration: reads its row, executes the step of its state, and repeats.

Steps are idempotent: starting and following runs are single transactions, aggregation writes only
at its end, and refiner answers are cached. Any process can resume after a crash.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.kit.errors import Conflict, EdisonError, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.loops.experiments.drafts.configure import (
    HOLDOUT,
    TRAIN,
    pruned_keys,
    read_config,
    run_request,
)
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations import conclude, early_stop, refine, trial
from edison.loops.experiments.iterations.transitions import ORIGIN, move
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.notifications import notify_failed, notify_paused
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import IterationState
from edison.runs.plan import service as run_plans
from edison.runs.plan import types
from edison.runs.read import service as runs
from edison.runs.store.models import Run
from edison.runs.store.states import RunState

# More than the states on the longest path.
MOST_STEPS = 12
_NO_CASES = "no_cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveTools:
    database: Database
    gateway: Gateway
    batch_writer: BatchWriter


async def drive(tools: DriveTools, iteration_id: UUID) -> None:
    """Returns when the iteration waits for its runs or for a user, or is over."""
    state: str | None = None
    for _ in range(MOST_STEPS):
        async with tools.database.read() as session:
            iteration = await Iterations(session).find(iteration_id)
        if iteration is None or iteration.state == state:
            return
        state = iteration.state
        match IterationState(state):
            case IterationState.PENDING:
                await _begin(tools.database, iteration_id)
            case IterationState.EXECUTING | IterationState.JUDGING | IterationState.PAUSED:
                await early_stop.consider(tools.database, iteration)
                async with tools.database.write() as session:
                    await follow(session, iteration_id)
            case IterationState.AGGREGATING:
                await conclude.sum_up(tools.database, iteration_id)
            case IterationState.REFINING:
                await refine.refine(tools.database, tools.gateway, tools.batch_writer, iteration_id)
            case IterationState.TRYING:
                await trial.conclude(tools.database, iteration_id)
            case _:
                return


async def _begin(database: Database, iteration_id: UUID) -> None:
    """Adds the runs. Fails the iteration if a check that passed when it was requested fails now."""
    try:
        async with database.write() as session:
            await _add_runs(session, iteration_id)
    except (Invalid, Conflict, Exhausted, NotFound) as refused:
        async with database.write() as session:
            await _give_up(session, iteration_id, refused)


async def _add_runs(session: AsyncSession, iteration_id: UUID) -> None:
    found = await _lock(session, iteration_id)
    if found is None:
        return
    experiment, iteration = found
    config = read_config(iteration.config)
    run_ids: dict[str, UUID | None] = {TRAIN: None, HOLDOUT: None}
    for split in (TRAIN, HOLDOUT) if config.data.uses_holdout else (TRAIN,):
        wanted = run_request(
            config,
            name=_run_name(experiment, iteration, split),
            version_id=iteration.version_id,
            split=split,
            pruned=pruned_keys(experiment),
        )
        lock = f"experiment:{experiment.id}" + ("" if split == TRAIN else f":{split}")
        context = types.RunContext(
            project_id=experiment.project_id,
            origin=ORIGIN,
            author_id=iteration.author_id,
            lock_name=lock,
            scope_ids=(experiment.id,),
        )
        try:
            run_ids[split] = await run_plans.add_run(session, context=context, wanted=wanted)
        except Invalid as invalid:
            is_empty = {each.code for each in invalid.problems} == {_NO_CASES}
            if split == TRAIN or not is_empty:
                raise
    values = {"run_id": run_ids[TRAIN], "holdout_run_id": run_ids[HOLDOUT]}
    moved = await move(session, iteration, IterationState.EXECUTING, values=values)
    if moved is not None:
        await publish_iteration(session, experiment, moved)


def _run_name(experiment: Experiment, iteration: Iteration, split: str) -> str:
    held_out = ", held out" if split == HOLDOUT else ""
    return f"{experiment.name} #{iteration.number} ({iteration.version_label}{held_out})"[:200]


async def _give_up(session: AsyncSession, iteration_id: UUID, refused: EdisonError) -> None:
    found = await _lock(session, iteration_id)
    if found is None:
        return
    experiment, iteration = found
    message = refused.message
    if isinstance(refused, Invalid):
        message = " ".join(each.message for each in refused.problems)
    moved = await move(
        session, iteration, IterationState.FAILED, problem="cannot_start", message=message
    )
    if moved is not None:
        await notify_failed(session, experiment, moved)
        await publish_iteration(session, experiment, moved)


async def _lock(session: AsyncSession, iteration_id: UUID) -> tuple[Experiment, Iteration] | None:
    """Locks the iteration. None unless it is pending."""
    iteration = await Iterations(session).find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.PENDING:
        return None
    experiment = await Experiments(session).find(iteration.experiment_id)
    return None if experiment is None else (experiment, iteration)


_FOLLOWED = (IterationState.EXECUTING, IterationState.JUDGING, IterationState.PAUSED)
_GONE = "A run of this iteration was deleted, so it cannot be finished."


async def follow(session: AsyncSession, iteration_id: UUID) -> None:
    """Moves the iteration to the state that its runs require."""
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
        await notify_failed(session, experiment, moved)
    elif state is IterationState.PAUSED:
        await notify_paused(session, experiment, moved)
    await publish_iteration(session, experiment, moved)


async def list_runs(session: AsyncSession, iteration: Iteration) -> Sequence[Run]:
    ids = [each for each in (iteration.run_id, iteration.holdout_run_id) if each is not None]
    return await Iterations(session).find_runs(ids)


async def stop_runs(session: AsyncSession, project_id: UUID, found: Sequence[Run]) -> None:
    """Cancels unfinished runs, including failed ones, which could be resumed."""
    for run in found:
        if run.state not in (RunState.COMPLETED, RunState.CANCELLED):
            await runs.cancel_run(session, project_id=project_id, run_id=run.id)


def _wanted(
    iteration: Iteration, found: Sequence[Run]
) -> tuple[IterationState, str | None, str | None]:
    """The state required by the runs, with a problem code and message if they stopped."""
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
    """Whether adaptive sampling cancelled the run."""
    return iteration.sampling is not None and run.id == iteration.run_id


def phase_of(iteration: Iteration, found: Sequence[Run]) -> IterationState:
    """Judging begins with the last answer, although most scores exist by then. An iteration never
    returns from judging to executing.
    """
    is_answered = all(run.done_count >= run.cell_count for run in found)
    if is_answered or iteration.state == IterationState.JUDGING:
        return IterationState.JUDGING
    return IterationState.EXECUTING
