"""A process killed between sending a message and recording it: it arrives again, with its id."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from edison.db import migrate
from edison.settings import Settings
from edison.workspace.accounts.cookies import CSRF_COOKIE, CSRF_HEADER
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import RunningServer, running_server

LEASE = {"edison.workspace.deliveries.dispatch:LEASE_SECONDS": 2.0}


class Deadly:
    """A receiver that kills the sender of the first message before it answers."""

    def __init__(self) -> None:
        self.url = ""
        self.ids: list[str] = []
        self.sender: RunningServer | None = None
        self.arrived = asyncio.Event()

    async def handle(self, request: web.Request) -> web.Response:
        self.ids.append(request.headers["webhook-id"])
        if self.sender is not None:
            self.sender.process.kill()
            self.sender = None
        else:
            self.arrived.set()
        return web.Response()


@pytest.fixture
async def deadly() -> AsyncIterator[Deadly]:
    deadly = Deadly()
    application = web.Application()
    application.router.add_post("/", deadly.handle)
    server = TestServer(application)
    await server.start_server(shutdown_timeout=0)
    deadly.url = str(server.make_url("/"))
    yield deadly
    await server.close()


async def send_test_message(server: RunningServer, url: str) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_SECONDS) as client:
        account = {"email": "ada@example.org", "password": "Analytical-engine-1843!"}
        await client.post("/api/v1/auth/register", json=account)
        client.headers[CSRF_HEADER] = client.cookies[CSRF_COOKIE]
        project = (await client.post("/api/v1/projects", json={"name": "Mine"})).json()
        place = f"/api/v1/projects/{project['slug']}/destinations"
        body = {"channel": "webhook", "name": "Hook", "address": url, "kinds": ["review_waiting"]}
        destination = (await client.post(place, json=body)).json()["destination"]
        with pytest.raises(httpx.TransportError):
            await client.post(f"{place}/{destination['id']}/test")


async def test_a_message_arrives_again_with_the_same_id(tmp_path: Path, deadly: Deadly) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    await migrate.upgrade(f"sqlite+aiosqlite:///{folder}/edison.db", backup_dir=tmp_path)
    settings = Settings(data_dir=folder, allow_private_addresses=True, sweep_seconds=0.2)
    with running_server(settings, overrides=LEASE) as server:
        deadly.sender = server
        await send_test_message(server, deadly.url)
    with running_server(settings, overrides=LEASE):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await deadly.arrived.wait()
    assert len(deadly.ids) >= 2
    assert len(set(deadly.ids)) == 1
