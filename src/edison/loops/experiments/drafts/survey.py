"""Reads what an estimate of an experiment is computed from, with stand-ins for unusable steps."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.experiments.drafts.assume import StandIn, replace_steps
from edison.loops.experiments.drafts.checking.draft import find_problems
from edison.loops.experiments.drafts.checking.problems import StepProblem
from edison.loops.experiments.drafts.configure import (
    HOLDOUT,
    TRAIN,
    pruned_keys,
    refiner_of,
    run_request,
    trial_request,
)
from edison.loops.experiments.drafts.resolve import resolve
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.runs.plan import service as run_plans
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.types import BudgetLeft


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedRuns:
    """What the estimate is computed from. `runs` are those of an iteration, `trial` is the run that
    tries one suggestion.
    """

    runs: Sequence[run_plans.EstimateInput]
    trial: run_plans.EstimateInput
    refiner: CallableModel
    budgets: Sequence[BudgetLeft]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedDraft:
    """`draft` contains the stand-ins. `surveys` is None if there is nothing to estimate."""

    draft: ExperimentDraft
    problems: Sequence[StepProblem]
    stand_ins: Sequence[StandIn] = ()
    surveys: SurveyedRuns | None = None


async def survey_draft(
    session: AsyncSession, experiment: Experiment, draft: ExperimentDraft, *, author_id: UUID
) -> SurveyedDraft:
    """Replaces steps until the engine accepts the rest; each turn replaces at least one more."""
    project_id = experiment.project_id
    problems = list(await find_problems(session, project_id=project_id, draft=draft))
    replaced = {each.step for each in problems}
    while True:
        assumed = await replace_steps(session, project_id=project_id, draft=draft, steps=replaced)
        if assumed is None:
            return SurveyedDraft(draft=draft, problems=problems)
        config = await resolve(session, experiment, assumed.draft, author_id=author_id)
        runs, refused = await survey_runs(
            session, experiment, config, author_id=author_id, pruned=pruned_keys(experiment)
        )
        if not replaced:
            # Beside stand-ins, the engine's problems may be with those.
            problems += refused
        further = {each.step for each in refused} - replaced
        if not refused:
            return SurveyedDraft(
                draft=assumed.draft,
                problems=problems,
                stand_ins=assumed.stand_ins,
                surveys=SurveyedRuns(
                    runs=runs,
                    trial=await _survey_trial(session, experiment, config),
                    refiner=await models.get_callable(
                        session, project_id=project_id, model_id=refiner_of(config)
                    ),
                    budgets=await budgets.list_left(session, project_id=project_id),
                ),
            )
        if not further:
            return SurveyedDraft(draft=draft, problems=problems)
        replaced |= further


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
