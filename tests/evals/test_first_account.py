"""An evaluation in a new installation makes no account: the first account gets its project."""

from fastapi import FastAPI
from sqlalchemy import select

from edison.app.demo.project import NAME, make_demo
from edison.evals.register import PROJECT, find_or_add_project
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts import sign_in_links
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project, ProjectMember, Role


async def owned_names(app: FastAPI) -> dict[str, str]:
    """The email of the owner by the name of the project."""
    query = (
        select(Project.name, User.email)
        .join(ProjectMember, ProjectMember.project_id == Project.id)
        .join(User, User.id == ProjectMember.user_id)
        .where(ProjectMember.role == Role.OWNER)
    )
    async with app.state.database.read() as session:
        return {name: email for name, email in await session.execute(query)}


async def evaluate_first(app: FastAPI) -> None:
    async with app.state.database.write() as session:
        made = await find_or_add_project(session, slug=None)
        again = await find_or_add_project(session, slug=None)
        assert (made.id, await accounts.has_users(session)) == (again.id, False)


async def test_the_demo_is_made_after_an_evaluation(app: FastAPI) -> None:
    await evaluate_first(app)
    async with app.state.database.write() as session:
        await make_demo(session)
    owner = sign_in_links.LOCAL_OWNER_EMAIL
    assert await owned_names(app) == {PROJECT: owner, NAME: owner}


async def test_the_first_person_to_register_gets_the_project_and_the_second_does_not(
    app: FastAPI,
) -> None:
    await evaluate_first(app)
    async with app.state.database.write() as session:
        for email in ("ada@example.org", "bob@example.org"):
            await accounts.add_user(session, User(email=email, name="A"))
    assert await owned_names(app) == {PROJECT: "ada@example.org"}


async def test_where_there_are_accounts_the_project_belongs_to_the_local_owner(
    app: FastAPI,
) -> None:
    async with app.state.database.write() as session:
        await accounts.add_user(session, User(email="ada@example.org", name="A"))
        await find_or_add_project(session, slug=None)
    assert await owned_names(app) == {PROJECT: sign_in_links.LOCAL_OWNER_EMAIL}
