"""Builders for projects, members and invitations that bypass the API."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from fastapi import FastAPI

from edison.kit import clock, ids
from edison.workspace.accounts.models import User
from edison.workspace.projects import service
from edison.workspace.projects.models import Invitation, Project, ProjectMember, Role
from tests.factories.accounts import make_user, sign_in
from tests.support.browser import Browser


async def make_project(app: FastAPI, owner: User | None = None, name: str = "Engine") -> Project:
    owner = owner or await make_user(app)
    async with app.state.database.write() as session:
        return await service.create_project(session, owner_id=owner.id, name=name)


@dataclass(frozen=True, kw_only=True)
class MadeMember:
    id: UUID
    user: User
    browser: Browser


async def make_member(
    app: FastAPI, project: Project, role: Role = Role.VIEWER, email: str | None = None
) -> MadeMember:
    user = await make_user(app, email)
    async with app.state.database.write() as session:
        member = ProjectMember(
            id=ids.new_id(),
            project_id=project.id,
            user_id=user.id,
            role=role,
            joined_at=clock.now(),
        )
        session.add(member)
    return MadeMember(id=member.id, user=user, browser=await sign_in(app, user))


async def make_invitation(
    app: FastAPI, project: Project, *, email: str | None = None, role: Role = Role.EDITOR
) -> str:
    """The token of a new invitation."""
    token = ids.new_secret()
    async with app.state.database.write() as session:
        session.add(
            Invitation(
                id=ids.new_id(),
                project_id=project.id,
                email=email,
                role=role,
                digest=ids.digest(token),
                created_at=clock.now(),
                expires_at=clock.now() + timedelta(days=7),
            )
        )
    return token
