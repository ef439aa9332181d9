"""Starts iterations, after collecting all reasons against it."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import job as jobs
from edison.kit import clock, ids
from edison.kit.errors import Exhausted, NotFound
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.loops.experiments.drafts.checking.draft import find_problems
from edison.loops.experiments.drafts.configure import read_config
from edison.loops.experiments.drafts.survey import survey_runs
from edison.loops.experiments.errors import (
    IterationUnderWay,
    NotConfirmed,
    NotReady,
)
from edison.loops.experiments.iterations.measure import counts, tokens_of
from edison.loops.experiments.iterations.transitions import drive_job
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.loops.experiments.schemas.estimates import ReasonRead
from edison.loops.experiments.states import IDLE, ExperimentState, IterationState
from edison.workspace.budgets import service as budgets
from edison.workspace.resources.errors import Archived


async def find_reasons(
    session: AsyncSession, experiment: Experiment, *, author_id: UUID
) -> list[ReasonRead]:
    """All reasons why an iteration cannot start; empty if it can."""
    if experiment.archived_at is not None:
        return [_reason("archived", Archived(Experiment.NOUN).message)]
    if experiment.config is None:
        return [_reason("not_confirmed", NotConfirmed().message)]
    if experiment.state not in IDLE:
        return [_reason("under_way", IterationUnderWay().message)]
    config = read_config(experiment.config)
    problems = list(await find_problems(session, project_id=experiment.project_id, draft=config))
    if not problems:
        _, problems = await survey_runs(session, experiment, config, author_id=author_id)
    reasons = [_reason(each.code, each.message) for each in problems]
    if experiment.version_id is None:
        reasons.append(_reason("no_version", "No prompt version found. Create a prompt first."))
    reasons += await _refused_credentials(session, experiment, config)
    reasons += await _limits(session, experiment, config)
    return list({(each.code, each.message): each for each in reasons}.values())


async def _refused_credentials(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft
) -> list[ReasonRead]:
    reasons = []
    for model in await list_asked_models(session, experiment, config):
        if model.credential.failure is not None:
            message = (
                f"The credential {model.credential.label} of {model.display_name} did not work "
                "when it was last tried. Test it again, or enter another key."
            )
            reasons.append(_reason("credential_failed", message))
    return reasons


async def list_asked_models(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft
) -> list[CallableModel]:
    """The models that answer and judge, without deleted ones."""
    asked = [each.model_id for each in config.models.models] + list(config.judges.judges)
    found = []
    for model_id in dict.fromkeys(asked):
        try:
            model = await models.get_callable(
                session, project_id=experiment.project_id, model_id=model_id
            )
        except NotFound:
            continue
        found.append(model)
    return found


async def _check_budget(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft
) -> None:
    await budgets.check_open(
        session,
        project_id=experiment.project_id,
        scope_ids=[experiment.id],
        need=models.least_need(await list_asked_models(session, experiment, config)),
    )


async def _limits(
    session: AsyncSession, experiment: Experiment, config: ExperimentDraft
) -> list[ReasonRead]:
    reasons = []
    rows = await Iterations(session).list_of([experiment.id])
    done, most = sum(counts(each) for each, _ in rows), config.limits.max_iterations
    if done >= most:
        message = f"{done} of {most} iterations are done. Allow more of them."
        reasons.append(_reason("max_iterations", message))
    tokens, allowed = sum(tokens_of(*row) for row in rows), config.limits.max_tokens
    if allowed is not None and tokens >= allowed:
        message = f"{tokens:,} of {allowed:,} tokens are used up. Allow more of them."
        reasons.append(_reason("max_tokens", message))
    try:
        await _check_budget(session, experiment, config)
    except Exhausted as exhausted:
        reasons.append(_reason("budget_exceeded", exhausted.message))
    return reasons


async def start(
    session: AsyncSession,
    experiment: Experiment,
    *,
    version_id: UUID | None,
    author_id: UUID,
) -> Iteration:
    """Requires the experiment to be locked. Raises BudgetExhausted, NotReady with all other
    reasons, and NotFound.
    """
    if experiment.config is not None:
        await _check_budget(session, experiment, read_config(experiment.config))
    reasons = await find_reasons(session, experiment, author_id=author_id)
    if reasons:
        raise NotReady([each.model_dump() for each in reasons])
    version = await _choose_version(session, experiment, version_id)
    return await add_iteration(session, experiment, version, author_id=author_id)


async def _choose_version(
    session: AsyncSession, experiment: Experiment, version_id: UUID | None
) -> PromptVersion:
    wanted = version_id or experiment.version_id
    if experiment.prompt_id is None or wanted is None:
        raise NotFound("There is no such version of this prompt.")
    return await prompts.get_version(session, prompt_id=experiment.prompt_id, version_id=wanted)


async def add_iteration(
    session: AsyncSession,
    experiment: Experiment,
    version: PromptVersion,
    *,
    author_id: UUID | None,
) -> Iteration:
    """Adds a pending iteration and queues its job."""
    now = clock.now()
    number = experiment.iteration_count + 1
    iteration = Iteration(
        id=ids.new_id(),
        experiment_id=experiment.id,
        number=number,
        state=IterationState.PENDING,
        active_key=experiment.id,
        author_id=author_id,
        version_id=version.id,
        version_label=version.label,
        refine_cost_nanos=0,
        refine_tokens=0,
        created_at=now,
        phases={IterationState.PENDING.value: now.isoformat()},
        config=experiment.config,
    )
    await Iterations(session).add(iteration)
    await Experiments(session).change(
        experiment.id,
        {
            "state": ExperimentState.RUNNING,
            "iteration_count": number,
            "version_id": version.id,
            "stop_reason": None,
            "stop_message": None,
            "completed_at": None,
        },
    )
    jobs.request(session, drive_job(iteration.id, experiment.project_id))
    return iteration


def _reason(code: str, message: str) -> ReasonRead:
    return ReasonRead(code=code, message=message)
