"""No request holds one database connection while it waits for another.

Every route is called in an application with a single connection for all requests, and route
signatures are checked for dependencies that open a second one. The fuzzed server (`test_fuzz.py`)
has a single connection, too.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from uuid import UUID

import pytest
import pytest_asyncio
from asgi_lifespan import LifespanManager
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from sqlalchemy import update

from edison.api.policy import GuardedRoute, guarded_routes
from edison.api.session import open_session
from edison.app.main import create_app
from edison.kit import clock, ids
from edison.workspace.accounts.models import AccessToken, UserSession
from edison.workspace.projects import service as projects
from tests.app.children import CHILDREN
from tests.conftest import open_settings
from tests.factories.accounts import make_user, sign_in
from tests.support.application import APPLICATION
from tests.support.asgi import status_of
from tests.support.browser import Browser
from tests.support.databases import Databases

in_one_loop = pytest.mark.asyncio(loop_scope="module")
ROUTES = guarded_routes(APPLICATION)
# Dependencies that open connections of their own.
WITH_CONNECTIONS = {"_get_database", "_background_database", "_get_gateway", "get_queue"} | {
    "_live",
    "_begin_signing_in",
    "_get_verifier",
}


def calls_of(dependant: Dependant) -> Iterator[object]:
    for child in dependant.dependencies:
        yield child.call
        yield from calls_of(child)


def test_a_route_holds_a_transaction_or_opens_its_own_and_never_both() -> None:
    found = []
    for route in APPLICATION.routes:
        if isinstance(route, APIRoute):
            calls = set(calls_of(route.dependant))
            names = {getattr(call, "__name__", "") for call in calls}
            if open_session in calls and names & WITH_CONNECTIONS:
                found.append(route.name)
    assert found == []


def test_the_dependencies_that_open_connections_are_known() -> None:
    """A new dependency must be added to a list here or above, after checking that it opens no
    connections.
    """
    without = {
        "open_session",
        "begin_visit",
        "identify",
        "get_transport",
        "get_vault",
        "get_provider",
        "get_batch_writer",
        "read",
        "read_page_request",
        "read_site_url",
        "read_start",
        "_annotator",
        "_voter",
        "_chosen",
        "_get_settings",
        "_live_texts",
        "_of_editor",
        "_pair",
        "_place",
        "_seen",
        "",
    }
    names = {
        getattr(call, "__name__", "")
        for route in APPLICATION.routes
        if isinstance(route, APIRoute)
        for call in calls_of(route.dependant)
    }
    assert names - WITH_CONNECTIONS - without == set()


@dataclass(frozen=True, kw_only=True)
class Owner:
    app: FastAPI
    user_id: UUID
    browser: Browser

    async def forget_sighting(self) -> None:
        """Clears the last-seen time, so that the next request writes even though it only reads."""
        long_ago = clock.now().replace(year=2020)
        async with self.app.state.database.write() as session:
            await session.execute(update(UserSession).values(last_seen_at=long_ago))
            await session.execute(update(AccessToken).values(last_used_at=long_ago))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def owner(
    databases: Databases, signing_key: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Owner]:
    directory = tmp_path_factory.mktemp("connections")
    url = databases.fresh_url(directory)
    settings = open_settings(directory, database_url=url, signing_key=signing_key)
    # One connection for requests, one for background work.
    app = create_app(settings.model_copy(update={"database_connections": 2}))
    async with LifespanManager(app):
        user = await make_user(app)
        yield Owner(app=app, user_id=user.id, browser=await sign_in(app, user))
    await asyncio.to_thread(databases.clean, url)


@in_one_loop
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
async def test_every_route_needs_one_connection_at_a_time(
    owner: Owner, route: GuardedRoute
) -> None:
    app = owner.app
    async with app.state.database.write() as session:
        project = await projects.create_project(session, owner_id=owner.user_id, name="One")
        path = route.path.replace("{project}", project.slug)
        for name in re.findall(r"{(\w+)}", path):
            child = await CHILDREN[name](session, project.id) if name in CHILDREN else ids.new_id()
            path = path.replace(f"{{{name}}}", str(child))
    await owner.forget_sighting()
    if route.name in {"logout", "end_session", "end_other_sessions"}:
        browser = await sign_in(app, await make_user(app))
    else:
        browser = owner.browser
    async with asyncio.timeout(60):
        assert await status_of(app, route.method, path, browser=browser, body={}) != 503
    assert app.state.database.engine.pool.waiting_room.refused_count == 0
