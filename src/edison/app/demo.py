"""The demo project of the first start. Never made where anything exists already."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.hooks import install_hooks
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.sign_in_links import find_or_add_local_owner
from edison.workspace.projects import service as projects

NAME = "Demo"
DESCRIPTION = "A project to look around in. Delete it in its settings when you have seen enough."


async def make_demo(session: AsyncSession) -> None:
    """Does nothing in an installation that has people."""
    if await accounts.has_users(session):
        return
    install_hooks()
    owner = await find_or_add_local_owner(session)
    await projects.create_project(
        session, owner_id=owner.id, name=NAME, description=DESCRIPTION, is_demo=True
    )
