"""The demo project of the first start. Never created in an installation that has users."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import cases, experiment, monitor, playground, scorers
from edison.app.demo.experiment import DemoExperiment
from edison.app.hooks import install_hooks
from edison.jobs.job import Priority
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import DatasetRequest
from edison.library.models import bulk
from edison.library.models import service as models
from edison.library.models.schemas import ModelImport
from edison.library.prompts import service as prompts
from edison.library.prompts import versions
from edison.library.prompts.schemas import PromptRequest, VersionRequest
from edison.runs.plan import service as run_plans
from edison.runs.plan import types
from edison.runs.plan.schemas import RunRequest
from edison.simulation.material import DemoTask, demo_tasks
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.schemas import BudgetRequest
from edison.workspace.credentials import service as credentials
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Project

NAME = "Demo"
DESCRIPTION = "Sample project. Delete it in its settings when you no longer need it."
CHANGELOG = "First version: states the task, not the style."
# The first is the project's default model.
SIMULATED = ("sim-medium", "sim-small", "sim-large")
RUN_MODELS = ("sim-small", "sim-medium")
JUDGE = "sim-large"
# The task that the playground opens with and that the experiment improves, and the models used
# there.
PLAYGROUND_TASK = "support"
EXPERIMENT_TASK = "support"
PLAYGROUND_MODELS = ("sim-small", "sim-medium", "sim-large")
# Few enough that all runs finish within the first minute.
RUN_CASES = 10
# As if requested on the runs page.
ORIGIN = "api"
# Simulated dollars count, so that the demo shows a budget at work.
BUDGET = {"period": "total", "limit_usd": "5", "counts_simulated": True}


async def make_demo(session: AsyncSession) -> None:
    """Does nothing if there are users."""
    if await accounts.has_users(session):
        return
    install_hooks()
    owner = await find_or_add_local_owner(session)
    project = await projects.create_project(
        session, owner_id=owner.id, name=NAME, description=DESCRIPTION, is_demo=True
    )
    model_ids = await _add_simulated_models(session, project)
    await monitor.add_model(session, project)
    await budgets.create_budget(
        session, project_id=project.id, wanted=BudgetRequest.model_validate(BUDGET)
    )
    likeness_id = await scorers.add_rules(session, project)
    for key, task in demo_tasks().items():
        prompt_id = await _add_prompt(session, project, task, author_id=owner.id)
        dataset_id = await _add_dataset(session, project, task, tag=key, author_id=owner.id)
        if key == PLAYGROUND_TASK:
            grader_id = await playground.add_grader(session, project, task)
            wanted = playground.request_of(
                prompt_id=prompt_id,
                dataset_id=dataset_id,
                model_ids=[model_ids[name] for name in PLAYGROUND_MODELS],
                grader=(grader_id, model_ids[JUDGE]),
            )
            await playground.add_run(session, project, wanted=wanted, owner_id=owner.id)
        judge_id = await scorers.add_judge(session, project, task, model_id=model_ids[JUDGE])
        if key == EXPERIMENT_TASK:
            draft = experiment.draft_of(
                DemoExperiment(
                    goal=task.goal,
                    prompt_id=prompt_id,
                    dataset_id=dataset_id,
                    rubric_version_id=await experiment.find_rubric(session, judge_id),
                    answering=[model_ids[name] for name in RUN_MODELS],
                    judging=model_ids[JUDGE],
                )
            )
            await experiment.add_experiment(
                session, project.id, experiment.NAME, draft, owner_id=owner.id
            )
        await _add_run(
            session,
            project,
            prompt_id=prompt_id,
            dataset_id=dataset_id,
            model_ids=[model_ids[name] for name in RUN_MODELS],
            scorer_ids=[likeness_id, judge_id],
        )


async def _add_simulated_models(session: AsyncSession, project: Project) -> dict[str, UUID]:
    """Model ids by model name."""
    credential = await credentials.add_simulated(session, project_id=project.id, label="Built in")
    wanted = ModelImport(credential_id=credential.id, provider_models=list(SIMULATED))
    await bulk.import_models(session, project_id=project.id, wanted=wanted)
    found = {
        name: await models.find_by_name(session, project_id=project.id, name=name)
        for name in SIMULATED
    }
    return {name: model.id for name, model in found.items() if model is not None}


async def _add_prompt(
    session: AsyncSession, project: Project, task: DemoTask, *, author_id: UUID
) -> UUID:
    prompt = await prompts.create_prompt(
        session,
        project_id=project.id,
        wanted=PromptRequest(name=task.name, description=task.goal, text=task.starter),
    )
    await versions.save_version(
        session,
        project_id=project.id,
        prompt_id=prompt.id,
        wanted=VersionRequest(version=1, changelog=CHANGELOG),
        author_id=author_id,
    )
    return prompt.id


async def _add_dataset(
    session: AsyncSession, project: Project, task: DemoTask, *, tag: str, author_id: UUID
) -> UUID:
    dataset = await datasets.create_dataset(
        session,
        project_id=project.id,
        wanted=DatasetRequest(name=f"{task.name} cases", description=task.goal, tags=[tag]),
    )
    await datasets.add_cases(
        session,
        project_id=project.id,
        dataset_id=dataset.id,
        wanted=[cases.case_request(case, case.split) for case in task.cases],
        author_id=author_id,
    )
    return dataset.id


async def _add_run(
    session: AsyncSession,
    project: Project,
    *,
    prompt_id: UUID,
    dataset_id: UUID,
    model_ids: Sequence[UUID],
    scorer_ids: Sequence[UUID],
) -> None:
    """Only stores the run; the engine executes it once the server is up."""
    wanted = RunRequest.model_validate(
        {
            "variants": [
                {"prompt_id": str(prompt_id), "model_id": str(each)} for each in model_ids
            ],
            "dataset_id": str(dataset_id),
            "cases": {"filter": {"split": "train"}, "limit": RUN_CASES},
            "scorers": [{"scorer_version_id": str(version_id)} for version_id in scorer_ids],
        }
    )
    context = types.RunContext(
        project_id=project.id, origin=ORIGIN, author_id=None, priority=Priority.BACKGROUND
    )
    await run_plans.add_run(session, context=context, wanted=wanted)
