"""The demo project of the first start. Never made where anything exists already."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.hooks import install_hooks
from edison.jobs.job import Priority
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas import CaseRequest, DatasetRequest
from edison.library.models import service as models
from edison.library.models import several
from edison.library.models.schemas import ModelImport
from edison.library.prompts import service as prompts
from edison.library.prompts import versions
from edison.library.prompts.schemas import PromptRequest, VersionRequest
from edison.pipeline.generate.simulation.material import DemoTask, demo_tasks
from edison.runs.engine import service as runs
from edison.runs.engine.schemas.requests import RunRequest
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.schemas import BudgetRequest
from edison.workspace.credentials import service as credentials
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Project

NAME = "Demo"
DESCRIPTION = "A project to look around in. Delete it in its settings when you have seen enough."
CHANGELOG = "The first version: says what to do, and nothing about how."
# The first one becomes the project's default.
SIMULATED = ("sim-medium", "sim-small", "sim-large")
COMPARED = ("sim-small", "sim-medium")
JUDGE = "sim-large"
# Few enough that all runs are over before somebody has looked around.
RUN_CASES = 10
BUDGET = {"period": "total", "limit_usd": "5"}


async def make_demo(session: AsyncSession) -> None:
    """Does nothing in an installation that has people."""
    if await accounts.has_users(session):
        return
    install_hooks()
    owner = await find_or_add_local_owner(session)
    project = await projects.create_project(
        session, owner_id=owner.id, name=NAME, description=DESCRIPTION, is_demo=True
    )
    await _add_simulated_models(session, project)
    await budgets.create_budget(
        session, project_id=project.id, wanted=BudgetRequest.model_validate(BUDGET)
    )
    for task in demo_tasks().values():
        prompt_id = await _add_prompt(session, project, task, author_id=owner.id)
        dataset_id = await _add_dataset(session, project, task, author_id=owner.id)
        await _add_run(session, project, task, prompt_id=prompt_id, dataset_id=dataset_id)


async def _add_simulated_models(session: AsyncSession, project: Project) -> None:
    credential = await credentials.add_simulated(session, project_id=project.id, label="Built in")
    wanted = ModelImport(credential_id=credential.id, provider_models=list(SIMULATED))
    await several.import_models(session, project_id=project.id, wanted=wanted)


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
    session: AsyncSession, project: Project, task: DemoTask, *, author_id: UUID
) -> UUID:
    dataset = await datasets.create_dataset(
        session,
        project_id=project.id,
        wanted=DatasetRequest(name=f"{task.name} cases", description=task.goal),
    )
    await datasets.add_cases(
        session,
        project_id=project.id,
        dataset_id=dataset.id,
        wanted=[
            CaseRequest(
                inputs=dict(case.inputs),
                expected=case.expected,
                tags=list(case.tags),
                difficulty=case.difficulty,
                split=case.split,
            )
            for case in task.cases
        ],
        author_id=author_id,
    )
    return dataset.id


async def _add_run(
    session: AsyncSession, project: Project, task: DemoTask, *, prompt_id: UUID, dataset_id: UUID
) -> None:
    """Written down only: the engine works on it once the server is up."""
    found = {
        name: await models.find_by_name(session, project_id=project.id, name=name)
        for name in SIMULATED
    }
    ids = {name: str(model.id) for name, model in found.items() if model is not None}
    wanted = RunRequest.model_validate(
        {
            "variants": [{"prompt_id": str(prompt_id), "model_id": ids[name]} for name in COMPARED],
            "dataset_id": str(dataset_id),
            "cases": {"filter": {"split": "train"}, "limit": RUN_CASES},
            "scorers": [
                {"kind": "word_overlap", "label": "Likeness to the expected answer"},
                {
                    "kind": "judge",
                    "label": "Rubric",
                    "options": {
                        "model_id": ids[JUDGE],
                        "goal": task.goal,
                        "criteria": [
                            {
                                "name": criterion.name,
                                "description": criterion.description,
                                "weight": criterion.weight,
                            }
                            for criterion in task.rubric
                        ],
                    },
                },
            ],
        }
    )
    asker = runs.Asker(
        project_id=project.id, origin="playground", author_id=None, priority=Priority.BACKGROUND
    )
    await runs.add_run(session, asker=asker, wanted=wanted)
