"""Rounds of an optimization: candidates begin as one run, and are measured when it ends."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.job import Priority
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.loops.optimizations.configure import (
    edits_of,
    read_config,
    round_request,
)
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.states import CandidateState, EntryKind, RoundKind
from edison.loops.optimizations.transitions import ORIGIN, lock_active
from edison.pipeline.aggregate.table import Floats
from edison.pipeline.refine.elimination import Elimination, eliminate
from edison.pipeline.refine.search import gain_over, mean_score
from edison.runs.plan import service as run_plans
from edison.runs.plan.types import RunContext
from edison.runs.results import service as results
from edison.workspace.resources import service as resources

BASE = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """`case_count` is the number of cases from the start of the search order; None is all."""

    number: int
    kind: RoundKind = RoundKind.TRAIN
    stage: int = 1
    case_count: int | None = None


async def begin(
    session: AsyncSession,
    row: Optimization,
    candidates: Sequence[OptimizationCandidate],
    plan: RoundPlan,
) -> None:
    """Adds round and run, in the caller's transaction, which holds the optimization's lock. Raises
    Invalid, BudgetExhausted, Conflict or NotFound.
    """
    config = read_config(row)
    is_gate = plan.kind is RoundKind.GATE
    listed = row.holdout_ids if is_gate else row.train_ids
    case_ids = [UUID(each) for each in (listed or [])[: plan.case_count]]
    generation = max(each.generation for each in candidates)
    name = "held-out test" if is_gate else f"generation {generation}"
    request = round_request(
        config,
        version_id=row.version_id,
        case_ids=case_ids,
        candidates=len(candidates),
        # Answers that chose the finalist must not be those that test it.
        is_cache_bypassed=is_gate,
        is_gate=is_gate,
    )
    labels = [(_label(row, each), each.parts) for each in candidates]
    context = RunContext(
        project_id=row.project_id,
        origin=ORIGIN,
        author_id=row.author_id,
        priority=Priority.BACKGROUND,
        lock_name=f"{ORIGIN}:{row.id}",
        scope_ids=(row.id,),
    )
    run_id = await run_plans.add_run(
        session,
        context=context,
        wanted=request.model_copy(update={"name": f"{row.name} · {name}"[:200]}),
        edits=edits_of(config, labels, is_gate=is_gate),
    )
    steps = OptimizationSteps(Optimizations(session))
    await steps.add_round(
        OptimizationRound(
            id=ids.new_id(),
            optimization_id=row.id,
            number=plan.number,
            kind=plan.kind,
            generation=generation,
            stage=plan.stage,
            candidates=[each.number for each in candidates],
            case_count=len(case_ids),
            run_id=run_id,
            created_at=clock.now(),
        )
    )
    data = {
        "kind": plan.kind,
        "generation": generation,
        "stage": plan.stage,
        "candidates": len(candidates),
        "cases": len(case_ids),
    }
    await steps.add_entry(row.id, EntryKind.ROUND_BEGUN, data)
    await resources.publish(session, row)


def _label(row: Optimization, candidate: OptimizationCandidate) -> str:
    return row.version_label if candidate.number == BASE else f"candidate {candidate.number}"


async def read_scores(
    database: Database, row: Optimization, measured: OptimizationRound
) -> Mapping[int, Mapping[str, float]]:
    """Scores of a completed round by candidate and case: means over the models; cases without a
    score are left out.
    """
    if measured.run_id is None:
        return {}
    digest = await results.digest_run(database, project_id=row.project_id, run_id=measured.run_id)
    each_has = digest.composites.shape[1] // max(1, len(measured.candidates))
    found: dict[int, Mapping[str, float]] = {}
    for at, number in enumerate(measured.candidates):
        columns = digest.composites[:, at * each_has : (at + 1) * each_has]
        counts = np.count_nonzero(~np.isnan(columns), axis=1)
        means = np.nansum(columns, axis=1) / np.maximum(counts, 1)
        found[number] = {
            key: mean
            for key, mean, count in zip(
                digest.case_keys, means.tolist(), counts.tolist(), strict=True
            )
            if count
        }
    return found


async def list_keys(
    database: Database, row: Optimization, baseline: OptimizationRound
) -> list[str]:
    """Keys of the training cases in the order of the search, from the round of the base, which has
    all of them.
    """
    if baseline.run_id is None:
        return []
    digest = await results.digest_run(database, project_id=row.project_id, run_id=baseline.run_id)
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        cases = await steps.list_run_cases(baseline.run_id)
    keys = {str(case.case_id): key for case, key in zip(cases, digest.case_keys, strict=True)}
    return [keys[each] for each in row.train_ids or [] if each in keys]


async def measure(database: Database, row: Optimization, ended: OptimizationRound) -> None:
    """Stores the scores of a completed round, and drops candidates that are shown to be worse.
    Reads without a transaction; stores once.
    """
    scores = await read_scores(database, row, ended)
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        candidates = await steps.list_candidates([row.id])
        first = (await steps.list_rounds([row.id]))[0]
    keys = await list_keys(database, row, first)
    known = {
        each.number: dict(each.scores) | dict(scores.get(each.number, {})) for each in candidates
    }
    raced = [each for each in candidates if each.generation == ended.generation]
    dropped = await asyncio.to_thread(_drop, known, raced, keys[: ended.case_count])
    async with database.write() as session:
        locked = await lock_active(session, row.id)
        steps = OptimizationSteps(Optimizations(session))
        if locked is None or not await steps.end_round(ended.id):
            return
        for each in candidates:
            if each.number in scores:
                await _store(steps, each, known[each.number], dropped.get(each.number))
        base = known[BASE]
        data = {
            "generation": ended.generation,
            "stage": ended.stage,
            "means": {str(at): mean_score(known[at]) for at in ended.candidates},
            "gains": {str(at): gain_over(base, known[at]) for at in ended.candidates},
        }
        await steps.add_entry(row.id, EntryKind.MEASURED, data)
        for at, found in dropped.items():
            data = {"candidate": at, **_described(found)}
            await steps.add_entry(row.id, EntryKind.DROPPED, data)
        await resources.publish(session, locked)


def _drop(
    known: Mapping[int, Mapping[str, float]],
    raced: Sequence[OptimizationCandidate],
    keys: Sequence[str],
) -> Mapping[int, Elimination]:
    """Candidates of this generation that another one or the base beats. The base stays. All that
    entered count, so that the test stays valid at every stage.
    """
    entered = [each for each in raced if each.number != BASE]
    rivals = [BASE, *(each.number for each in entered)]

    def column(number: int) -> Floats:
        return np.array([known[number].get(key, np.nan) for key in keys])

    racing = {str(each): column(each) for each in rivals}
    alive = {each.number for each in entered if each.state != CandidateState.DROPPED}
    return {
        int(each.candidate): each
        for each in eliminate(racing, entered=len(rivals))
        if int(each.candidate) in alive
    }


async def _store(
    steps: OptimizationSteps,
    candidate: OptimizationCandidate,
    scores: Mapping[str, float],
    dropped: Elimination | None,
) -> None:
    await steps.set_measured(
        candidate.id,
        scores,
        state=CandidateState.MEASURED if dropped is None else CandidateState.DROPPED,
        elimination=None if dropped is None else _described(dropped),
    )


def _described(found: Elimination) -> dict[str, float | int]:
    return {
        "rival": int(found.rival),
        "difference": found.difference,
        "cases": found.cases,
        "p_value": found.p_value,
        "alpha": found.alpha,
    }
