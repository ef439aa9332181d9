"""Actions on an optimization: start, pause, resume, cancel."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import job as jobs
from edison.kit import clock
from edison.loops.optimizations import service
from edison.loops.optimizations.configure import ValidOptimization, read_config, validate
from edison.loops.optimizations.errors import WrongOptimizationState
from edison.loops.optimizations.estimate import SearchCost, check_budgets, compute_cost
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.schemas.optimizations import OptimizationDetail
from edison.loops.optimizations.states import OptimizationPause, OptimizationState
from edison.loops.optimizations.transitions import HELD_NANOS, drive_job, move
from edison.runs.read import service as runs
from edison.runs.store.models import Run
from edison.runs.store.states import OVER as RUN_OVER
from edison.runs.store.states import RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.resources import service as resources

_SAME = "Duplicate it to search again."


async def start_optimization(
    database: Database, *, project_id: UUID, optimization_id: UUID, author_id: UUID, at_once: int
) -> OptimizationDetail:
    """Fixes the cases and queues the first step. Raises Invalid when it cannot run, BudgetTooSmall
    when the money does not cover one generation and the test, Archived and WrongOptimizationState.
    """
    async with database.read() as session:
        row = await Optimizations(session).get(project_id, optimization_id)
        _check_draft(row)
        config = read_config(row)
        valid = await validate(
            session, project_id=project_id, wanted=config, author_id=author_id, seed=row.seed
        )
    cost = await compute_cost(
        database,
        project_id=project_id,
        wanted=config,
        valid=valid,
        author_id=author_id,
        at_once=at_once,
    )
    async with database.write() as session:
        locked = await resources.lock_active(Optimizations(session), project_id, optimization_id)
        _check_draft(locked)
        left = await budgets.list_left(session, project_id=project_id, scope_ids=[optimization_id])
        check_budgets(left, cost.least)
        await _start(session, locked, valid, cost)
        return await service.get_optimization(
            session, project_id=project_id, optimization_id=optimization_id
        )


async def _start(
    session: AsyncSession, row: Optimization, valid: ValidOptimization, cost: SearchCost
) -> None:
    moved = await move(
        session,
        row,
        OptimizationState.RUNNING,
        figures={HELD_NANOS: cost.gate.high.total},
        started_at=clock.now(),
        train_ids=[str(each) for each in valid.cases.train],
        holdout_ids=[str(each) for each in valid.cases.holdout],
    )
    if moved is None:
        raise WrongOptimizationState(OptimizationState(row.state), advice=_SAME)
    jobs.request(session, drive_job(row.id, row.project_id))
    resources.record(session, moved, "started")


def _check_draft(row: Optimization) -> None:
    if row.state != OptimizationState.DRAFT:
        raise WrongOptimizationState(OptimizationState(row.state), advice=_SAME)


async def pause_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID
) -> OptimizationDetail:
    """Pauses the run of the current round as well. Raises WrongOptimizationState."""
    row = await _get(session, project_id, optimization_id, OptimizationState.RUNNING, "pause")
    run = await _find_run(session, row)
    if run is not None and run.state not in (*RUN_OVER, RunState.PAUSED):
        await runs.pause_run(session, project_id=project_id, run_id=run.id)
    await move(
        session,
        row,
        OptimizationState.PAUSED,
        reason=OptimizationPause.PERSON,
        message="Paused by a person.",
    )
    resources.record(session, row, "paused")
    return await service.get_optimization(
        session, project_id=project_id, optimization_id=optimization_id
    )


async def resume_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID
) -> OptimizationDetail:
    """Resumes the run of the current round as well. Raises BudgetExhausted and
    WrongOptimizationState.
    """
    row = await _get(session, project_id, optimization_id, OptimizationState.PAUSED, "resume")
    run = await _find_run(session, row)
    moved = await move(session, row, OptimizationState.RUNNING)
    if run is not None and run.state in (RunState.PAUSED, RunState.FAILED):
        await runs.resume_run(session, project_id=project_id, run_id=run.id)
    jobs.request(session, drive_job(row.id, row.project_id))
    resources.record(session, moved or row, "resumed")
    return await service.get_optimization(
        session, project_id=project_id, optimization_id=optimization_id
    )


async def cancel_optimization(
    session: AsyncSession, *, project_id: UUID, optimization_id: UUID
) -> OptimizationDetail:
    """Ends the optimization without a test, and cancels its run. Candidates and scores are kept.
    Raises WrongOptimizationState.
    """
    row = await Optimizations(session).get(project_id, optimization_id, to_change=True)
    if row.state not in (OptimizationState.RUNNING, OptimizationState.PAUSED):
        advice = "There is nothing to cancel."
        raise WrongOptimizationState(OptimizationState(row.state), advice=advice)
    run = await _find_run(session, row)
    if run is not None and run.state not in RUN_OVER:
        await runs.cancel_run(session, project_id=project_id, run_id=run.id)
    await move(session, row, OptimizationState.CANCELLED, reason=None, message=None)
    return await service.get_optimization(
        session, project_id=project_id, optimization_id=optimization_id
    )


async def _get(
    session: AsyncSession,
    project_id: UUID,
    optimization_id: UUID,
    state: OptimizationState,
    verb: str,
) -> Optimization:
    row = await Optimizations(session).get(project_id, optimization_id, to_change=True)
    if row.state != state:
        advice = f"There is nothing to {verb}."
        raise WrongOptimizationState(OptimizationState(row.state), advice=advice)
    return row


async def _find_run(session: AsyncSession, row: Optimization) -> Run | None:
    """The run of the round that is being measured."""
    steps = OptimizationSteps(Optimizations(session))
    found = await steps.list_rounds([row.id])
    if not found or found[-1].ended_at is not None or found[-1].run_id is None:
        return None
    return (await steps.find_runs([found[-1].run_id])).get(found[-1].run_id)
