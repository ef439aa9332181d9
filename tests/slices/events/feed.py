"""A project whose events a signed-in member reads from a real server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
from fastapi import FastAPI
from sqlalchemy import delete

from edison.db.session import Database
from edison.kit import clock, ids
from edison.workspace.accounts.models import User
from edison.workspace.events import service as events
from edison.workspace.projects.models import Project, ProjectMember
from tests.factories.accounts import make_person
from tests.support.event_reader import EventReader, reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    database: Database
    server_url: str
    project_id: UUID
    user: User
    cookies: httpx.Cookies

    @property
    def stream(self) -> str:
        return events.project_stream(self.project_id)

    @property
    def url(self) -> str:
        return f"{self.server_url}/api/v1/projects/{self.project_id}/events"

    @asynccontextmanager
    async def reading(
        self, *, last_event_id: int | str | None = None, query: str = ""
    ) -> AsyncIterator[EventReader]:
        async with reading(
            self.url + query, cookies=self.cookies, last_event_id=last_event_id
        ) as reader:
            yield reader

    async def publish(self, count: int = 1, **data: Any) -> int:
        """Publish in one transaction; returns the last number."""
        async with self.database.write() as session:
            for _ in range(count):
                number = await events.publish(
                    session, stream=self.stream, kind="thing.changed", data=data
                )
        return number

    async def dismiss(self) -> None:
        """Removes the reader's membership."""
        async with self.database.write() as session:
            await session.execute(
                delete(ProjectMember).where(ProjectMember.user_id == self.user.id)
            )
            events.access_changed(session)


async def make_feed(app: FastAPI, server_url: str) -> Feed:
    user, browser = await make_person(app)
    database: Database = app.state.database
    project = Project(id=ids.new_id(), slug=f"p-{ids.new_id().hex}", name="Project")
    async with database.write() as session:
        session.add(project)
        await session.flush()
        session.add(
            ProjectMember(
                project_id=project.id, user_id=user.id, role="VIEWER", joined_at=clock.now()
            )
        )
    return Feed(
        database=database,
        server_url=server_url,
        project_id=project.id,
        user=user,
        cookies=browser.cookies,
    )
