"""Drives a running optimization: reads its rows, takes the next step, and repeats.

Steps are idempotent: each stores its result in one transaction, conditional on the rows it started
from, and answers of strategies are cached. Any process can resume after a crash, and nothing is
repeated.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import Conflict, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.loops.optimizations import finalist, propose, rounds
from edison.loops.optimizations.configure import (
    limits_of,
    open_strategy,
    read_config,
    rename_problems,
    validate,
)
from edison.loops.optimizations.context import context_of_base, find_base, search_candidates
from edison.loops.optimizations.estimate import compute_cost, is_affordable
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import RoundPlan
from edison.loops.optimizations.states import (
    CandidateState,
    OptimizationPause,
    OptimizationState,
    RoundKind,
)
from edison.loops.optimizations.transitions import fail, lock_active, pause, sentence_of
from edison.pipeline.refine.search import SearchStop, find_search_stop
from edison.runs.plan import service as run_plans
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.workspace.budgets import service as budgets

# Steps of one job. The sweep continues optimizations with more to do.
MOST_STEPS = 64
_BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizationTools:
    database: Database
    gateway: Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """An optimization with everything that determines its next step."""

    row: Optimization
    candidates: Sequence[OptimizationCandidate]
    rounds: Sequence[OptimizationRound]

    @property
    def generation(self) -> int:
        return max((each.generation for each in self.rounds), default=0)


async def drive(tools: OptimizationTools, optimization_id: UUID) -> None:
    """Returns when the optimization waits for a run or for a person, or is over."""
    for _ in range(MOST_STEPS):
        found = await _read(tools.database, optimization_id)
        if found is None:
            return
        try:
            has_more = await _take_step(tools, found)
        except Exhausted as exhausted:
            async with tools.database.write() as session:
                await pause(
                    session,
                    optimization_id,
                    reason=OptimizationPause.BUDGET,
                    message=exhausted.message,
                )
            return
        except (Conflict, Invalid, NotFound) as refused:
            said = rename_problems(refused) if isinstance(refused, Invalid) else refused
            async with tools.database.write() as session:
                await fail(
                    session, optimization_id, reason="cannot_go_on", message=sentence_of(said)
                )
            return
        if not has_more:
            return


async def _read(database: Database, optimization_id: UUID) -> _Rows | None:
    """None unless it is running."""
    async with database.read() as session:
        optimizations = Optimizations(session)
        row = await optimizations.find(optimization_id)
        if row is None or row.state != OptimizationState.RUNNING:
            return None
        steps = OptimizationSteps(optimizations)
        return _Rows(
            row=row,
            candidates=await steps.list_candidates([optimization_id]),
            rounds=await steps.list_rounds([optimization_id]),
        )


async def _take_step(tools: OptimizationTools, found: _Rows) -> bool:
    """False while a run is in progress."""
    database, row = tools.database, found.row
    if not found.rounds:
        await _begin_baseline(database, row)
        return True
    last = found.rounds[-1]
    if last.ended_at is None:
        return await _follow(database, row, last)
    if row.stop_reason is not None:
        await _begin_gate(database, row)
        return True
    waiting = [each for each in found.candidates if _is_unfinished(each, found)]
    if waiting:
        await _begin_next(database, found, waiting)
        return True
    stop = find_search_stop(
        limits_of(read_config(row)),
        search_candidates(found.candidates),
        generation=found.generation,
    )
    if stop is None and not await _has_money(tools, row):
        stop = SearchStop.MONEY
    if stop is not None:
        async with database.write() as session:
            locked = await lock_active(session, row.id)
            if locked is not None and locked.stop_reason is None:
                await propose.end_search(session, locked, stop)
        return True
    await propose.propose(database, tools.gateway, row, found.candidates, found.rounds)
    return True


async def _begin_baseline(database: Database, row: Optimization) -> None:
    """Measures the base and the stated rubric on all training cases."""
    config = read_config(row)
    version = await find_base(database, row)
    async with database.read() as session:
        scoring = await run_plans.plan_scoring(
            session,
            project_id=row.project_id,
            requests=config.scorers,
            author_id=row.author_id,
            is_estimate=True,
        )
    context = context_of_base(version, goal=config.goal, scorers=scoring.scorers)
    async with database.write() as session:
        locked = await lock_active(session, row.id)
        steps = OptimizationSteps(Optimizations(session))
        if locked is None or await steps.list_rounds([row.id]):
            return
        added = propose.baseline_candidates(row.id, context)
        await steps.add_candidates(added)
        await rounds.begin(session, locked, added, RoundPlan(number=1))


def _is_unfinished(candidate: OptimizationCandidate, found: _Rows) -> bool:
    """Whether a candidate still takes part in the stages of its generation."""
    if candidate.state == CandidateState.DROPPED:
        return False
    if candidate.state == CandidateState.PROPOSED:
        return True
    cases = len(found.row.train_ids or [])
    return candidate.generation == found.generation and found.rounds[-1].case_count < cases


async def _begin_next(
    database: Database, found: _Rows, waiting: Sequence[OptimizationCandidate]
) -> None:
    """The next stage of a generation."""
    row, last = found.row, found.rounds[-1]
    generation = waiting[0].generation
    cases = len(row.train_ids or [])
    stages = open_strategy(read_config(row).strategy).stages(cases)
    stage = last.stage + 1 if last.generation == generation else 1
    async with database.write() as session:
        locked = await _lock_at(session, row.id, len(found.rounds))
        if locked is not None:
            plan = RoundPlan(
                number=len(found.rounds) + 1,
                stage=stage,
                case_count=stages[min(stage, len(stages)) - 1],
            )
            await rounds.begin(session, locked, waiting, plan)


async def _begin_gate(database: Database, row: Optimization) -> None:
    async with database.write() as session:
        locked = await lock_active(session, row.id)
        if locked is not None:
            await finalist.begin(session, locked)


async def _lock_at(
    session: AsyncSession, optimization_id: UUID, rounds_count: int
) -> Optimization | None:
    """None unless it is running and has this many rounds."""
    locked = await lock_active(session, optimization_id)
    known = await OptimizationSteps(Optimizations(session)).list_rounds([optimization_id])
    return locked if len(known) == rounds_count else None


async def _has_money(tools: OptimizationTools, row: Optimization) -> bool:
    """Whether the next generation fits besides the test on held-out cases, at the high end."""
    config = read_config(row)
    async with tools.database.read() as session:
        valid = await validate(
            session,
            project_id=row.project_id,
            wanted=config,
            author_id=row.author_id,
            seed=row.seed,
            is_started=True,
        )
        left = await budgets.list_left(session, project_id=row.project_id, scope_ids=[row.id])
    cost = await compute_cost(
        tools.database,
        project_id=row.project_id,
        wanted=config,
        valid=valid,
        author_id=row.author_id,
        at_once=tools.gateway.calls_per_credential,
    )
    return is_affordable(left, cost.generation.plus(cost.gate).high)


async def _follow(database: Database, row: Optimization, last: OptimizationRound) -> bool:
    """Measures the round if its run has ended. A run that waits pauses the optimization."""
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        run = (
            None if last.run_id is None else (await steps.find_runs([last.run_id])).get(last.run_id)
        )
    if run is None:
        raise NotFound(f"The run of round {last.number} was deleted.")
    match RunState(run.state):
        case RunState.COMPLETED if last.kind == RoundKind.GATE:
            await finalist.conclude(database, row, last)
        case RunState.COMPLETED:
            await rounds.measure(database, row, last)
        case RunState.CANCELLED:
            raise Conflict(f"The run of round {last.number} was cancelled.")
        case RunState.PAUSED | RunState.FAILED:
            await _pause_with(database, row, run)
            return False
        case _:
            return False
    return True


async def _pause_with(database: Database, row: Optimization, run: Run) -> None:
    reason = OptimizationPause.BUDGET if run.reason == _BUDGET else OptimizationPause.RUN
    message = run.message or "The run of the current round is paused."
    async with database.write() as session:
        await pause(session, row.id, reason=reason, message=message)
