"""Starts runs: from a request, as a repeat of an earlier run, or as a replay."""

import asyncio
from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import Conflict, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.runs.plan import estimate, saved_scorers, scorers
from edison.runs.plan.estimate import Experience, Judgements, need_of
from edison.runs.plan.experience import read_experience, read_judges
from edison.runs.plan.schemas import RunEstimate, RunRequest, ScorerRequest
from edison.runs.plan.snapshot import Copying, store_snapshot
from edison.runs.plan.types import EditedParts, Lineage, PlannedScorer, RunContext, RunPlan
from edison.runs.plan.validate import PlanOptions, RequestProblems, prepare
from edison.runs.plan.versions import choose_versions
from edison.runs.store.errors import RunNeedsCommand
from edison.runs.store.models import Run
from edison.runs.store.money import check_budget
from edison.runs.store.repository import Runs
from edison.runs.store.states import COMMAND_LINE, RunCache
from edison.runs.store.transitions import announce, queue_chunks
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service
from edison.workspace.budgets.types import BudgetLeft


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateInput:
    """Consistent snapshot of everything an estimate needs."""

    plan: RunPlan
    judges: Sequence[Judgements]
    experience: Experience
    budgets: Sequence[BudgetLeft]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringPlan:
    """Scorers without a run, for answers from elsewhere. `model_ids` are the models they call."""

    scorers: Sequence[PlannedScorer]
    model_ids: frozenset[UUID]


async def plan_scoring(
    session: AsyncSession,
    *,
    project_id: UUID,
    requests: Sequence[ScorerRequest],
    author_id: UUID | None,
    is_estimate: bool = False,
) -> ScoringPlan:
    """Raises Invalid with all problems. Changed drafts of grader prompts become versions, except
    for an estimate.
    """
    problems = RequestProblems()
    filled = await saved_scorers.fill_in(
        session, project_id=project_id, requests=requests, on_problem=problems.add
    )
    graders = saved_scorers.list_choices(filled)
    versions = await choose_versions(
        session,
        project_id=project_id,
        choices=[choice for _, choice in graders],
        author_id=author_id,
        is_estimate=is_estimate,
        on_problem=problems.add,
    )
    of_graders = dict(zip((index for index, _ in graders), versions, strict=True))
    planned = scorers.plan_scorers(filled, of_graders, (), on_problem=problems.add)
    asked = list(scorers.list_models(planned, {}))
    await scorers.check_models(session, project_id=project_id, asked=asked, on_problem=problems.add)
    problems.check()
    return ScoringPlan(
        scorers=list(planned.values()),
        model_ids=frozenset(model_id for _, model_ids in asked for model_id in model_ids),
    )


async def estimate_run(
    database: Database,
    *,
    project_id: UUID,
    wanted: RunRequest,
    author_id: UUID | None,
    at_once: int,
    scope_ids: Collection[UUID] = (),
) -> RunEstimate:
    """Estimates a run. Calls no model and writes nothing."""
    async with database.read() as session:
        survey = await read_estimate_input(
            session,
            project_id=project_id,
            wanted=wanted,
            author_id=author_id,
            scope_ids=scope_ids,
        )
    return await compute_estimate(survey, at_once=at_once)


async def read_estimate_input(
    session: AsyncSession,
    *,
    project_id: UUID,
    wanted: RunRequest,
    author_id: UUID | None,
    scope_ids: Collection[UUID] = (),
    ignores_cache: bool = False,
) -> EstimateInput:
    """Reads what an estimate needs, to be computed outside the transaction. Raises Invalid.

    `ignores_cache`: the prompts will differ from those that were answered before.
    """
    plan = await prepare(
        session,
        project_id=project_id,
        wanted=wanted,
        author_id=author_id,
        options=PlanOptions(is_estimate=True),
    )
    return await read_estimate_of_plan(
        session,
        project_id=project_id,
        plan=plan,
        scope_ids=scope_ids,
        uses_cache=not (wanted.is_cache_bypassed or ignores_cache),
    )


async def read_estimate_of_plan(
    session: AsyncSession,
    *,
    project_id: UUID,
    plan: RunPlan,
    uses_cache: bool,
    scope_ids: Collection[UUID] = (),
) -> EstimateInput:
    """Reads what an estimate of a run needs that is planned already."""
    judges = await read_judges(session, project_id=project_id, plan=plan)
    return EstimateInput(
        plan=plan,
        judges=judges,
        experience=await read_experience(
            session,
            project_id=project_id,
            plan=plan,
            judges=judges,
            uses_cache=uses_cache,
        ),
        budgets=await service.list_left(session, project_id=project_id, scope_ids=scope_ids),
    )


async def compute_estimate(survey: EstimateInput, *, at_once: int) -> RunEstimate:
    """Computes the estimate in a thread, without a transaction."""
    return await asyncio.to_thread(
        estimate.estimate,
        survey.plan,
        judges=survey.judges,
        experience=survey.experience,
        budgets=survey.budgets,
        at_once=at_once,
    )


async def start_run(
    database: Database, *, context: RunContext, wanted: RunRequest, at_once: int
) -> UUID:
    """Creates and queues the run. Raises Invalid with all problems, RunAlreadyActive, or
    BudgetExhausted.
    """
    async with database.read() as session:
        survey = await read_estimate_input(
            session,
            project_id=context.project_id,
            wanted=wanted,
            author_id=context.author_id,
            scope_ids=context.scope_ids,
        )
    estimate = await compute_estimate(survey, at_once=at_once)
    async with database.write() as session:
        return await add_run(
            session, context=context, wanted=wanted, estimate=estimate, earlier=survey.plan
        )


async def add_run(
    session: AsyncSession,
    *,
    context: RunContext,
    wanted: RunRequest,
    estimate: RunEstimate | None = None,
    edits: Sequence[EditedParts] = (),
    earlier: RunPlan | None = None,
) -> UUID:
    """Like `start_run`, within the caller's transaction and optionally without an estimate. `edits`
    replaces parts of each variant's prompt version; `earlier` is the estimated plan, which saves
    reading the cases again.
    """
    plan = await prepare(
        session,
        project_id=context.project_id,
        wanted=wanted,
        author_id=context.author_id,
        options=PlanOptions(edits=edits, earlier=earlier),
    )
    judges = await read_judges(session, project_id=context.project_id, plan=plan)
    await service.check_open(
        session,
        project_id=context.project_id,
        scope_ids=context.scope_ids,
        need=need_of(plan.variants, judges, estimate),
    )
    run_id = await store_snapshot(
        session,
        plan,
        context=context,
        cache_mode=_cache_mode(wanted, context),
        estimate=None if estimate is None else estimate.model_dump(mode="json"),
    )
    if plan.dataset_id is not None:
        await datasets.note_use(session, dataset_id=plan.dataset_id)
    await _begin(session, run_id)
    return run_id


def _cache_mode(wanted: RunRequest, context: RunContext) -> RunCache:
    if not wanted.is_cache_bypassed:
        return RunCache.USE
    return RunCache.FRESH if context.keeps_judgements else RunCache.BYPASS


async def add_planned_run(
    session: AsyncSession, *, context: RunContext, plan: RunPlan, cache_mode: RunCache
) -> UUID:
    """Creates and queues a run of a plan that was made without a request, such as one from texts.
    Raises BudgetExhausted.
    """
    judges = await read_judges(session, project_id=context.project_id, plan=plan)
    await service.check_open(
        session,
        project_id=context.project_id,
        scope_ids=context.scope_ids,
        need=need_of(plan.variants, judges),
    )
    run_id = await store_snapshot(
        session, plan, context=context, cache_mode=cache_mode, estimate=None
    )
    await _begin(session, run_id)
    return run_id


async def repeat_run(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    author_id: UUID | None,
    cache_mode: RunCache,
) -> UUID:
    """Starts a new run from the snapshot of an earlier one. Raises Conflict when one of its models
    was removed, RunNeedsCommand, RunAlreadyActive, or BudgetExhausted.
    """
    async with database.write() as session:
        original = await _get_repeatable(session, project_id, run_id)
        await check_budget(session, original, cell_count=original.cell_count)
        copy_id = await Copying(session).copy(
            original,
            author_id=author_id,
            descent=Lineage(parent_id=run_id),
            cache_mode=cache_mode,
        )
        if not await Copying(session).has_all_models(copy_id):
            raise Conflict("A model of this run was removed from the project.")
        await _begin(session, copy_id)
    return copy_id


async def start_replay(
    database: Database, *, project_id: UUID, run_id: UUID, author_id: UUID | None
) -> UUID:
    """Starts a replay: recomputes a run from its stored answers, without calling models."""
    async with database.write() as session:
        original = await _get_repeatable(session, project_id, run_id)
        source = original.replay_of_id or original.id
        copy_id = await Copying(session).copy(
            original,
            author_id=author_id,
            descent=Lineage(parent_id=run_id, replay_of_id=source),
            cache_mode=RunCache.USE,
        )
        await _begin(session, copy_id)
    return copy_id


async def _get_repeatable(session: AsyncSession, project_id: UUID, run_id: UUID) -> Run:
    """Raises RunNeedsCommand."""
    run = await Runs(session).get(project_id, run_id)
    if run.origin == COMMAND_LINE:
        raise RunNeedsCommand
    return run


async def _begin(session: AsyncSession, run_id: UUID) -> None:
    run = await Runs(session).find(run_id)
    if run is None:
        raise NotFound("There is no such run.")
    await queue_chunks(session, run)
    audit.record(
        session,
        "run.created",
        entity=("run", run.id),
        project_id=run.project_id,
        after=_described(run),
    )
    await announce(session, run)


def _described(run: Run) -> dict[str, object]:
    return {
        "name": run.name,
        "origin": run.origin,
        "cells": run.cell_count,
        "dataset": run.dataset_name,
        "replay_of_id": None if run.replay_of_id is None else str(run.replay_of_id),
    }
