"""Optimizations of a project: create, rename, copy, archive, delete; and hooks about their use."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import ids
from edison.kit.errors import NotFound
from edison.loops.optimizations import candidate, view
from edison.loops.optimizations.configure import ValidOptimization, read_config, validate
from edison.loops.optimizations.errors import WrongOptimizationState
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationModel,
    OptimizationScorer,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.schemas.candidates import CandidateRead
from edison.loops.optimizations.schemas.configs import MOST_SEED, OptimizationConfig
from edison.loops.optimizations.schemas.optimizations import (
    OptimizationChange,
    OptimizationDetail,
    OptimizationEntryRead,
    OptimizationFilter,
    OptimizationRequest,
    OptimizationSummary,
)
from edison.loops.optimizations.states import ACTIVE, OptimizationPause, OptimizationState
from edison.loops.optimizations.transitions import ORIGIN, drive_job, fail, move
from edison.runs.store.models import Run
from edison.runs.store.states import WORKING
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit
from edison.workspace.resources import service as resources

_CANCEL_FIRST = "Cancel it first."
_DUPLICATE = "Duplicate it to change anything but its name."


async def list_optimizations(
    session: AsyncSession, *, project_id: UUID, wanted: OptimizationFilter, page: PageRequest
) -> Slice[OptimizationSummary]:
    found = await Optimizations(session).list_of_project(project_id, wanted=wanted, page=page)
    return found.with_items(await view.describe_several(session, [row[0] for row in found.items]))


async def get_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID
) -> OptimizationDetail:
    return await view.describe(
        session, await Optimizations(session).get(project_id, optimization_id)
    )


async def get_candidate(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID, number: int
) -> CandidateRead:
    optimizations = Optimizations(session)
    row = await optimizations.get(project_id, optimization_id)
    found = await OptimizationSteps(optimizations).find_candidate(row.id, number)
    if found is None:
        raise NotFound("There is no such candidate.")
    return await candidate.describe_candidate(session, row, found)


async def list_activity(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID, page: PageRequest
) -> Slice[OptimizationEntryRead]:
    optimizations = Optimizations(session)
    row = await optimizations.get(project_id, optimization_id)
    found = await OptimizationSteps(optimizations).page_entries(row.id, page=page)
    return found.with_items([view.read_entry(each) for each in found.items])


async def create_optimization(
    session: AsyncSession, *, project_id: UUID, wanted: OptimizationRequest, author_id: UUID
) -> OptimizationDetail:
    """Creates a draft. Raises Invalid and DuplicateName."""
    seed = secrets.randbelow(MOST_SEED) if wanted.seed is None else wanted.seed
    valid = await validate(
        session, project_id=project_id, wanted=wanted, author_id=author_id, seed=seed
    )
    optimizations = Optimizations(session)
    await resources.check_name(optimizations, project_id, wanted.name)
    config = _config_of(wanted, valid, seed)
    row = Optimization(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        state=OptimizationState.DRAFT,
        author_id=author_id,
        **_columns_of(wanted, valid, config),
    )
    await optimizations.add(row)
    await _set_links(session, row, wanted, valid)
    await resources.note(session, row, "created", after=_described(row, config))
    return await get_optimization(session, project_id=project_id, optimization_id=row.id)


async def replace_draft(
    session: AsyncSession,
    *,
    project_id: UUID,
    optimization_id: UUID,
    wanted: OptimizationRequest,
    author_id: UUID,
) -> OptimizationDetail:
    """Replaces the configuration of a draft; without a seed, it keeps its own. Raises Invalid,
    DuplicateName, Archived and WrongOptimizationState.
    """
    optimizations = Optimizations(session)
    row = await resources.lock_active(optimizations, project_id, optimization_id)
    if row.state != OptimizationState.DRAFT:
        raise WrongOptimizationState(OptimizationState(row.state), advice=_DUPLICATE)
    seed = row.seed if wanted.seed is None else wanted.seed
    valid = await validate(
        session, project_id=project_id, wanted=wanted, author_id=author_id, seed=seed
    )
    if wanted.name != row.name:
        await resources.check_name(optimizations, project_id, wanted.name)
    before = _described(row, read_config(row))
    config = _config_of(wanted, valid, seed)
    values = {"name": wanted.name, **_columns_of(wanted, valid, config)}
    await optimizations.set_values(row.id, **values)
    await session.refresh(row)
    await _set_links(session, row, wanted, valid)
    await resources.note(session, row, "changed", before=before, after=_described(row, config))
    return await get_optimization(session, project_id=project_id, optimization_id=row.id)


def _config_of(
    wanted: OptimizationRequest, valid: ValidOptimization, seed: int
) -> OptimizationConfig:
    return OptimizationConfig.model_validate(
        wanted.model_dump(exclude={"name"}, exclude_unset=True)
        | {
            "version_id": valid.version.id,
            "seed": seed,
            "scorers": [each.model_dump(exclude_unset=True) for each in valid.scorers],
        }
    )


def _columns_of(
    wanted: OptimizationRequest, valid: ValidOptimization, config: OptimizationConfig
) -> dict[str, Any]:
    return {
        "prompt_id": wanted.prompt_id,
        "version_id": valid.version.id,
        "prompt_name": valid.prompt_name,
        "version_label": valid.version.label,
        "dataset_id": wanted.dataset_id,
        "seed": config.seed,
        "config": config.model_dump(mode="json", exclude_unset=True),
    }


async def _set_links(
    session: AsyncSession, row: Optimization, wanted: OptimizationConfig, valid: ValidOptimization
) -> None:
    await Optimizations(session).set_uses(
        row.id,
        model_ids={model.id for _, model in valid.models},
        version_ids=valid.scorer_version_ids,
    )
    await budgets.set_scope_limit(
        session,
        project_id=row.project_id,
        scope=(Scope.OPTIMIZER, row.id),
        limit=ScopeLimit(limit_usd=wanted.budget_usd, counts_simulated=valid.is_simulated),
    )


def _described(row: Optimization, config: OptimizationConfig) -> dict[str, Any]:
    return {
        "name": row.name,
        "prompt": f"{row.prompt_name} {row.version_label}",
        "dataset_id": str(config.dataset_id),
        "strategy": config.strategy.kind,
        "generations": config.generations,
        "budget_usd": f"{config.budget_usd:f}",
        "seed": row.seed,
    }


async def change_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID, change: OptimizationChange
) -> OptimizationDetail:
    """Raises DuplicateName and Archived."""
    optimizations = Optimizations(session)
    row = await resources.lock_active(optimizations, project_id, optimization_id)
    await resources.change(optimizations, row, change)
    return await get_optimization(session, project_id=project_id, optimization_id=row.id)


async def duplicate_optimization(
    session: AsyncSession,
    *,
    project_id: UUID,
    optimization_id: UUID,
    name: str | None,
    author_id: UUID,
) -> OptimizationDetail:
    """Creates a draft with the same configuration. Raises Invalid when a part of it was deleted."""
    optimizations = Optimizations(session)
    original = await optimizations.get(project_id, optimization_id)
    name = name or await resources.find_copy_name(optimizations, project_id, original.name)
    config = read_config(original).model_dump(exclude_unset=True)
    wanted = OptimizationRequest.model_validate({**config, "name": name})
    return await create_optimization(
        session, project_id=project_id, wanted=wanted, author_id=author_id
    )


async def set_archived(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID, is_archived: bool
) -> OptimizationDetail:
    """Raises WrongOptimizationState while it is active."""
    optimizations = Optimizations(session)
    row = await optimizations.get(project_id, optimization_id, to_change=True)
    _check_idle(row)
    await resources.set_archived(optimizations, row, is_archived=is_archived)
    return await get_optimization(session, project_id=project_id, optimization_id=row.id)


async def delete_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID
) -> None:
    """Deletes the optimization with its candidates. Runs, ledger entries, looks and the suggestion
    are kept. Raises WrongOptimizationState while it is active.
    """
    optimizations = Optimizations(session)
    row = await optimizations.get(project_id, optimization_id, to_change=True)
    _check_idle(row)
    await budgets.delete_scope_budgets(session, project_id=project_id, scope_id=row.id)
    before = {"name": row.name, "state": row.state}
    await optimizations.remove(row.id)
    await resources.note(session, row, "deleted", before=before)


def _check_idle(row: Optimization) -> None:
    if row.state in ACTIVE:
        raise WrongOptimizationState(OptimizationState(row.state), advice=_CANCEL_FIRST)


async def find_names(
    session: AsyncSession, project_id: UUID, wanted: Collection[UUID]
) -> Mapping[UUID, str]:
    """Hook of `workspace/budgets`: names of optimizations as budget scopes."""
    return await Optimizations(session).find_names(project_id, wanted)


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    name = await Optimizations(session).find_using(Optimization.prompt_id == prompt_id)
    return None if name is None else f"The optimization {name} improves this prompt."


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    name = await Optimizations(session).find_using(Optimization.dataset_id == dataset_id)
    return None if name is None else f"The optimization {name} uses this dataset."


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    condition = OptimizationModel.model_id == model_id
    name = await Optimizations(session).find_using(condition, OptimizationModel)
    return None if name is None else f"The optimization {name} uses this model."


async def find_use_of_scorer(session: AsyncSession, scorer_id: UUID) -> str | None:
    condition = OptimizationScorer.scorer_id == scorer_id
    name = await Optimizations(session).find_using(condition, OptimizationScorer)
    return None if name is None else f"The optimization {name} uses this scorer."


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of `workspace/projects`: whether an optimization is active."""
    if await Optimizations(session).count_active(project_id):
        return "An optimization of this project is in progress."
    return None


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: running optimizations. One that only waits ends its job at once."""
    return [drive_job(*each) for each in await Optimizations(session).list_unfinished()]


async def find_evidence(session: AsyncSession, project_id: UUID) -> Collection[UUID]:
    """Hook of retention: the runs of rounds and tests."""
    return await OptimizationSteps(Optimizations(session)).list_run_ids(project_id)


async def note_run_moved(session: AsyncSession, run: Run) -> None:
    """Hook of runs: queues the optimization's job when the run of its round changes state. A run
    that goes on resumes an optimization that waited for it.
    """
    if run.origin != ORIGIN:
        return
    row = await OptimizationSteps(Optimizations(session)).find_of_run(run.id)
    if row is None:
        return
    is_waiting = row.state == OptimizationState.PAUSED and row.reason != OptimizationPause.PERSON
    if is_waiting and run.state in WORKING:
        await move(session, row, OptimizationState.RUNNING)
    jobs.request(session, drive_job(row.id, row.project_id))


async def find_resume_objection(session: AsyncSession, run: Run) -> str | None:
    """Hook of runs: more money resumes no run of an optimization that is over or that a person
    paused.
    """
    if run.origin != ORIGIN:
        return None
    row = await OptimizationSteps(Optimizations(session)).find_of_run(run.id)
    if row is None:
        return "The optimization of this run has ended."
    if row.state == OptimizationState.PAUSED and row.reason == OptimizationPause.PERSON:
        return "The optimization of this run is paused."
    return None


async def resume_paused_by_budget(session: AsyncSession, project_id: UUID) -> None:
    """Hook of `workspace/budgets`: resumes optimizations that wait for money."""
    for row in await Optimizations(session).list_paused_by_budget(project_id):
        await move(session, row, OptimizationState.RUNNING)
        jobs.request(session, drive_job(row.id, row.project_id))


async def note_decided(session: AsyncSession, suggestion_id: UUID) -> None:
    """Publishes that the suggestion of an optimization was decided about, or commented on."""
    row = await Optimizations(session).find_of_suggestion(suggestion_id)
    if row is not None:
        await resources.publish(session, row)


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: the optimization's job has failed too often."""
    message = f"Edison could not go on: {reason}."
    await fail(session, UUID(payload["optimization_id"]), reason="internal", message=message)
