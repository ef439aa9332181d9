"""Permissions of every route, called in every role, against `route_permissions.txt`.

A new route fails here until it is in the table. A route with a new path parameter fails here until
`children.py` has a factory for it, so that it is also tried with a foreign child.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from asgi_lifespan import LifespanManager
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.api.policy import GuardedRoute, guarded_routes
from edison.app.main import create_app
from edison.kit import clock, ids
from edison.workspace.accounts import tokens
from edison.workspace.accounts.models import TokenScope
from edison.workspace.accounts.schemas import TokenRequest
from edison.workspace.audit.models import AuditEntry
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Project, ProjectMember, Role
from tests.app.children import CHILDREN
from tests.app.route_table import current, read_table
from tests.conftest import open_settings
from tests.factories.accounts import make_user, sign_in
from tests.support.application import APPLICATION
from tests.support.asgi import status_of
from tests.support.browser import Browser
from tests.support.databases import Databases

# Holds the users shared by all tests.
in_one_loop = pytest.mark.asyncio(loop_scope="module")

ROUTES = guarded_routes(APPLICATION)
TABLE = read_table()
SCOPES = ["read", "write", "admin"]
MEMBER_ROUTES = [route for route in ROUTES if route.policy.kind == "member"]
SIGNED_IN_ROUTES = [route for route in ROUTES if route.policy.kind == "signed_in"]
PUBLIC_ROUTES = [route for route in ROUTES if route.policy.kind == "public"]


@dataclass(frozen=True, kw_only=True)
class People:
    """One user per role, the owner of another project, and a user without projects. Shared by all
    tests: signing in takes longer than the checks.
    """

    app: FastAPI
    members: dict[Role, Browser]
    member_ids: dict[Role, UUID]
    foreigner: Browser
    foreigner_id: UUID
    outsider: Browser
    owner_tokens: dict[str, str]

    async def make_world(self) -> "World":
        async with self.app.state.database.write() as session:
            project = await projects.create_project(
                session, owner_id=self.member_ids[Role.OWNER], name=f"Ours {ids.new_id()}"
            )
            other = await projects.create_project(
                session, owner_id=self.foreigner_id, name=f"Theirs {ids.new_id()}"
            )
            session.add_all(
                ProjectMember(
                    project_id=project.id, user_id=user_id, role=role, joined_at=clock.now()
                )
                for role, user_id in self.member_ids.items()
                if role is not Role.OWNER
            )
        return World(people=self, project=project, other_project=other)


@dataclass(frozen=True, kw_only=True)
class World:
    """A project with one member of each role, and a foreign project."""

    people: People
    project: Project
    other_project: Project

    async def path_to(self, route: GuardedRoute, *, children_of: Project | None = None) -> str:
        """The path with children that were made for it."""
        path = route.path.replace("{project}", self.project.slug)
        async with self.people.app.state.database.write() as session:
            for name in _children(route):
                parent = children_of or self.project
                path = path.replace(f"{{{name}}}", str(await CHILDREN[name](session, parent.id)))
        return path

    async def call(
        self,
        route: GuardedRoute,
        path: str,
        browser: Browser | None = None,
        *,
        token: str | None = None,
    ) -> int:
        return await status_of(
            self.people.app, route.method, path, browser=browser, token=token, body={}
        )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def people(
    databases: Databases, signing_key: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[People]:
    directory = tmp_path_factory.mktemp("permissions")
    url = databases.fresh_url(directory)
    app = create_app(open_settings(directory, database_url=url, signing_key=signing_key))
    async with LifespanManager(app):
        users = {role: await make_user(app) for role in Role}
        foreigner, outsider = await make_user(app), await make_user(app)
        members = {role: await sign_in(app, user) for role, user in users.items()}
        yield People(
            app=app,
            members=members,
            owner_tokens={scope: await _make_token(members[Role.OWNER], scope) for scope in SCOPES},
            member_ids={role: user.id for role, user in users.items()},
            foreigner=await sign_in(app, foreigner),
            foreigner_id=foreigner.id,
            outsider=await sign_in(app, outsider),
        )
    await asyncio.to_thread(databases.clean, url)


async def _make_token(browser: Browser, scope: str) -> str:
    wanted = {"name": scope, "scope": scope}
    return str((await browser.post("/api/v1/auth/tokens", json=wanted)).json()["token"])


def _children(route: GuardedRoute) -> list[str]:
    return [name for name in re.findall(r"{(\w+)}", route.path) if name != "project"]


def _name(route: GuardedRoute) -> str:
    return f"{route.method} {route.path}"


def test_there_are_routes_of_every_kind() -> None:
    assert MEMBER_ROUTES
    assert SIGNED_IN_ROUTES
    assert PUBLIC_ROUTES


def test_every_project_route_is_for_members() -> None:
    below_projects = [route for route in ROUTES if "/projects/{project}" in route.path]
    assert [route for route in below_projects if route.policy.kind != "member"] == []


def test_every_child_of_a_project_can_be_made() -> None:
    assert {name for route in MEMBER_ROUTES for name in _children(route)} <= set(CHILDREN)


def test_permissions_of_routes_match_the_table() -> None:
    """After a deliberate change: `make permissions`."""
    assert [str(each) for each in current()] == [str(each) for each in TABLE.values()]


@in_one_loop
@pytest.mark.parametrize("route", MEMBER_ROUTES, ids=_name)
async def test_a_member_route_asks_for_the_scope_of_a_token(
    people: People, route: GuardedRoute
) -> None:
    world = await people.make_world()
    path = await world.path_to(route)
    least = SCOPES.index(TABLE[route.method, route.path].token)
    for scope in SCOPES[:least]:
        assert await world.call(route, path, token=people.owner_tokens[scope]) == 403, scope
    token = people.owner_tokens[SCOPES[least]]
    assert await world.call(route, path, token=token) not in (401, 403, 404)


@in_one_loop
@pytest.mark.parametrize("route", SIGNED_IN_ROUTES, ids=_name)
async def test_a_signed_in_route_asks_for_the_scope_of_a_token(
    people: People, route: GuardedRoute
) -> None:
    path = re.sub(r"{\w+}", str(ids.new_id()), route.path)
    wanted = TABLE[route.method, route.path].token
    for scope, token in people.owner_tokens.items():
        is_enough = wanted != "browser" and SCOPES.index(scope) >= SCOPES.index(wanted)
        status = await status_of(people.app, route.method, path, token=token, body={})
        assert (status not in (401, 403)) == is_enough, scope


@in_one_loop
@pytest.mark.parametrize("route", MEMBER_ROUTES, ids=_name)
async def test_a_member_route_asks_for_its_role(people: People, route: GuardedRoute) -> None:
    world = await people.make_world()
    # A refused call changes nothing, so that all can be for the same children.
    path = await world.path_to(route)
    least = Role(TABLE[route.method, route.path].role)
    assert await world.call(route, path) == 401
    assert await world.call(route, path, people.outsider) == 404
    assert await world.call(route, path, people.foreigner) == 404
    for role, browser in people.members.items():
        if not role.includes(least):
            assert await world.call(route, path, browser) == 403, role
    assert await denied_entries(people.app, world.project) == 2 + list(Role).index(least)
    if _children(route):
        foreign = await world.path_to(route, children_of=world.other_project)
        status = await world.call(route, foreign, people.members[least])
        # An invalid body may be reported first; the child itself is never reached.
        assert status in (404, 400)
    assert await world.call(route, path, people.members[least]) not in (401, 403, 404)
    if least is not Role.OWNER:
        if route.method != "GET":
            # The call may have changed what the next one needs.
            world = await people.make_world()
            path = await world.path_to(route)
        assert await world.call(route, path, people.members[Role.OWNER]) not in (401, 403, 404)


async def make_token(people: People, **limits: Any) -> str:
    """A token of the owner with all scopes."""
    async with people.app.state.database.write() as session:
        wanted = TokenRequest(name="t", scope=TokenScope.ADMIN, **limits)
        _, secret = await tokens.create_token(
            session, user_id=people.member_ids[Role.OWNER], wanted=wanted
        )
    return secret


@in_one_loop
async def test_a_token_for_another_project_finds_no_project_route(people: People) -> None:
    world, elsewhere = await people.make_world(), await people.make_world()
    limited = await make_token(people, project_ids=[elsewhere.project.id])
    for route in MEMBER_ROUTES:
        path = route.path.replace("{project}", str(world.project.id))
        path = re.sub(r"{\w+}", str(ids.new_id()), path)
        status = await status_of(people.app, route.method, path, token=limited, body={})
        assert status == 404, _name(route)
    path = f"/api/v1/projects/{elsewhere.project.slug}"
    assert await status_of(people.app, "GET", path, token=limited) == 200


@in_one_loop
async def test_a_token_for_certain_projects_does_nothing_outside_them(people: People) -> None:
    world = await people.make_world()
    limited = await make_token(people, project_ids=[world.project.id])
    allowed = {"GET /api/v1/auth/me", "GET /api/v1/projects"}
    for route in SIGNED_IN_ROUTES:
        path = re.sub(r"{\w+}", str(ids.new_id()), route.path)
        status = await status_of(people.app, route.method, path, token=limited, body={})
        assert status == (200 if _name(route) in allowed else 403), _name(route)


@in_one_loop
async def test_a_project_that_requires_two_factors_refuses_members_with_one(people: People) -> None:
    world = await people.make_world()
    token = await make_token(people)
    async with people.app.state.database.write() as session:
        project = await session.get(Project, world.project.id)
        project.requires_two_factor = True
    for route in MEMBER_ROUTES:
        path = route.path.replace("{project}", world.project.slug)
        path = re.sub(r"{\w+}", str(ids.new_id()), path)
        for proof in ({"browser": people.members[Role.OWNER]}, {"token": token}):
            status = await status_of(people.app, route.method, path, body={}, **proof)
            assert status == 403, _name(route)


@in_one_loop
@pytest.mark.parametrize("route", SIGNED_IN_ROUTES, ids=_name)
async def test_a_signed_in_route_refuses_anonymous_requests(
    people: People, route: GuardedRoute
) -> None:
    app = people.app
    path = re.sub(r"{\w+}", str(ids.new_id()), route.path)
    assert await status_of(app, route.method, path, body={}) == 401
    someone = await sign_in(app, await make_user(app))
    assert await status_of(app, route.method, path, browser=someone, body={}) not in (401, 403)


@in_one_loop
@pytest.mark.parametrize("route", PUBLIC_ROUTES, ids=_name)
async def test_a_public_route_answers_anonymous_requests(
    people: People, route: GuardedRoute
) -> None:
    path = re.sub(r"{\w+}", "unknown", route.path)
    assert await status_of(people.app, route.method, path, body={}) not in (401, 403, 500)


async def denied_entries(app: FastAPI, project: Project) -> int:
    async with app.state.database.read() as session:
        statement = select(func.count()).where(
            AuditEntry.project_id == project.id, AuditEntry.outcome == "denied"
        )
        return await session.scalar(statement) or 0
