"""Estimates cost and duration of one iteration and of the whole experiment, from its draft."""

import math
from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from edison.db.session import Database
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.library.models.service import CallableModel
from edison.loops.experiments.drafts.checking.problems import StepProblem
from edison.loops.experiments.drafts.configure import (
    kept_configurations,
    pruned_keys,
)
from edison.loops.experiments.drafts.grid import count_combinations
from edison.loops.experiments.drafts.money import Spend, fit_budgets, sum_known
from edison.loops.experiments.drafts.strategy import uses_refiner
from edison.loops.experiments.drafts.survey import SurveyedDraft, SurveyedRuns, survey_draft
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.drafts import ExperimentDraft, LimitsStep
from edison.loops.experiments.schemas.estimates import (
    ExperimentEstimate,
    IterationEstimate,
    StandInRead,
    StepProblemRead,
)
from edison.pipeline.aggregate.alpha import can_succeed, fewest_cases
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import BudgetInReach, EstimatedCost, EstimatedNumber, RunEstimate

# With early stopping, fewer iterations than allowed are usual.
USUAL_SHARE = 0.6
# Tokens that a refiner reads per candidate besides the prompt, and tokens it writes.
REFINER_READS = 6_000
REFINER_WRITES = (300, 2_000)
REFINER_SECONDS = (1.0, 20.0)


async def estimate(
    database: Database,
    *,
    experiment: Experiment,
    draft: ExperimentDraft,
    author_id: UUID,
    at_once: int,
) -> ExperimentEstimate:
    """Steps with problems are estimated with stand-ins. Texts that are not in the library yet are
    added in a transaction that is rolled back.
    """
    async with database.write() as session:
        moment = await session.begin_nested()
        try:
            found = await survey_draft(session, experiment, draft, author_id=author_id)
        finally:
            await moment.rollback()
    if found.surveys is None:
        return _without_numbers(draft, found.problems)
    runs = [await run_plans.compute_estimate(each, at_once=at_once) for each in found.surveys.runs]
    trial = await run_plans.compute_estimate(found.surveys.trial, at_once=at_once)
    return _estimate(experiment, found, found.surveys, runs, trial)


def _without_numbers(draft: ExperimentDraft, problems: Sequence[StepProblem]) -> ExperimentEstimate:
    return ExperimentEstimate(
        configurations=len(draft.models.models) * count_combinations(draft.models),
        combinations=count_combinations(draft.models),
        train_cases=None,
        holdout_cases=None,
        iteration=None,
        iterations=EstimatedNumber(low=None, high=None),
        cost=EstimatedCost(low_usd=None, high_usd=None),
        seconds=EstimatedNumber(low=None, high=None),
        stand_ins=[],
        budgets=[],
        assumptions=[],
        problems=[StepProblemRead.model_validate(each) for each in problems],
    )


def _estimate(
    experiment: Experiment,
    found: SurveyedDraft,
    surveys: SurveyedRuns,
    runs: Sequence[RunEstimate],
    trial: RunEstimate,
) -> ExperimentEstimate:
    draft, refiner = found.draft, surveys.refiner
    cases = [len(survey.plan.cases) for survey in surveys.runs]
    held_out = cases[1] if len(cases) > 1 else 0
    iteration = _iteration(runs, trial, draft.limits, refiner)
    most = draft.limits.max_iterations
    usual = math.ceil(most * USUAL_SHARE)
    low, high = iteration.cost.low_usd, iteration.cost.high_usd
    return ExperimentEstimate(
        configurations=len(kept_configurations(draft, pruned_keys(experiment))),
        combinations=count_combinations(draft.models),
        train_cases=cases[0],
        holdout_cases=held_out,
        iteration=iteration,
        iterations=EstimatedNumber(low=usual, high=most),
        cost=EstimatedCost(
            low_usd=None if low is None else low * usual,
            high_usd=None if high is None else high * most,
        ),
        seconds=EstimatedNumber(
            low=round((iteration.seconds.low or 0) * usual, 1),
            high=round((iteration.seconds.high or 0) * most, 1),
        ),
        stand_ins=[StandInRead.model_validate(each) for each in found.stand_ins],
        budgets=_budgets(draft, surveys, runs, trial),
        assumptions=[
            *(each.message for each in found.stand_ins),
            *dict.fromkeys(line for each in (*runs, trial) for line in each.assumptions),
            f"Every suggestion is tried on the {cases[0]} training cases before it is reviewed.",
            *_too_few(held_out),
            _suggesting(draft.limits, refiner),
            f"A stopping rule usually ends it after {usual} of {most} iterations. Time for reviews "
            "is not included.",
        ],
        problems=[StepProblemRead.model_validate(each) for each in found.problems],
    )


def _budgets(
    draft: ExperimentDraft, surveys: SurveyedRuns, runs: Sequence[RunEstimate], trial: RunEstimate
) -> list[BudgetInReach]:
    refiner, limits = surveys.refiner, draft.limits
    tried = [*runs, *([trial] * limits.candidates)]
    low, high = (
        Spend(simulated=nanos or 0) if refiner.is_simulated else Spend(real=nanos or 0)
        for nanos in _refining_nanos(_refiner_calls(limits), refiner)
    )
    return fit_budgets(
        surveys.budgets,
        one=sum_known(tried, "low_usd").plus(low),
        every=sum_known([*tried, trial], "high_usd").plus(high).times(limits.max_iterations),
        is_priced=not any(each.unpriced_models for each in tried)
        and (refiner.prices is not None or not uses_refiner(limits)),
    )


def _suggesting(limits: LimitsStep, refiner: CallableModel) -> str:
    if not uses_refiner(limits):
        return f"{limits.candidates} suggestions per iteration are made without a model."
    return (
        f"{refiner.display_name} makes {limits.candidates} suggestions per iteration, "
        f"{REFINER_WRITES[0]} to {REFINER_WRITES[1]:,} tokens each."
    )


def _too_few(holdout_cases: int) -> list[str]:
    needed = fewest_cases(look=1)
    if not holdout_cases or can_succeed(holdout_cases, look=1):
        return []
    return [
        f"{holdout_cases} held-out cases cannot show that a version is better than the first: the "
        f"first version stays the best. It takes at least {needed} held-out cases."
    ]


def _iteration(
    runs: Sequence[RunEstimate], trial: RunEstimate, limits: LimitsStep, refiner: CallableModel
) -> IterationEstimate:
    """`trial` is of one candidate. The first iteration also tries the rubric, stated in the prompt,
    which the high cost includes.
    """
    asked = _refiner_calls(limits)
    refine_low, refine_high = _refining_nanos(asked, refiner)
    found = [*runs, *([trial] * limits.candidates)]
    lows = [each.cost.low_usd for each in found]
    highs = [each.cost.high_usd for each in (*found, trial)]
    unpriced = {name for each in found for name in each.unpriced_models}
    if asked and refiner.prices is None:
        unpriced.add(refiner.display_name)
    return IterationEstimate(
        answer_calls=sum(each.answer_calls for each in found),
        judge_calls=sum(each.judge_calls for each in found),
        refine_calls=asked,
        input_tokens=sum(each.input_tokens for each in found) + REFINER_READS * asked,
        output_tokens=EstimatedNumber(
            low=sum(each.output_tokens.low or 0 for each in found) + REFINER_WRITES[0] * asked,
            high=sum(each.output_tokens.high or 0 for each in found) + REFINER_WRITES[1] * asked,
        ),
        cost=EstimatedCost(low_usd=_total(lows, refine_low), high_usd=_total(highs, refine_high)),
        seconds=EstimatedNumber(
            low=sum(each.seconds.low or 0 for each in found) + REFINER_SECONDS[0] * bool(asked),
            high=sum(each.seconds.high or 0 for each in found) + REFINER_SECONDS[1] * asked,
        ),
        unpriced_models=sorted(unpriced),
    )


def _total(parts: Sequence[Decimal | None], more_nanos: int | None) -> Decimal | None:
    known = [part for part in parts if part is not None]
    if more_nanos is None or len(known) < len(parts):
        return None
    return usd_from_nanos(sum(nanos_from_usd(part) for part in known) + more_nanos)


def _refiner_calls(limits: LimitsStep) -> int:
    return limits.candidates if uses_refiner(limits) else 0


def _refining_nanos(calls: int, refiner: CallableModel) -> tuple[int | None, int | None]:
    if calls == 0:
        return 0, 0
    if refiner.prices is None:
        return None, None
    low, high = (
        refiner.prices.worst_case_nanos(input_tokens=REFINER_READS, max_tokens=tokens) * calls
        for tokens in REFINER_WRITES
    )
    return low, high
