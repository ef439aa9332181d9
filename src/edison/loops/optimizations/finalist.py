"""The end of an optimization: its finalist is tested once on held-out cases against the base.

The look at the held-out cases is registered before the test is computed, together with its id: a
process that resumes after a crash finds it and spends nothing more.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.library.prompts import service as prompts
from edison.loops.experiments.iterations import decide, gate
from edison.loops.experiments.models import HoldoutLook, Suggestion
from edison.loops.experiments.states import SuggestionState
from edison.loops.optimizations import rounds
from edison.loops.optimizations.configure import digest_holdout, read_config
from edison.loops.optimizations.context import find_base, search_candidates
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE, RoundPlan
from edison.loops.optimizations.schemas import FinalistTestRead
from edison.loops.optimizations.states import (
    CandidateOrigin,
    EntryKind,
    OptimizationOutcome,
    OptimizationState,
    RoundKind,
)
from edison.loops.optimizations.transitions import lock_active, move
from edison.pipeline.aggregate.alpha import can_succeed
from edison.pipeline.refine.parts import check_prompt, with_parts
from edison.pipeline.refine.search import (
    GateReason,
    SearchStop,
    choose_finalist,
    gain_over,
    judge_gate,
)
from edison.pipeline.refine.suggestion import SuggestionOrigin
from edison.runs.results import service as results

# Means of a safety scorer that differ by less are equal.
_ROUNDING = 1e-9
_OUTCOMES = {
    GateReason.BETTER: OptimizationOutcome.PROMOTED,
    GateReason.MISSING: OptimizationOutcome.CANNOT_TELL,
}


async def begin(session: AsyncSession, row: Optimization) -> None:
    """Begins the test of the finalist, or ends the optimization without one. Raises BudgetExhausted
    and other refusals of runs.
    """
    optimizations = Optimizations(session)
    steps = OptimizationSteps(optimizations)
    candidates = await steps.list_candidates([row.id])
    finalist = choose_finalist(search_candidates(candidates))
    is_full = row.stop_reason == SearchStop.NO_HEADROOM
    if finalist is None or is_full:
        outcome = OptimizationOutcome.NO_HEADROOM if is_full else OptimizationOutcome.NO_GAIN
        await move(session, row, OptimizationState.COMPLETED, outcome=outcome)
        return
    digest, cases = await digest_holdout(session, row)
    looks = await gate.count_looks(session, project_id=row.project_id, digest=digest)
    if not can_succeed(cases, look=looks + 1):
        await move(
            session,
            row,
            OptimizationState.COMPLETED,
            outcome=OptimizationOutcome.WORN_OUT,
            finalist=finalist.number,
        )
        return
    await optimizations.set_values(row.id, finalist=finalist.number)
    chosen = [each for each in candidates if each.number in (BASE, finalist.number)]
    number = len(await steps.list_rounds([row.id])) + 1
    await rounds.begin(session, row, chosen, RoundPlan(number=number, kind=RoundKind.GATE))


async def conclude(database: Database, row: Optimization, ended: OptimizationRound) -> None:
    """Tests the finalist on the completed round, and stores verdict and suggestion."""
    if ended.run_id is None:
        return
    digest = await results.digest_run(database, project_id=row.project_id, run_id=ended.run_id)
    look = await _take_look(database, row, digest.case_keys)
    if look is None:
        return
    if isinstance(look, int):
        async with database.write() as session:
            await _complete(session, row.id, ended, outcome=OptimizationOutcome.WORN_OUT)
        return
    verdict = await _judge(database, row, ended, look)
    version = await find_base(database, row)
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        candidate = await steps.find_candidate(row.id, row.finalist or BASE)
    outcome = _OUTCOMES.get(verdict.reason, OptimizationOutcome.REFUSED)
    async with database.write() as session:
        locked = await lock_active(session, row.id)
        if locked is None or candidate is None:
            return
        suggestion = None
        if outcome is OptimizationOutcome.PROMOTED:
            base = prompts.template_of(version)
            after = with_parts(base, candidate.parts)
            violations = [asdict(each) for each in check_prompt(base, after)]
            suggestion = _suggestion(locked, candidate, violations)
        await _complete(
            session, row.id, ended, outcome=outcome, verdict=verdict, suggestion=suggestion
        )


async def _take_look(
    database: Database, row: Optimization, case_keys: Sequence[str]
) -> HoldoutLook | int | None:
    """The optimization's look; the number of looks so far, if another one cannot succeed; None if
    the optimization is no longer running.
    """
    for _ in range(gate.MOST_TRIES):
        async with database.write() as session:
            locked = await lock_active(session, row.id)
            if locked is None:
                return None
            if locked.look_id is not None:
                return await gate.get_look(session, locked.look_id)
            look = await gate.take_look(
                session,
                project_id=row.project_id,
                digest=gate.digest_of(case_keys),
                cases=len(case_keys),
                origin={"version_id": row.version_id},
            )
            if isinstance(look, HoldoutLook):
                await Optimizations(session).set_values(row.id, look_id=look.id)
            if look is not None:
                return look
    raise RuntimeError(gate.TOO_MANY_TRIES)


async def _judge(
    database: Database, row: Optimization, ended: OptimizationRound, look: HoldoutLook
) -> FinalistTestRead:
    assert ended.run_id is not None  # noqa: S101 - checked by the caller
    digest = await results.digest_run(database, project_id=row.project_id, run_id=ended.run_id)
    models = digest.composites.shape[1] // 2
    found = await results.compare_overall(
        database,
        project_id=row.project_id,
        baseline_id=ended.run_id,
        other_id=ended.run_id,
        alpha=look.alpha,
        pairs=[(at, models + at) for at in range(models)],
    )
    assert found is not None  # noqa: S101 - there is at least one pair
    places = digest.layout.criterion_places
    less_safe = [
        each.name
        for each in digest.layout.criteria.values()
        if each.weight == 0 and _is_lower(digest.criteria[:, :, places[each.key]], models)
    ]
    worthwhile = read_config(row).min_gain
    interval = found.difference.interval
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        scores = {each.number: each.scores for each in await steps.list_candidates([row.id])}
    return FinalistTestRead(
        reason=judge_gate(
            found.verdict,
            found.difference.value,
            worthwhile=worthwhile,
            is_less_safe=bool(less_safe),
        ),
        train_gain=gain_over(scores[BASE], scores[row.finalist or BASE]),
        difference=found.difference.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        p_value=found.p_value,
        test=found.test,
        look=look.number,
        alpha=look.alpha,
        cases=found.difference.cases,
        min_gain=worthwhile,
        less_safe=less_safe,
    )


def _is_lower(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]], models: int) -> bool:
    """Whether the finalist's mean is below the base's, by case and variant."""
    base, finalist = scores[:, :models], scores[:, models:]
    both = ~np.isnan(base + finalist)
    if not both.any():
        return False
    return float(finalist[both].mean()) < float(base[both].mean()) - _ROUNDING


async def _complete(
    session: AsyncSession,
    optimization_id: UUID,
    ended: OptimizationRound,
    *,
    outcome: OptimizationOutcome,
    verdict: FinalistTestRead | None = None,
    suggestion: Suggestion | None = None,
) -> None:
    locked = await lock_active(session, optimization_id)
    steps = OptimizationSteps(Optimizations(session))
    if locked is None or not await steps.end_round(ended.id):
        return
    stored = None if verdict is None else verdict.model_dump(mode="json")
    if suggestion is not None:
        await decide.offer(session, suggestion)
    if stored is not None:
        await steps.add_entry(optimization_id, EntryKind.TESTED, stored)
    await move(
        session,
        locked,
        OptimizationState.COMPLETED,
        outcome=outcome,
        verdict=stored,
        suggestion_id=None if suggestion is None else suggestion.id,
    )


def _suggestion(
    row: Optimization, candidate: OptimizationCandidate, violations: list[dict[str, Any]]
) -> Suggestion:
    is_rubric = candidate.origin == CandidateOrigin.RUBRIC
    return Suggestion(
        id=ids.new_id(),
        project_id=row.project_id,
        number=1,
        origin=SuggestionOrigin.RUBRIC if is_rubric else SuggestionOrigin.REFINER,
        state=SuggestionState.PENDING,
        base_version_id=row.version_id,
        is_repaired=False,
        text_name=candidate.text_name,
        created_at=clock.now(),
        note=candidate.note,
        diff=candidate.diff,
        parts=candidate.parts,
        targets=[],
        exemplars=[],
        violations=violations,
    )
