"""Moves an iteration on: looks at its row, does the next step, and looks again.

A step is short, or may be taken again: starting and following runs are single transactions, summing
up writes nothing before its end, and the answers that a refiner was given are kept. So whoever is
killed in the middle of one leaves nothing behind that the next who looks would not put right.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.recorder import Recorder
from edison.kit.errors import Conflict, EdisonError, Exhausted, Invalid, NotFound
from edison.library.calls.gateway import Gateway
from edison.loops.experiments.cycle import refining, sampling, summing_up
from edison.loops.experiments.cycle.control import ORIGIN, move
from edison.loops.experiments.cycle.following import follow
from edison.loops.experiments.drafts.configuring import (
    HOLDOUT,
    TRAIN,
    pruned_keys,
    read_config,
    run_request,
)
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.notes import publish_iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import IterationState
from edison.loops.experiments.telling import tell_of_failure
from edison.runs.plan import service as run_plans
from edison.runs.plan import types

# More than there are states on the longest way.
MOST_STEPS = 12
_NO_CASES = "no_cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveTools:
    database: Database
    gateway: Gateway
    recorder: Recorder


async def drive(tools: DriveTools, iteration_id: UUID) -> None:
    """Until it waits for its runs, for a person, or is over."""
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
                await sampling.consider(tools.database, iteration)
                async with tools.database.write() as session:
                    await follow(session, iteration_id)
            case IterationState.AGGREGATING:
                await summing_up.sum_up(tools.database, iteration_id)
            case IterationState.REFINING:
                await refining.refine(tools.database, tools.gateway, tools.recorder, iteration_id)
            case _:
                return


async def _begin(database: Database, iteration_id: UUID) -> None:
    """What keeps it from beginning now was not in the way when it was asked for."""
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
        await tell_of_failure(session, experiment, moved)
        await publish_iteration(session, experiment, moved)


async def _lock(session: AsyncSession, iteration_id: UUID) -> tuple[Experiment, Iteration] | None:
    """While it has not begun."""
    iteration = await Iterations(session).find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.PENDING:
        return None
    experiment = await Experiments(session).find(iteration.experiment_id)
    return None if experiment is None else (experiment, iteration)
