"""Confirms a draft: the experiment is ready, or Invalid lists everything that is missing."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.loops.experiments.drafts.checking.draft import find_problems
from edison.loops.experiments.drafts.checking.problems import raise_problems
from edison.loops.experiments.drafts.resolve import resolve
from edison.loops.experiments.drafts.survey import survey_runs
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.drafts import ExperimentDraft, PromptStep
from edison.loops.experiments.states import ExperimentState
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit


async def confirm(session: AsyncSession, experiment: Experiment, *, author_id: UUID) -> None:
    """The caller must hold the experiment's lock. Raises Invalid with all problems."""
    draft = ExperimentDraft.model_validate(experiment.draft)
    raise_problems(await find_problems(session, project_id=experiment.project_id, draft=draft))
    config = await resolve(session, experiment, draft, author_id=author_id)
    config = await _resolve_version(session, experiment, config, author_id=author_id)
    _, problems = await survey_runs(session, experiment, config, author_id=author_id)
    raise_problems(problems)
    asked = [each.model_id for each in config.models.models] + list(config.judges.judges)
    await budgets.set_scope_limit(
        session,
        project_id=experiment.project_id,
        scope=(Scope.EXPERIMENT, experiment.id),
        limit=ScopeLimit(
            limit_usd=config.limits.budget_usd,
            alert_threshold=config.limits.alert_threshold,
            counts_simulated=await models.are_simulated(
                session, project_id=experiment.project_id, model_ids=asked
            )
            if experiment.config is None
            else None,
        ),
    )
    stored = config.model_dump(mode="json")
    await Experiments(session).change(
        experiment.id,
        {
            "draft": stored,
            "config": stored,
            "draft_version": experiment.draft_version + 1,
            "state": ExperimentState.READY,
            "prompt_id": config.prompt.prompt_id,
            "version_id": _next_version(experiment, config),
            "dataset_id": config.data.dataset_id,
            "rubric_version_id": config.rubric.rubric_version_id,
            "confirmed_at": clock.now(),
            "completed_at": None,
            "stop_reason": None,
            "stop_message": None,
        },
    )


async def _resolve_version(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft, *, author_id: UUID
) -> ExperimentDraft:
    """Saves the prompt's draft as a version, unless a version is given."""
    step = config.prompt
    if step.version_id is not None or step.prompt_id is None:
        return config
    version = await prompts.version_for_run(
        session,
        project_id=experiment.project_id,
        prompt_id=step.prompt_id,
        author_id=author_id,
    )
    resolved = PromptStep(prompt_id=step.prompt_id, version_id=version.id)
    return config.model_copy(update={"prompt": resolved})


def _next_version(experiment: Experiment, config: ExperimentDraft) -> UUID | None:
    """With the same prompt, the experiment continues from its current version."""
    before = experiment.config
    if before is not None and experiment.version_id is not None:
        was = PromptStep.model_validate(before["prompt"])
        if (was.prompt_id, was.version_id) == (config.prompt.prompt_id, config.prompt.version_id):
            return experiment.version_id
    return config.prompt.version_id
