"""Estimates cost and duration of one iteration and of the whole experiment, from its draft."""

import math
from collections.abc import Collection, Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import Invalid
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.experiments.drafts.checking.draft import find_problems
from edison.loops.experiments.drafts.checking.problems import StepProblem
from edison.loops.experiments.drafts.configure import (
    HOLDOUT,
    TRAIN,
    kept_configurations,
    pruned_keys,
    refiner_of,
    run_request,
    trial_request,
)
from edison.loops.experiments.drafts.grid import count_combinations
from edison.loops.experiments.drafts.resolve import resolve
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.estimates import (
    ExperimentEstimate,
    IterationEstimate,
    StepProblemRead,
)
from edison.pipeline.aggregate.alpha import can_succeed, fewest_cases
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import EstimatedCost, EstimatedNumber, RunEstimate

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
    """For an invalid draft, returns only its problems. Texts from the wizard that are not in the
    library yet are added in a transaction that is rolled back.
    """
    async with database.write() as session:
        moment = await session.begin_nested()
        try:
            problems = list(
                await find_problems(session, project_id=experiment.project_id, draft=draft)
            )
            if problems:
                return _without_numbers(draft, problems)
            resolved = await resolve(session, experiment, draft, author_id=author_id)
            surveys, problems = await survey_runs(
                session,
                experiment,
                resolved,
                author_id=author_id,
                pruned=pruned_keys(experiment),
            )
            trial = None if problems else await _survey_trial(session, experiment, resolved)
            refiner = await models.get_callable(
                session, project_id=experiment.project_id, model_id=refiner_of(resolved)
            )
        finally:
            await moment.rollback()
    if problems or trial is None:
        return _without_numbers(draft, problems)
    found = [
        await run_plans.compute_estimate(survey, at_once=at_once) for survey in (*surveys, trial)
    ]
    return _estimate(draft, experiment, surveys, found, refiner)


async def _survey_trial(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft
) -> run_plans.EstimateInput:
    """Of the run that tries one suggestion."""
    wanted = trial_request(
        config,
        name=experiment.name,
        version_id=config.prompt.version_id,
        suggestions=1,
        pruned=pruned_keys(experiment),
    )
    return await run_plans.read_estimate_input(
        session, project_id=experiment.project_id, wanted=wanted, author_id=None
    )


async def survey_runs(
    session: AsyncSession,
    experiment: Experiment,
    config: ExperimentDraft,
    *,
    author_id: UUID,
    pruned: Collection[str] = (),
) -> tuple[list[run_plans.EstimateInput], list[StepProblem]]:
    """The input of an estimate of the experiment's runs, and the problems that the engine would
    refuse.
    """
    surveys: list[run_plans.EstimateInput] = []
    problems: list[StepProblem] = []
    for split in (TRAIN, HOLDOUT) if config.data.uses_holdout else (TRAIN,):
        wanted = run_request(
            config,
            name=experiment.name,
            version_id=config.prompt.version_id,
            split=split,
            pruned=pruned,
        )
        try:
            survey = await run_plans.read_estimate_input(
                session,
                project_id=experiment.project_id,
                wanted=wanted,
                author_id=author_id,
                scope_ids=[experiment.id],
                ignores_cache=True,
            )
        except Invalid as invalid:
            problems += _problems_of_run(invalid, split)
        else:
            surveys.append(survey)
    return surveys, problems


def _problems_of_run(invalid: Invalid, split: str) -> list[StepProblem]:
    """The engine's problems with a run, by step. A dataset without holdout cases is no problem."""
    codes = {each.code for each in invalid.problems}
    if split == HOLDOUT and codes == {"no_cases"}:
        return []
    return [
        StepProblem(
            step=_step_of(each.field),
            field=f"{_step_of(each.field)}.{each.field}",
            message=each.message,
            code=each.code,
        )
        for each in invalid.problems
    ]


def _step_of(field: str) -> Step:
    first = field.partition(".")[0]
    if first in ("scorers", "comparers"):
        return Step.JUDGES
    if first in ("dataset_id", "cases", "inputs"):
        return Step.DATA
    return Step.PROMPT if field.endswith(("prompt_id", "version_id")) else Step.MODELS


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
        assumptions=[],
        problems=[StepProblemRead.model_validate(each) for each in problems],
    )


def _estimate(
    draft: ExperimentDraft,
    experiment: Experiment,
    surveys: Sequence[run_plans.EstimateInput],
    found: Sequence[RunEstimate],
    refiner: CallableModel,
) -> ExperimentEstimate:
    cases = [len(survey.plan.cases) for survey in surveys]
    iteration = _iteration(found[:-1], found[-1], draft.limits.candidates, refiner)
    most = draft.limits.max_iterations
    usual = math.ceil(most * USUAL_SHARE)
    low, high = iteration.cost.low_usd, iteration.cost.high_usd
    return ExperimentEstimate(
        configurations=len(kept_configurations(draft, pruned_keys(experiment))),
        combinations=count_combinations(draft.models),
        train_cases=cases[0],
        holdout_cases=cases[1] if len(cases) > 1 else 0,
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
        assumptions=[
            *dict.fromkeys(line for each in found for line in each.assumptions),
            f"Every suggestion is tried on the {cases[0]} training cases before it is reviewed.",
            *_too_few(cases[1] if len(cases) > 1 else 0),
            f"{refiner.display_name} makes {draft.limits.candidates} suggestions per iteration, "
            f"{REFINER_WRITES[0]} to {REFINER_WRITES[1]:,} tokens each.",
            f"A stopping rule usually ends it after {usual} of {most} iterations. Time for reviews "
            "is not included.",
        ],
        problems=[],
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
    runs: Sequence[RunEstimate], trial: RunEstimate, candidates: int, refiner: CallableModel
) -> IterationEstimate:
    """`trial` is of one candidate. The first iteration also tries the rubric, stated in the prompt,
    which the high cost includes.
    """
    refine_low, refine_high = _refining_nanos(candidates, refiner)
    found = [*runs, *([trial] * candidates)]
    lows = [each.cost.low_usd for each in found]
    highs = [each.cost.high_usd for each in (*found, trial)]
    unpriced = {name for each in found for name in each.unpriced_models}
    if refiner.prices is None:
        unpriced.add(refiner.display_name)
    return IterationEstimate(
        answer_calls=sum(each.answer_calls for each in found),
        judge_calls=sum(each.judge_calls for each in found),
        refine_calls=candidates,
        input_tokens=sum(each.input_tokens for each in found) + REFINER_READS * candidates,
        output_tokens=EstimatedNumber(
            low=sum(each.output_tokens.low or 0 for each in found) + REFINER_WRITES[0] * candidates,
            high=sum(each.output_tokens.high or 0 for each in found)
            + REFINER_WRITES[1] * candidates,
        ),
        cost=EstimatedCost(low_usd=_total(lows, refine_low), high_usd=_total(highs, refine_high)),
        seconds=EstimatedNumber(
            low=sum(each.seconds.low or 0 for each in found) + REFINER_SECONDS[0],
            high=sum(each.seconds.high or 0 for each in found) + REFINER_SECONDS[1] * candidates,
        ),
        unpriced_models=sorted(unpriced),
    )


def _total(parts: Sequence[Decimal | None], more_nanos: int | None) -> Decimal | None:
    known = [part for part in parts if part is not None]
    if more_nanos is None or len(known) < len(parts):
        return None
    return usd_from_nanos(sum(nanos_from_usd(part) for part in known) + more_nanos)


def _refining_nanos(candidates: int, refiner: CallableModel) -> tuple[int | None, int | None]:
    if refiner.prices is None:
        return None, None
    low, high = (
        refiner.prices.worst_case_nanos(input_tokens=REFINER_READS, max_tokens=tokens) * candidates
        for tokens in REFINER_WRITES
    )
    return low, high
