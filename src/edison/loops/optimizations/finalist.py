"""The end of an optimization: its finalist is tested once on held-out cases against the base.

The look at the held-out cases is registered before the test is computed, together with its id: a
process that resumes after a crash finds it and spends nothing more.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.library.prompts import service as prompts
from edison.loops.experiments.iterations import decide, gate
from edison.loops.experiments.models import HoldoutLook, Suggestion
from edison.loops.experiments.states import SuggestionState
from edison.loops.optimizations import rounds
from edison.loops.optimizations.configure import digest_holdout, read_config
from edison.loops.optimizations.context import find_base, search_candidates
from edison.loops.optimizations.model_choice import choose_model
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE, RoundPlan
from edison.loops.optimizations.schemas.verdicts import (
    CheaperModelsRead,
    FinalistTestRead,
    SafetyTestRead,
)
from edison.loops.optimizations.states import (
    CandidateOrigin,
    EntryKind,
    OptimizationOutcome,
    OptimizationState,
    RoundKind,
)
from edison.loops.optimizations.transitions import lock_active, move
from edison.pipeline.aggregate.alpha import can_succeed
from edison.pipeline.aggregate.table import Singles
from edison.pipeline.refine.parts import check_prompt, with_parts
from edison.pipeline.refine.safety import compare_safety
from edison.pipeline.refine.search import (
    GateReason,
    SearchStop,
    choose_finalist,
    gain_over,
    judge_gate,
)
from edison.pipeline.refine.suggestion import SuggestionOrigin
from edison.runs.results import service as results

_OUTCOMES = {
    GateReason.BETTER: OptimizationOutcome.PROMOTED,
    GateReason.MISSING: OptimizationOutcome.CANNOT_TELL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """How an optimization ends after its test on held-out cases."""

    outcome: OptimizationOutcome
    verdict: FinalistTestRead | None = None
    suggestion: Suggestion | None = None
    model_choice: CheaperModelsRead | None = None


async def begin(session: AsyncSession, row: Optimization) -> None:
    """Begins the test of the finalist, or ends the optimization without one. Raises BudgetExhausted
    and other refusals of runs.
    """
    optimizations = Optimizations(session)
    steps = OptimizationSteps(optimizations)
    candidates = await steps.list_candidates([row.id])
    finalist = choose_finalist(search_candidates(candidates))
    number = len(await steps.list_rounds([row.id])) + 1
    plan = RoundPlan(number=number, kind=RoundKind.GATE)
    if finalist is None or row.stop_reason == SearchStop.NO_HEADROOM:
        if read_config(row).cheaper_models:
            await rounds.begin(session, row, candidates[:1], plan)
            return
        outcome = _outcome_without_test(row)
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
    await rounds.begin(session, row, chosen, plan)


def _outcome_without_test(row: Optimization) -> OptimizationOutcome:
    is_full = row.stop_reason == SearchStop.NO_HEADROOM
    return OptimizationOutcome.NO_HEADROOM if is_full else OptimizationOutcome.NO_GAIN


async def conclude(database: Database, row: Optimization, ended: OptimizationRound) -> None:
    """Tests the finalist and cheaper models on the completed round, and stores verdict, choice and
    suggestion.
    """
    if ended.run_id is None:
        return
    choice = await choose_model(database, row, read_config(row), ended)
    if len(ended.candidates) == 1:
        async with database.write() as session:
            result = GateResult(outcome=_outcome_without_test(row), model_choice=choice)
            await _complete(session, row.id, ended, result)
        return
    digest = await results.digest_run(database, project_id=row.project_id, run_id=ended.run_id)
    look = await _take_look(database, row, digest.case_keys)
    if look is None:
        return
    if isinstance(look, int):
        async with database.write() as session:
            result = GateResult(outcome=OptimizationOutcome.WORN_OUT, model_choice=choice)
            await _complete(session, row.id, ended, result)
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
        result = GateResult(
            outcome=outcome, verdict=verdict, suggestion=suggestion, model_choice=choice
        )
        await _complete(session, row.id, ended, result)


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
    config = read_config(row)
    models = len(config.models)
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
    safety = [
        await asyncio.to_thread(
            _test_safety, each.name, digest.criteria[:, :, places[each.key]], models, look.alpha
        )
        for each in digest.layout.criteria.values()
        if each.weight == 0
    ]
    less_safe = [each.name for each in safety if each.is_less_safe]
    worthwhile = config.min_gain
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
        safety=safety,
    )


def _test_safety(name: str, scores: Singles, models: int, alpha: float) -> SafetyTestRead:
    """The finalist against the base on a safety scorer, by case: means over the models."""
    base, finalist = scores[:, :models], scores[:, models : 2 * models]
    both = ~np.isnan(base + finalist)
    kept = both.any(axis=1)
    before, after = (
        np.where(both, each, 0)[kept].sum(axis=1) / both[kept].sum(axis=1)
        for each in (base, finalist)
    )
    found = compare_safety(before.astype(np.float64), after.astype(np.float64), alpha=alpha)
    interval = found.interval
    return SafetyTestRead(
        name=name,
        difference=found.difference,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        is_less_safe=found.is_less_safe,
    )


async def _complete(
    session: AsyncSession, optimization_id: UUID, ended: OptimizationRound, result: GateResult
) -> None:
    locked = await lock_active(session, optimization_id)
    steps = OptimizationSteps(Optimizations(session))
    if locked is None or not await steps.end_round(ended.id):
        return
    verdict, suggestion, choice = result.verdict, result.suggestion, result.model_choice
    stored = None if verdict is None else verdict.model_dump(mode="json")
    if suggestion is not None:
        await decide.offer(session, suggestion)
    if stored is not None:
        await steps.add_entry(optimization_id, EntryKind.TESTED, stored)
    await move(
        session,
        locked,
        OptimizationState.COMPLETED,
        outcome=result.outcome,
        verdict=stored,
        model_choice=None if choice is None else choice.model_dump(mode="json"),
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
