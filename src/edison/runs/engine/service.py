"""Runs of a project, and what other slices want to know about them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import briefly
from edison.jobs.job import Job
from edison.runs.engine import reading, steering
from edison.runs.engine.comparisons import ShownPair, list_comparisons, list_shown_pairs
from edison.runs.engine.control import (
    AGGREGATE,
    BUDGET,
    FILL,
    RESUME,
    aggregate_job,
    announce,
    chunk_jobs,
    move,
    on_moved,
    resume_job,
    waited_for_new_day,
)
from edison.runs.engine.errors import IllegalChange, NotAReplay
from edison.runs.engine.freezing import Asker
from edison.runs.engine.models import Run, RunVariant
from edison.runs.engine.money import add_charges
from edison.runs.engine.outputs import get_case, get_output, list_outputs, list_rows
from edison.runs.engine.people import list_effective, lock_output, set_human_value
from edison.runs.engine.planning import personal_lock
from edison.runs.engine.repository.chunks import Chunks
from edison.runs.engine.repository.comparing import Comparing
from edison.runs.engine.repository.comparisons import Comparisons
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.reads import ReplayComparison, RunDetail, RunRead
from edison.runs.engine.schemas.requests import RunFilter
from edison.runs.engine.starting import (
    Survey,
    add_run,
    estimate_run,
    estimate_survey,
    start_again,
    start_replay,
    start_run,
    survey_run,
)
from edison.runs.engine.states import OVER, WORKING, RunState
from edison.runs.engine.storing import on_outputs_replaced
from edison.workspace.audit import service as audit

__all__ = [
    "AGGREGATE",
    "FILL",
    "OVER",
    "RESUME",
    "WORKING",
    "Asker",
    "RunState",
    "ShownPair",
    "Survey",
    "add_charges",
    "add_run",
    "estimate_run",
    "estimate_survey",
    "get_case",
    "get_output",
    "list_comparisons",
    "list_effective",
    "list_outputs",
    "list_rows",
    "list_shown_pairs",
    "lock_output",
    "on_moved",
    "on_outputs_replaced",
    "personal_lock",
    "set_human_value",
    "start_again",
    "start_replay",
    "start_run",
    "survey_run",
]


async def list_runs(
    session: AsyncSession, *, project_id: UUID, wanted: RunFilter, page: PageRequest
) -> Slice[RunRead]:
    runs = Runs(session)
    found = await runs.list_of_project(project_id, wanted=wanted, page=page)
    simulated = {
        variant.run_id
        for variant in await runs.list_variants_of([run.id for run, _, _ in found.items])
        if variant.is_simulated
    }
    items = [
        reading.read_run(
            run,
            author=None if email is None else (email, name),
            is_simulated=run.id in simulated,
        )
        for run, email, name in found.items
    ]
    return Slice(items=items, next=found.next, total=found.total)


async def get_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    async with briefly(session):
        run = await Runs(session).get(project_id, run_id)
    return await describe(session, run)


async def describe(session: AsyncSession, run: Run) -> RunDetail:
    runs = Runs(session)
    async with briefly(session):
        return reading.read_detail(
            run,
            author=await runs.find_author(run.author_id),
            variants=await runs.list_variants(run.id),
            scorers=await runs.list_scorers(run.id),
            comparers=await Comparisons(session).list_comparers(run.id),
        )


async def rename_run(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, name: str
) -> RunDetail:
    runs = Runs(session)
    run = await runs.get(project_id, run_id)
    before = run.name
    await runs.change(run_id, {"name": name})
    audit.record(
        session,
        "run.renamed",
        entity=("run", run_id),
        project_id=project_id,
        before={"name": before},
        after={"name": name},
    )
    run = await runs.get(project_id, run_id)
    await announce(session, run)
    return await describe(session, run)


async def delete_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> None:
    """Raises IllegalChange while it is not over."""
    runs = Runs(session)
    run = await runs.get(project_id, run_id)
    if run.state not in OVER:
        raise IllegalChange("deleted", run.state)
    await runs.remove(run_id)
    audit.record(
        session,
        "run.deleted",
        entity=("run", run_id),
        project_id=project_id,
        before={"name": run.name, "cells": run.cell_count},
    )
    await announce(session, run)


async def pause_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await steering.pause(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def resume_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await steering.resume(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def cancel_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await steering.cancel(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def retry_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await steering.retry_failed(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def rerun_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> RunDetail:
    run = await steering.rerun_output(session, project_id=project_id, output_id=output_id)
    return await describe(session, run)


async def compare_with_original(
    session: AsyncSession, *, project_id: UUID, run_id: UUID
) -> ReplayComparison:
    """Whether a replay gave what the run it replays gave. Raises NotAReplay."""
    run = await Runs(session).get(project_id, run_id)
    if run.replay_of_id is None:
        raise NotAReplay
    return await Comparing(session).compare(run.id, run.replay_of_id)


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """For the sweep: work on runs that nobody does, though somebody should."""
    runs = Runs(session)
    missing: list[Job] = []
    for run in await runs.list_in_states((RunState.PENDING, *WORKING)):
        jobs = await chunk_jobs(session, run)
        if not jobs and not await Chunks(session).count_open(run.id):
            jobs = [aggregate_job(run)]
        missing += jobs
    missing += [aggregate_job(run) for run in await runs.list_in_states([RunState.AGGREGATING])]
    missing += [
        resume_job(run)
        for run in await runs.list_in_states([RunState.PAUSED])
        if waited_for_new_day(run)
    ]
    return missing


async def resume_for_new_day(session: AsyncSession, *, run_id: UUID) -> None:
    """For the job: budgets of a day begin anew at midnight UTC."""
    run = await Runs(session).lock(run_id)
    if run is not None and waited_for_new_day(run):
        await steering.go_on(session, run, "resumed")


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """For the queue: a job of a run failed too often, so the run says why it stands still."""
    run = await Runs(session).lock(UUID(payload["run_id"]))
    if run is None:
        return
    message = f"Edison could not go on: {reason}. What is done is kept; resume to try again."
    moved = await move(session, run, RunState.FAILED, reason="internal", message=message)
    if moved is not None:
        await announce(session, moved)


async def note_retried_job(session: AsyncSession, payload: Mapping[str, Any]) -> None:
    """For the queue: somebody wants a dead job tried again, so its run goes on."""
    run = await Runs(session).lock(UUID(payload["run_id"]))
    if run is not None and run.state == RunState.FAILED:
        await steering.go_on(session, run, "resumed")


async def resume_paused_by_budget(session: AsyncSession, project_id: UUID) -> None:
    """For the budgets: there is more money than before."""
    for run in await Runs(session).list_paused_for(BUDGET, project_id=project_id):
        await steering.go_on(session, run, "resumed")


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """For the projects: whether something is still running."""
    if await Runs(session).count_active(project_id):
        return "Runs are under way in this project."
    return None


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    if await Runs(session).has_active_with(RunVariant.model_id, model_id):
        return "A run that is under way uses this model."
    return None


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    if await Runs(session).has_active_with(RunVariant.prompt_id, prompt_id):
        return "A run that is under way uses this prompt."
    return None


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    if await Runs(session).has_active_with(Run.dataset_id, dataset_id):
        return "A run that is under way uses this dataset."
    return None


async def find_active(session: AsyncSession, *, lock_name: str) -> UUID | None:
    """The active run of what may have one only."""
    return await Runs(session).find_holder(lock_name)


async def count_active(session: AsyncSession, *, project_id: UUID) -> int:
    return await Runs(session).count_active(project_id)


async def count_claimed_chunks(session: AsyncSession) -> Mapping[UUID, int]:
    """For the operations: how many chunks each process works on."""
    return await Chunks(session).count_claimed()
