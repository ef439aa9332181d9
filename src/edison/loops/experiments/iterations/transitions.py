"""Moves iterations from state to state. Every state change goes through `move`."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Job
from edison.kit import clock
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.states import NEXT, OVER, STATE_OF, IterationState

# The origin of an iteration's runs.
ORIGIN = "experiment"
DRIVE = "drive_iteration"
AUTO_REVIEW = "review_automatically"

# States an unjudged iteration may pass through within one transaction, when the target does not
# follow directly.
_PASSED = (IterationState.EXECUTING, IterationState.JUDGING)
_UNJUDGED = (IterationState.PENDING, IterationState.PAUSED, *_PASSED)


def path_to(start: IterationState, goal: IterationState) -> Sequence[IterationState] | None:
    """The states to pass through, ending with the goal; None if unreachable."""
    waiting: deque[tuple[IterationState, ...]] = deque([(start,)])
    while waiting:
        path = waiting.popleft()
        if goal in NEXT[path[-1]]:
            return (*path[1:], goal)
        if path[-1] in _UNJUDGED:
            waiting.extend(
                (*path, state) for state in _PASSED if state in NEXT[path[-1]] and state not in path
            )
    return None


async def move(
    session: AsyncSession,
    iteration: Iteration,
    state: IterationState,
    *,
    problem: str | None = None,
    message: str | None = None,
    values: Mapping[str, Any] | None = None,
) -> Iteration | None:
    """Returns the iteration in its new state, and updates its experiment; None if its current state
    does not allow the transition.
    """
    path = path_to(IterationState(iteration.state), state)
    if path is None:
        return None
    moved: Iteration | None = iteration
    for step in path:
        if moved is None:
            return None
        moved = await _step(session, moved, step)
    if moved is None:
        return None
    changes = {"problem": problem, "message": message, **(values or {})}
    await Iterations(session).change(moved.id, changes)
    await Experiments(session).change(moved.experiment_id, {"state": STATE_OF[state]})
    return await Iterations(session).find(moved.id)


async def _step(
    session: AsyncSession, iteration: Iteration, state: IterationState
) -> Iteration | None:
    now = clock.now()
    values: dict[str, Any] = {"phases": {**iteration.phases, state.value: now.isoformat()}}
    if iteration.started_at is None:
        values["started_at"] = now
    if state in OVER:
        values |= {"ended_at": now, "active_key": None}
    return await Iterations(session).change_state(
        iteration.id, IterationState(iteration.state), state, values
    )


def drive_job(iteration_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=DRIVE,
        key=f"{DRIVE}:{iteration_id}",
        payload={"iteration_id": str(iteration_id)},
        project_id=project_id,
    )


def auto_review_job(iteration_id: UUID, project_id: UUID) -> Job:
    """For projects without required review."""
    return Job(
        task=AUTO_REVIEW,
        key=f"{AUTO_REVIEW}:{iteration_id}",
        payload={"iteration_id": str(iteration_id)},
        project_id=project_id,
    )
