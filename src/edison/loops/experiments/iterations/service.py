"""Iterations: lists, details with progress, readiness, and hooks of jobs and projects."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit.money import usd_from_nanos
from edison.loops.experiments import view
from edison.loops.experiments.drafts.configure import read_config
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations.control import IterationRef
from edison.loops.experiments.iterations.measure import total_nanos
from edison.loops.experiments.iterations.start import find_reasons
from edison.loops.experiments.iterations.transitions import ORIGIN, drive_job, move
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.notifications import notify_failed
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.estimates import Readiness
from edison.loops.experiments.schemas.iterations import (
    IterationDetail,
    IterationProgress,
    IterationRead,
    VariantProgress,
)
from edison.loops.experiments.states import IterationState
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.runs.store.models import Run


async def list_iterations(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, page: PageRequest
) -> Slice[IterationRead]:
    await Experiments(session).get(project_id, experiment_id)
    found = await Iterations(session).page_of(experiment_id, page=page)
    brief = await Suggestions(session).list_of_iterations([each.id for each, _ in found.items])
    return found.with_items([view.read_iteration(*row, brief[row[0].id]) for row in found.items])


async def get_iteration(session: AsyncSession, place: IterationRef) -> IterationDetail:
    experiment = await Experiments(session).get(place.project_id, place.experiment_id)
    iteration, spent = await Iterations(session).get(experiment.id, place.iteration_id)
    brief = await Suggestions(session).list_of_iterations([iteration.id])
    rows = await Iterations(session).list_of([experiment.id])
    limits = read_config(iteration.config).limits
    return IterationDetail(
        **view.iteration_values(iteration, spent, brief[iteration.id]),
        progress=await _progress(session, place.project_id, iteration),
        spent_usd=usd_from_nanos(total_nanos(rows)),
        budget_usd=limits.budget_usd,
        max_tokens=limits.max_tokens,
    )


async def _progress(
    session: AsyncSession, project_id: UUID, iteration: Iteration
) -> IterationProgress | None:
    run_ids = [iteration.run_id, iteration.holdout_run_id]
    if iteration.state == IterationState.TRYING:
        run_ids = [iteration.trial_run_id]
    ids = [each for each in run_ids if each is not None]
    found = [await runs.get_run(session, project_id=project_id, run_id=each) for each in ids]
    if not found:
        return None
    remaining = [each.remaining_seconds for each in found if each.remaining_seconds is not None]
    return IterationProgress(
        cells=sum(each.cell_count for each in found),
        cells_done=sum(each.done_count for each in found),
        scores=sum(each.cell_count * each.scorer_count for each in found),
        scores_done=sum(each.score_count for each in found),
        comparisons=sum(each.comparison_total for each in found),
        comparisons_done=sum(each.comparison_count for each in found),
        variants=_variants(found),
        elapsed_seconds=max(each.elapsed_seconds for each in found),
        remaining_seconds=max(remaining, default=None),
    )


def _variants(found: Sequence[RunDetail]) -> list[VariantProgress]:
    """Variants of the training and holdout runs combined; both have the same variants."""
    return [
        VariantProgress(
            label=same[0].label,
            done=sum(each.done_count for each in same),
            cells=sum(each.cell_count for each in same),
            failed=sum(each.error_count for each in same),
            waiting=next((each.waiting.sentence for each in same if each.waiting), None),
        )
        for same in zip(*(run.variants for run in found), strict=True)
    ]


async def get_readiness(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, author_id: UUID
) -> Readiness:
    experiment = await Experiments(session).get(project_id, experiment_id)
    reasons = await find_reasons(session, experiment, author_id=author_id)
    return Readiness(is_ready=not reasons, reasons=reasons)


async def note_run_moved(session: AsyncSession, run: Run) -> None:
    """Hook of runs: queues the iteration's job when one of its runs changes state."""
    if run.origin != ORIGIN:
        return
    found = await Iterations(session).find_of_run(run.id)
    if found is not None:
        jobs.request(session, drive_job(*found))


async def find_evidence(session: AsyncSession, project_id: UUID) -> Collection[UUID]:
    """Hook of retention: the runs that reports of experiments are about."""
    return await Iterations(session).list_run_ids(project_id)


async def find_resume_objection(session: AsyncSession, run: Run) -> str | None:
    """Hook of runs: more money does not resume the runs of an iteration that has ended."""
    if run.origin == ORIGIN and await Iterations(session).has_ended_with(run.id):
        return "Its iteration has ended."
    return None


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: iterations that need a job."""
    return [
        drive_job(iteration.id, project_id)
        for iteration, project_id in await Iterations(session).list_driven()
    ]


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: the iteration's job has failed too often. An iteration in refining
    moves to review, where users can edit the prompt; any other fails.
    """
    iteration = await Iterations(session).find(UUID(payload["iteration_id"]), is_locked=True)
    if iteration is None:
        return
    experiment = await Experiments(session).find(iteration.experiment_id)
    is_refining = iteration.state in (IterationState.REFINING, IterationState.TRYING)
    state = IterationState.REVIEWING if is_refining else IterationState.FAILED
    message = f"Edison could not go on: {reason}."
    moved = await move(session, iteration, state, problem="internal", message=message)
    if moved is not None and experiment is not None:
        await notify_failed(session, experiment, moved)
        await publish_iteration(session, experiment, moved)


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of `workspace/projects`: whether an iteration is running."""
    if await Iterations(session).count_active(project_id):
        return "An experiment of this project has an iteration in progress."
    return None
