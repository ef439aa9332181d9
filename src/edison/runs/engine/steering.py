"""What people do to runs that are there: pause, resume, cancel, and have cells made again."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import dead
from edison.runs.engine.control import announce, dead_keys, move, queue_chunks
from edison.runs.engine.errors import IllegalChange, NothingFailed
from edison.runs.engine.models import Run
from edison.runs.engine.money import check_money
from edison.runs.engine.repository.again import Again
from edison.runs.engine.repository.chunks import Chunks
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.repository.sums import Sums
from edison.runs.engine.states import RunState
from edison.workspace.audit import service as audit

BY_PERSON = "person"


async def pause(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Calls under way come to their end; nothing new starts. Raises IllegalChange."""
    run = await _lock(session, project_id, run_id)
    message = "Paused by a person."
    return await _change(session, run, RunState.PAUSED, "paused", reason=BY_PERSON, message=message)


async def resume(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Go on with exactly the cells that are missing. Raises IllegalChange, AlreadyRunning, or
    BudgetExhausted.
    """
    run = await Runs(session).get(project_id, run_id)
    if run.state in (RunState.PAUSED, RunState.FAILED):
        await check_money(session, run, cell_count=run.cell_count - run.done_count)
    run = await _lock(session, project_id, run_id)
    if run.state not in (RunState.PAUSED, RunState.FAILED):
        raise IllegalChange("resumed", run.state)
    return await go_on(session, run, "resumed")


async def cancel(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """End it for good: calls under way are cut off, what is there stays. Raises IllegalChange."""
    run = await _lock(session, project_id, run_id)
    return await _change(session, run, RunState.CANCELLED, "cancelled")


async def retry_failed(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Make the cells that failed again, and the scores that could not be read, and only those.
    Raises NothingFailed, IllegalChange, or BudgetExhausted.
    """
    run = await Runs(session).get(project_id, run_id)
    if run.error_count:
        await check_money(session, run, cell_count=run.error_count)
    run = await _lock(session, project_id, run_id)
    if run.state not in (RunState.COMPLETED, RunState.FAILED, RunState.PAUSED):
        raise IllegalChange("tried again", run.state)
    failed = await Again(session).mark_failed(run_id)
    unreadable = await Again(session).forget_unreadable(run_id)
    positions = sorted({*failed, *unreadable})
    if not positions:
        raise NothingFailed
    return await _reopen(session, run, positions, "retried")


async def rerun_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> Run:
    """Make one cell again, asking the model anew. Raises IllegalChange, or BudgetExhausted."""
    output = await Reading(session).get_output(project_id, output_id)
    run = await Runs(session).get(project_id, output.run_id)
    if run.state != RunState.CANCELLED:
        await check_money(session, run, cell_count=1)
    run = await _lock(session, project_id, output.run_id)
    if run.state == RunState.CANCELLED or run.replay_of_id is not None:
        raise IllegalChange("run again in part", run.state)
    positions = await Again(session).mark(output_id)
    if not positions:
        # It is being made again already.
        return run
    return await _reopen(session, run, positions, "cell_rerun")


async def go_on(session: AsyncSession, run: Run, action: str) -> Run:
    """Set a run to work, whatever it is doing now."""
    await Runs(session).set_variants(run.id, {"halted": None, "waiting": None})
    await dead.forget(session, await dead_keys(session, run))
    if run.state not in (RunState.EXECUTING, RunState.PENDING):
        moved = await move(session, run, RunState.EXECUTING)
        if moved is None:
            raise IllegalChange(action, run.state)
        run = moved
    _note(session, run, action)
    await queue_chunks(session, run)
    await announce(session, run)
    return run


async def _reopen(session: AsyncSession, run: Run, positions: Sequence[int], action: str) -> Run:
    await Chunks(session).reopen(run.id, positions)
    run = await Sums(session).recount(run.id)
    return await go_on(session, run, action)


async def _lock(session: AsyncSession, project_id: UUID, run_id: UUID) -> Run:
    runs = Runs(session)
    await runs.get(project_id, run_id)
    locked = await runs.lock(run_id)
    return locked if locked is not None else await runs.get(project_id, run_id)


async def _change(
    session: AsyncSession,
    run: Run,
    state: RunState,
    action: str,
    *,
    reason: str | None = None,
    message: str | None = None,
) -> Run:
    before = run.state
    moved = await move(session, run, state, reason=reason, message=message)
    if moved is None:
        raise IllegalChange(action, before)
    _note(session, moved, action)
    await announce(session, moved)
    return moved


def _note(session: AsyncSession, run: Run, action: str) -> None:
    audit.record(
        session,
        f"run.{action}",
        entity=("run", run.id),
        project_id=run.project_id,
        after={"state": run.state, "done": run.done_count, "cells": run.cell_count},
    )
