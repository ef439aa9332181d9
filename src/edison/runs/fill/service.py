"""Control of existing runs: pause, resume, cancel, retry."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import dead
from edison.jobs.job import Job, request
from edison.kit.hook import Hook
from edison.runs.store.chunks import Chunks, Retries
from edison.runs.store.errors import (
    IllegalRunChange,
    NothingFailed,
    RunIsImported,
    RunNeedsCommand,
)
from edison.runs.store.models import Run, RunVariant
from edison.runs.store.money import check_budget
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs, ScorerUses
from edison.runs.store.states import COMMAND_LINE, IMPORTED, WORKING, RunState
from edison.runs.store.totals import Totals
from edison.runs.store.transitions import (
    AGGREGATE,
    BUDGET,
    aggregate_job,
    announce,
    chunk_jobs,
    dead_keys,
    is_paused_since_earlier_day,
    move,
    park_job,
    queue_chunks,
    resume_job,
)
from edison.workspace.audit import service as audit

BY_PERSON = "person"
PROJECT_ARCHIVED = "project_archived"

# A listener returns why the run stays paused, or None.
find_resume_objection: Hook[[AsyncSession, Run], str | None] = Hook(
    "Before a run that was paused by a budget or by archiving the project is resumed without a "
    "person asking for it, in that transaction. An objection leaves it paused."
)


async def pause_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Pauses the run: calls in flight finish, no new ones start. Raises IllegalRunChange."""
    run = await _lock(session, project_id, run_id)
    message = "Paused by a person."
    return await _change(session, run, RunState.PAUSED, "paused", reason=BY_PERSON, message=message)


async def resume_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Resumes the run with its missing cells. Raises RunIsImported, IllegalRunChange,
    RunAlreadyActive, or BudgetExhausted.
    """
    run = await _get_own(session, project_id, run_id)
    if run.state in (RunState.PAUSED, RunState.FAILED):
        await check_budget(session, run, cell_count=run.cell_count - run.done_count)
    run = await _lock(session, project_id, run_id)
    if run.state not in (RunState.PAUSED, RunState.FAILED):
        raise IllegalRunChange("resumed", run.state)
    return await continue_run(session, run, "resumed")


async def cancel_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Cancels the run for good: cuts off calls, keeps results. Raises IllegalRunChange."""
    run = await _lock(session, project_id, run_id)
    return await _change(session, run, RunState.CANCELLED, "cancelled")


async def retry_failed(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> Run:
    """Retries the failed cells and the unreadable scores, and only those. Raises NothingFailed,
    IllegalRunChange, or BudgetExhausted.
    """
    run = await _get_own(session, project_id, run_id)
    if run.error_count:
        await check_budget(session, run, cell_count=run.error_count)
    run = await _lock(session, project_id, run_id)
    if run.state not in (RunState.COMPLETED, RunState.FAILED, RunState.PAUSED):
        raise IllegalRunChange("tried again", run.state)
    failed = await Retries(session).mark_failed(run_id)
    unreadable = await Retries(session).forget_unreadable(run_id)
    positions = sorted({*failed, *unreadable})
    if not positions:
        raise NothingFailed
    return await _reopen(session, run, positions, "retried")


async def rerun_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> Run:
    """Retries one cell, bypassing the cache. Raises IllegalRunChange, or BudgetExhausted."""
    output = await Outputs(session).get_output(project_id, output_id)
    run = await _get_own(session, project_id, output.run_id)
    if run.state != RunState.CANCELLED:
        await check_budget(session, run, cell_count=1)
    run = await _lock(session, project_id, output.run_id)
    if run.state == RunState.CANCELLED or run.replay_of_id is not None:
        raise IllegalRunChange("run again in part", run.state)
    positions = await Retries(session).mark(output_id)
    if not positions:
        # Already marked for retry.
        return run
    return await _reopen(session, run, positions, "cell_rerun")


async def continue_run(session: AsyncSession, run: Run, action: str) -> Run:
    """Moves the run to EXECUTING if needed and queues its chunks. Clears halted variants and dead
    jobs. Raises IllegalRunChange.
    """
    await Runs(session).set_variants(run.id, {"halted": None, "waiting": None})
    await dead.forget(session, await dead_keys(session, run))
    if run.state not in (RunState.EXECUTING, RunState.PENDING):
        moved = await move(session, run, RunState.EXECUTING)
        if moved is None:
            raise IllegalRunChange(action, run.state)
        run = moved
    _note(session, run, action)
    await queue_chunks(session, run)
    await announce(session, run)
    return run


async def _reopen(session: AsyncSession, run: Run, positions: Sequence[int], action: str) -> Run:
    await Chunks(session).reopen(run.id, positions)
    run = await Totals(session).recount(run.id)
    return await continue_run(session, run, action)


async def _get_own(session: AsyncSession, project_id: UUID, run_id: UUID) -> Run:
    """Raises RunIsImported."""
    run = await Runs(session).get(project_id, run_id)
    if run.origin == IMPORTED:
        raise RunIsImported
    return run


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
        raise IllegalRunChange(action, before)
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


async def find_use_of_scorer(session: AsyncSession, scorer_id: UUID) -> str | None:
    """Hook of `library/scorers`: whether an active run uses a version of the scorer."""
    if await ScorerUses(session).is_active(scorer_id):
        return "A run in progress uses this scorer."
    return None


async def count_runs(session: AsyncSession, scorer_ids: Collection[UUID]) -> Mapping[UUID, int]:
    """Hook of `library/scorers`: the number of runs that used each scorer."""
    return await ScorerUses(session).count_runs(scorer_ids)


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: jobs that runs need but that are not queued."""
    runs = Runs(session)
    missing: list[Job] = []
    for run in await runs.list_in_states((RunState.PENDING, *WORKING, RunState.AGGREGATING)):
        jobs = await _jobs_of(session, run)
        if run.origin == COMMAND_LINE and not any(job.task == AGGREGATE for job in jobs):
            jobs = [park_job(run)]
        missing += jobs
    missing += [
        resume_job(run)
        for run in await runs.list_in_states([RunState.PAUSED])
        if await _may_resume_today(session, run)
    ]
    return missing


async def _jobs_of(session: AsyncSession, run: Run) -> Sequence[Job]:
    """The jobs that a run needs to go on."""
    if run.state == RunState.AGGREGATING:
        return [aggregate_job(run)]
    jobs = await chunk_jobs(session, run)
    if not jobs and not await Chunks(session).count_open(run.id):
        return [aggregate_job(run)]
    return jobs


async def take_over(session: AsyncSession, run: Run) -> None:
    """Queues the jobs of a run in progress whose process was lost, without a sweep."""
    for job in await _jobs_of(session, run):
        request(session, job)


async def park(session: AsyncSession, *, run_id: UUID) -> None:
    """Pauses a run of a command that was killed. Only a server does this: it has the database for
    itself, so the command is gone.
    """
    run = await Runs(session).lock(run_id)
    if run is None or run.origin != COMMAND_LINE:
        return
    moved = await move(
        session, run, RunState.PAUSED, reason="command", message=RunNeedsCommand().message
    )
    if moved is not None:
        await announce(session, moved)


async def resume_after_budget_reset(session: AsyncSession, *, run_id: UUID) -> None:
    """Resumes a run paused by its budget: daily budgets reset at midnight UTC."""
    run = await Runs(session).lock(run_id)
    if run is not None and await _may_resume_today(session, run):
        await continue_run(session, run, "resumed")


async def _may_resume_today(session: AsyncSession, run: Run) -> bool:
    return (
        is_paused_since_earlier_day(run) and await find_resume_objection.first(session, run) is None
    )


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: fails the run after its job has failed too often."""
    run = await Runs(session).lock(UUID(payload["run_id"]))
    if run is None:
        return
    message = f"Edison could not go on: {reason}. What is done is kept; resume to try again."
    moved = await move(session, run, RunState.FAILED, reason="internal", message=message)
    if moved is not None:
        await announce(session, moved)


async def note_retried_job(session: AsyncSession, payload: Mapping[str, Any]) -> None:
    """Hook of the job queue: resumes the failed run when its dead job is retried."""
    run = await Runs(session).lock(UUID(payload["run_id"]))
    if run is not None and run.state == RunState.FAILED:
        await continue_run(session, run, "resumed")


async def resume_paused_by_budget(session: AsyncSession, project_id: UUID) -> None:
    """Hook of `workspace/budgets`: resumes the runs that were paused by an exhausted budget, except
    those whose owner objects.
    """
    for run in await Runs(session).list_paused_for(BUDGET, project_id=project_id):
        if await find_resume_objection.first(session, run) is None:
            await continue_run(session, run, "resumed")


async def pause_of_archived(session: AsyncSession, project_id: UUID) -> None:
    """Hook of `workspace/projects`: pauses the runs of an archived project."""
    for run in await Runs(session).list_in((RunState.PENDING, *WORKING), project_id=project_id):
        message = "The project was archived."
        await _change(
            session, run, RunState.PAUSED, "paused", reason=PROJECT_ARCHIVED, message=message
        )


async def resume_of_unarchived(session: AsyncSession, project_id: UUID) -> None:
    """Hook of `workspace/projects`: resumes the runs that archiving the project paused, except
    those whose owner objects.
    """
    for run in await Runs(session).list_paused_for(PROJECT_ARCHIVED, project_id=project_id):
        if await find_resume_objection.first(session, run) is None:
            await continue_run(session, run, "resumed")


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of `workspace/projects`: whether a run is active."""
    if await Runs(session).count_active(project_id):
        return "This project has runs in progress."
    return None


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    name = await Runs(session).find_active_with_model(model_id)
    return None if name is None else f"The run {name}, which is in progress, uses this model."


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    if await Runs(session).has_active_with(RunVariant.prompt_id, prompt_id):
        return "A run in progress uses this prompt."
    return None


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    if await Runs(session).has_active_with(Run.dataset_id, dataset_id):
        return "A run in progress uses this dataset."
    return None


async def count_claimed_chunks(session: AsyncSession) -> Mapping[UUID, int]:
    """Hook of operations: the number of chunks each process has claimed."""
    return await Chunks(session).count_claimed()
