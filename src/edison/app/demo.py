"""The demo project of the first start. Never made where anything exists already."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.hooks import install_hooks
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas import CaseRequest, DatasetRequest
from edison.library.models import several
from edison.library.models.schemas import ModelImport
from edison.library.prompts import service as prompts
from edison.library.prompts import versions
from edison.library.prompts.schemas import PromptRequest, VersionRequest
from edison.pipeline.generate.simulation.material import DemoTask, demo_tasks
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.credentials import service as credentials
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Project

NAME = "Demo"
DESCRIPTION = "A project to look around in. Delete it in its settings when you have seen enough."
CHANGELOG = "The first version: says what to do, and nothing about how."
# The first one becomes the project's default.
SIMULATED = ("sim-medium", "sim-small", "sim-large")


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
    for task in demo_tasks().values():
        await _add_prompt(session, project, task, author_id=owner.id)
        await _add_dataset(session, project, task, author_id=owner.id)


async def _add_simulated_models(session: AsyncSession, project: Project) -> None:
    credential = await credentials.add_simulated(session, project_id=project.id, label="Built in")
    wanted = ModelImport(credential_id=credential.id, provider_models=list(SIMULATED))
    await several.import_models(session, project_id=project.id, wanted=wanted)


async def _add_prompt(
    session: AsyncSession, project: Project, task: DemoTask, *, author_id: UUID
) -> None:
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


async def _add_dataset(
    session: AsyncSession, project: Project, task: DemoTask, *, author_id: UUID
) -> None:
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
