"""Plans scoring a completed run with further scorers and comparers, and estimates it."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.plan import saved_scorers, scorers
from edison.runs.plan.call_range import Range
from edison.runs.plan.estimate import Judgements, estimate_judges
from edison.runs.plan.experience import read_judge_history, read_judgements
from edison.runs.plan.schemas import (
    MOST_COMPARERS,
    MOST_COMPARISONS,
    MOST_SCORERS,
    EstimatedCost,
    EstimatedNumber,
    RescoreRequest,
    RunEstimate,
)
from edison.runs.plan.types import PlannedCase, PlannedComparer, PlannedScorer, pairs_of
from edison.runs.plan.validate import ASSERTION_SCORERS, RequestProblems
from edison.runs.plan.versions import choose_versions
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.errors import IllegalRunChange, RunIsImported, RunIsMeasured, RunIsReplay
from edison.runs.store.models import Run, RunComparer, RunScorer
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.states import IMPORTED, RunState
from edison.workspace.budgets import service as budgets


@dataclass(frozen=True, slots=True, kw_only=True)
class RescorePlan:
    """What is added to the run. `judges` are the calls it takes."""

    scorers: Sequence[PlannedScorer]
    comparers: Sequence[PlannedComparer]
    judges: Sequence[Judgements]
    comparison_count: int


def check_rescorable(run: Run) -> None:
    """Raises RunIsImported, RunIsReplay, RunIsMeasured, or IllegalRunChange."""
    if run.origin == IMPORTED:
        raise RunIsImported
    if run.replay_of_id is not None:
        raise RunIsReplay
    if run.scope_ids:
        raise RunIsMeasured
    if run.state != RunState.COMPLETED:
        raise IllegalRunChange("scored afterwards", run.state)


async def plan_rescore(
    session: AsyncSession,
    run: Run,
    wanted: RescoreRequest,
    *,
    author_id: UUID | None,
    is_estimate: bool = False,
) -> RescorePlan:
    """Raises Invalid with all problems. Changed drafts of grader prompts become versions, except
    for an estimate.
    """
    problems = RequestProblems()
    requests = await saved_scorers.fill_in(
        session, project_id=run.project_id, requests=wanted.scorers, on_problem=problems.add
    )
    graders = saved_scorers.list_choices(requests)
    versions = await choose_versions(
        session,
        project_id=run.project_id,
        choices=[choice for _, choice in graders],
        author_id=author_id,
        is_estimate=is_estimate,
        on_problem=problems.add,
    )
    reads_cases = graders or any(
        each is not None and each.kind in ASSERTION_SCORERS for each in requests
    )
    cases = await _list_cases(session, run) if reads_cases else []
    chosen = scorers.plan_scorers(
        requests,
        dict(zip((index for index, _ in graders), versions, strict=True)),
        cases,
        on_problem=problems.add,
    )
    answers_each = run.case_count * run.repeats
    compared_by = scorers.plan_comparers(
        wanted.comparers,
        variant_count=run.variant_count,
        answers_each=answers_each,
        on_problem=problems.add,
    )
    await scorers.check_models(
        session,
        project_id=run.project_id,
        asked=scorers.list_models(chosen, compared_by),
        on_problem=problems.add,
    )
    pairs = {
        index: len(pairs_of(run.variant_count, each.baseline)) * answers_each
        for index, each in compared_by.items()
    }
    await _check_room(session, run, wanted, sum(pairs.values()), problems)
    await _check_new(session, run, chosen, compared_by, problems)
    problems.check()
    return RescorePlan(
        scorers=list(chosen.values()),
        comparers=list(compared_by.values()),
        judges=await read_judgements(
            session,
            project_id=run.project_id,
            scorers=[(each, run.done_count - run.error_count) for each in chosen.values()],
            cases=cases,
            comparers=[(each, pairs[index]) for index, each in compared_by.items()],
        ),
        comparison_count=sum(pairs.values()),
    )


async def _list_cases(session: AsyncSession, run: Run) -> list[PlannedCase]:
    found = await Outputs(session).list_cases(run.id, 0, run.case_count)
    return [
        PlannedCase(inputs=case.inputs, expected=case.expected, assertions=case.assertions)
        for case in found
    ]


async def _check_room(
    session: AsyncSession, run: Run, wanted: RescoreRequest, pairs: int, problems: RequestProblems
) -> None:
    comparers = await Comparisons(session).list_comparers(run.id)
    if run.scorer_count + len(wanted.scorers) > MOST_SCORERS:
        message = f"A run may have at most {MOST_SCORERS} scorers; it has {run.scorer_count}."
        problems.add("scorers", message, "too_many_scorers")
    if len(comparers) + len(wanted.comparers) > MOST_COMPARERS:
        message = f"A run may have at most {MOST_COMPARERS} comparers; it has {len(comparers)}."
        problems.add("comparers", message, "too_many_comparers")
    if pairs <= MOST_COMPARISONS < run.comparison_total + pairs:
        message = f"A run may have at most {MOST_COMPARISONS:,} comparisons."
        problems.add("comparers", message, "too_many_comparisons")


async def _check_new(
    session: AsyncSession,
    run: Run,
    chosen: dict[int, PlannedScorer],
    compared_by: dict[int, PlannedComparer],
    problems: RequestProblems,
) -> None:
    """The same scorer twice would count twice, and cost twice."""
    has = [_meaning(each) for each in await Runs(session).list_scorers(run.id)]
    for index, scorer in chosen.items():
        if _meaning(scorer) in has:
            message = f"{scorer.label}: the run has this scorer with the same settings."
            problems.add(f"scorers.{index}", message, "scorer_exists")
        has.append(_meaning(scorer))
    compared = [_meaning(each) for each in await Comparisons(session).list_comparers(run.id)]
    for index, comparer in compared_by.items():
        if _meaning(comparer) in compared:
            message = f"{comparer.label}: the run has this comparer with the same settings."
            problems.add(f"comparers.{index}", message, "comparer_exists")
        compared.append(_meaning(comparer))


def _meaning(each: PlannedScorer | RunScorer | PlannedComparer | RunComparer) -> tuple[Any, ...]:
    if isinstance(each, PlannedScorer | RunScorer):
        return (each.kind, dict(each.options), each.threshold, each.is_negated)
    return (each.kind, dict(each.options), each.baseline)


async def estimate_rescore(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: RescoreRequest,
    author_id: UUID | None,
    at_once: int,
) -> RunEstimate:
    """Calls no model and writes nothing. Raises the errors of `check_rescorable`, or Invalid."""
    async with database.read() as session:
        run = await Runs(session).get(project_id, run_id)
        check_rescorable(run)
        plan = await plan_rescore(session, run, wanted, author_id=author_id, is_estimate=True)
        variants = await Runs(session).list_variants(run.id)
        known = await read_judge_history(
            session,
            project_id=project_id,
            judges=plan.judges,
            prompt_ids=[each.prompt_id for each in variants if each.prompt_id is not None],
        )
        left = await budgets.list_left(session, project_id=project_id, scope_ids=())
    answered = max(1, run.done_count - run.error_count)
    read, written = run.input_tokens / answered, run.output_tokens / answered
    return await asyncio.to_thread(
        estimate_judges,
        plan.judges,
        known=known,
        seen=(Range(low=read, high=read), Range(low=written, high=written)),
        budgets=left,
        at_once=at_once,
    )


def add_to_estimate(stored: dict[str, Any] | None, added: RunEstimate) -> dict[str, Any] | None:
    """The run's estimate with what scoring it afterwards adds; None if the run has none."""
    if stored is None:
        return None
    run = RunEstimate.model_validate(stored)
    whole = run.model_copy(
        update={
            "judge_calls": run.judge_calls + added.judge_calls,
            "input_tokens": run.input_tokens + added.input_tokens,
            "output_tokens": _sum_numbers(run.output_tokens, added.output_tokens),
            "cost": _sum_costs(run.cost, added.cost),
            "known_cost": _sum_costs(run.known_cost, added.known_cost),
            "simulated_cost": _sum_costs(run.simulated_cost, added.simulated_cost),
            "seconds": _sum_numbers(run.seconds, added.seconds),
            "unpriced_models": sorted({*run.unpriced_models, *added.unpriced_models}),
        }
    )
    return whole.model_dump(mode="json")


def _sum_numbers(one: EstimatedNumber, other: EstimatedNumber) -> EstimatedNumber:
    def add(first: float | None, second: float | None) -> float | None:
        return None if first is None or second is None else first + second

    return EstimatedNumber(low=add(one.low, other.low), high=add(one.high, other.high))


def _sum_costs(one: EstimatedCost, other: EstimatedCost) -> EstimatedCost:
    def add(first: Decimal | None, second: Decimal | None) -> Decimal | None:
        return None if first is None or second is None else first + second

    return EstimatedCost(
        low_usd=add(one.low_usd, other.low_usd), high_usd=add(one.high_usd, other.high_usd)
    )
