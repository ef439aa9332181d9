"""The demo project of the first start. Never made where anything exists already."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.hooks import install_hooks
from edison.library.models.schemas import ModelImport
from edison.library.models.several import import_models
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.credentials import service as credentials
from edison.workspace.projects import service as projects

# The first one becomes the project's default.
SIMULATED = ("sim-medium", "sim-small", "sim-large")
NAME = "Demo"
DESCRIPTION = "A project to look around in. Delete it in its settings when you have seen enough."


async def make_demo(session: AsyncSession) -> None:
    """Does nothing in an installation that has people."""
    if await accounts.has_users(session):
        return
    install_hooks()
    owner = await find_or_add_local_owner(session)
    project = await projects.create_project(
        session, owner_id=owner.id, name=NAME, description=DESCRIPTION, is_demo=True
    )
    await _add_simulated_models(session, project.id)


async def _add_simulated_models(session: AsyncSession, project_id: UUID) -> None:
    credential = await credentials.add_simulated(
        session, project_id=project_id, label="Built in"
    )
    wanted = ModelImport(credential_id=credential.id, provider_models=list(SIMULATED))
    await import_models(session, project_id=project_id, wanted=wanted)
