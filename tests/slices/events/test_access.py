"""Every loss of access ends the streams at once, by a signal and not by the next check."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts import passwords
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.live import watch
from edison.workspace.projects.models import Project, ProjectMember, Role
from tests.factories.accounts import make_user, sign_in
from tests.factories.projects import make_project
from tests.support.browser import Browser
from tests.support.listening import Listener, listening

PASSWORD = "Analytical-Engine-1843!"


@pytest.fixture(autouse=True)
def only_by_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "CHECK_EVERY_SECONDS", 3600.0)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A member with two sessions, one of which reads, and the owner of the project."""

    app: FastAPI
    project: Project
    owner: Browser
    user: User
    reading: Browser
    other: Browser

    async def member_id(self) -> str:
        async with self.app.state.database.read() as session:
            found = await session.scalar(
                select(ProjectMember.id).where(ProjectMember.user_id == self.user.id)
            )
        return str(found)

    async def reading_session_id(self) -> str:
        async with self.app.state.database.read() as session:
            found = await session.scalars(
                select(UserSession.id)
                .where(UserSession.user_id == self.user.id)
                .order_by(UserSession.id)
            )
        return str(found.first())


@pytest.fixture
async def scene(app: FastAPI) -> AsyncIterator[Scene]:
    owner, user = await make_user(app), await make_user(app)
    project = await make_project(app, owner=owner)
    async with app.state.database.write() as session:
        stored = await session.get_one(User, user.id)
        stored.password_hash = await passwords.hash_password(PASSWORD)
        session.add(
            ProjectMember(
                project_id=project.id,
                user_id=user.id,
                role=Role.EDITOR,
                joined_at=project.created_at,
            )
        )
    browsers = [await sign_in(app, each) for each in (owner, user, user)]
    yield Scene(
        app=app,
        project=project,
        owner=browsers[0],
        user=user,
        reading=browsers[1],
        other=browsers[2],
    )
    for browser in browsers:
        await browser.aclose()


async def remove_member(scene: Scene) -> Any:
    url = f"/api/v1/projects/{scene.project.slug}/members/{await scene.member_id()}"
    return await scene.owner.delete(url)


async def leave(scene: Scene) -> Any:
    url = f"/api/v1/projects/{scene.project.slug}/members/{await scene.member_id()}"
    return await scene.other.delete(url)


async def delete_project(scene: Scene) -> Any:
    return await scene.owner.delete(f"/api/v1/projects/{scene.project.slug}")


async def sign_out(scene: Scene) -> Any:
    return await scene.reading.post("/api/v1/auth/logout")


async def end_session(scene: Scene) -> Any:
    return await scene.other.delete(f"/api/v1/auth/sessions/{await scene.reading_session_id()}")


async def end_other_sessions(scene: Scene) -> Any:
    return await scene.other.delete("/api/v1/auth/sessions")


async def change_password(scene: Scene) -> Any:
    body = {"current_password": PASSWORD, "new_password": "Difference-Engine-1822!"}
    return await scene.other.put("/api/v1/auth/password", json=body)


WAYS = [
    remove_member,
    leave,
    delete_project,
    sign_out,
    end_session,
    end_other_sessions,
    change_password,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_the_stream_of_a_reader_who_loses_access_ends(
    scene: Scene, way: Callable[[Scene], Awaitable[Any]]
) -> None:
    path = f"/api/v1/projects/{scene.project.slug}/events"
    lost, kept = Listener(scene.reading, path), Listener(scene.owner, path)
    async with asyncio.timeout(60), listening(scene.app, lost, kept):
        for listener in (lost, kept):
            await listener.until(lambda each: each.is_connected)
        response = await way(scene)
        assert response.is_success, response.text
        await lost.until(lambda each: each.has_ended)
        assert lost.closed == "forbidden"
        if way is not delete_project:
            assert not kept.has_ended


async def test_the_stream_of_a_revoked_token_ends(scene: Scene) -> None:
    body = {"name": "script", "scope": "read"}
    made = (await scene.other.post("/api/v1/auth/tokens", json=body)).json()
    async with Browser(scene.app) as script:
        script.headers["Authorization"] = f"Bearer {made['token']}"
        listener = Listener(script, f"/api/v1/projects/{scene.project.slug}/events")
        async with asyncio.timeout(60), listening(scene.app, listener):
            await listener.until(lambda each: each.is_connected)
            listed = (await scene.other.get("/api/v1/auth/tokens")).json()["items"]
            await scene.other.delete(f"/api/v1/auth/tokens/{listed[0]['id']}")
            await listener.until(lambda each: each.has_ended)
    assert listener.closed == "forbidden"
