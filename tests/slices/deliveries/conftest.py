"""A local receiver of webhooks, and a project with a destination that points to it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from fastapi import FastAPI

from edison.kit import ids
from edison.loops.experiments.notifications import REVIEW_WAITING
from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries.transport import Transport
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind
from edison.workspace.projects.models import Project
from tests.factories.projects import make_project
from tests.support.browser import Browser

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, kw_only=True)
class Received:
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Answers 200 unless a test says otherwise. `answer` is a status or a handler."""

    def __init__(self) -> None:
        self.url = ""
        self.received: list[Received] = []
        self.answer: int | Answer = 200
        self.arrived = asyncio.Event()
        # Set at the end, so that handlers that never answer end, too.
        self.is_over = asyncio.Event()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.received.append(Received(headers=headers, body=await request.read()))
        self.arrived.set()
        if isinstance(self.answer, int):
            location = {"Location": "/elsewhere"} if 300 <= self.answer < 400 else {}
            return web.Response(status=self.answer, text="the answer", headers=location)
        return await self.answer(request)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", receiver.handle)
    server = TestServer(application)
    await server.start_server(shutdown_timeout=0)
    receiver.url = str(server.make_url("/hooks/PLANTED-path"))
    yield receiver
    receiver.is_over.set()
    await server.close()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "allow_private_addresses": True,
            "public_url": "https://edison.example.org",
            "allowed_hosts": ("edison.localhost",),
        }
    )


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """No job runs by itself: the test calls `Desk.deliver`."""
    monkeypatch.setattr("edison.jobs.job.request", lambda session, job: None)
    monkeypatch.setattr("edison.app.tasks.all_sweepers", lambda _: ())


class Desk:
    """Ada's project, and shortcuts to its destinations."""

    def __init__(self, app: FastAPI, ada: Browser, project: Project) -> None:
        self.app = app
        self.ada = ada
        self.project = project
        self.url = f"/api/v1/projects/{project.slug}/destinations"

    @property
    def transport(self) -> Transport:
        return Transport.of(self.app.state.vault, self.app.state.settings)

    async def add(self, address: str, **body: Any) -> dict[str, Any]:
        wanted = {
            "channel": "webhook",
            "name": f"Hook {ids.new_id().hex[-6:]}",
            "address": address,
            "kinds": ["review_waiting"],
        }
        response = await self.ada.post(self.url, json=wanted | body)
        assert response.status_code == 201, response.text
        saved: dict[str, Any] = response.json()
        return saved

    async def notify(
        self, kind: NotificationKind = REVIEW_WAITING, *, content: str | None = None
    ) -> None:
        news = News(
            project_id=self.project.id,
            kind=kind,
            entity=("experiment", ids.new_id()),
            title="A review waits",
            body="Approve, edit or reject.",
            content=content,
        )
        async with self.app.state.database.write() as session:
            await notifications.notify_members(session, news)

    async def deliver(self, destination_id: str | None) -> None:
        receiver = None if destination_id is None else UUID(destination_id)
        await dispatch.deliver_due(self.app.state.database, self.transport, destination_id=receiver)

    async def log(self, destination_id: str) -> list[dict[str, Any]]:
        response = await self.ada.get(f"{self.url}/{destination_id}/deliveries")
        assert response.status_code == 200, response.text
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    async def read(self, destination_id: str) -> dict[str, Any]:
        items = (await self.ada.get(self.url)).json()["items"]
        found: dict[str, Any] = next(each for each in items if each["id"] == destination_id)
        return found


@pytest.fixture
async def desk(app: FastAPI, person: tuple[User, Browser]) -> Desk:
    user, browser = person
    return Desk(app, browser, await make_project(app, user))
