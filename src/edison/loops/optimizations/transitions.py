"""Moves optimizations from state to state, and the job that drives them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Job
from edison.kit import clock
from edison.kit.errors import EdisonError, Invalid
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.notifications import notify_ended, notify_paused
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.states import (
    NEXT,
    OVER,
    EntryKind,
    OptimizationPause,
    OptimizationState,
)
from edison.workspace.resources import service as resources

# The origin of an optimization's runs.
ORIGIN = "optimization"
DRIVE = "drive_optimization"
# What the entry of the start says was set aside for the test on held-out cases.
HELD_NANOS = "held_nanos"

_KINDS = {
    OptimizationState.RUNNING: EntryKind.RESUMED,
    OptimizationState.PAUSED: EntryKind.PAUSED,
    **dict.fromkeys(OVER, EntryKind.ENDED),
}


async def move(
    session: AsyncSession,
    row: Optimization,
    state: OptimizationState,
    *,
    figures: Mapping[str, Any] | None = None,
    **values: Any,
) -> Optimization | None:
    """Returns the optimization in its new state; None if its current state does not allow the
    transition. Records the activity with these figures, publishes and notifies: call it last.
    """
    if state not in NEXT[OptimizationState(row.state)]:
        return None
    is_start = row.state == OptimizationState.DRAFT
    if state in OVER:
        values["ended_at"] = clock.now()
    if state is OptimizationState.RUNNING:
        values |= {"reason": None, "message": None}
    optimizations = Optimizations(session)
    moved = await optimizations.change_state(row, state, values)
    if moved is None:
        return None
    data = {
        name: value
        for name in ("outcome", "reason", "message")
        if (value := getattr(moved, name)) is not None
    }
    kind = EntryKind.STARTED if is_start else _KINDS[state]
    entry = {"state": state, **data, **(figures or {})}
    await OptimizationSteps(optimizations).add_entry(moved.id, kind, entry)
    if state in OVER:
        await notify_ended(session, moved)
        await resources.note(session, moved, "ended", after={"state": state, **data})
        return moved
    if state is OptimizationState.PAUSED and moved.reason != OptimizationPause.PERSON:
        await notify_paused(session, moved)
    await resources.publish(session, moved)
    return moved


async def lock_active(
    session: AsyncSession, optimization_id: UUID, *states: OptimizationState
) -> Optimization | None:
    """Locks the optimization. None unless it is in one of the states, by default RUNNING."""
    row = await Optimizations(session).find(optimization_id, is_locked=True)
    return (
        row if row is not None and row.state in (states or (OptimizationState.RUNNING,)) else None
    )


async def find_held_nanos(steps: OptimizationSteps, optimization_id: UUID) -> int | None:
    """What was set aside for the test on held-out cases at the start."""
    started = await steps.find_first_entry(optimization_id, EntryKind.STARTED)
    return None if started is None else started.data.get(HELD_NANOS)


async def fail(session: AsyncSession, optimization_id: UUID, *, reason: str, message: str) -> None:
    row = await lock_active(
        session, optimization_id, OptimizationState.RUNNING, OptimizationState.PAUSED
    )
    if row is not None:
        await move(session, row, OptimizationState.FAILED, reason=reason[:40], message=message)


async def pause(
    session: AsyncSession, optimization_id: UUID, *, reason: OptimizationPause, message: str
) -> None:
    row = await lock_active(session, optimization_id)
    if row is not None:
        await move(session, row, OptimizationState.PAUSED, reason=reason, message=message)


def drive_job(optimization_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=DRIVE,
        key=f"{DRIVE}:{optimization_id}",
        payload={"optimization_id": str(optimization_id)},
        project_id=project_id,
    )


def sentence_of(refused: EdisonError) -> str:
    """The message of a refusal; for several problems, all of their messages."""
    if isinstance(refused, Invalid):
        return " ".join(dict.fromkeys(each.message for each in refused.problems))
    return refused.message
