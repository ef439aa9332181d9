"""Streams of real server processes: woken across processes, and ended when one is stopped."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from asgi_lifespan import LifespanManager

from edison.app.main import create_app
from edison.db import migrate
from edison.settings import Settings
from tests.slices.events.feed import Feed, make_feed
from tests.support.empty_databases import MakeDatabase
from tests.support.server import RunningServer, running_server


@pytest.fixture
def shared_settings(make_database: MakeDatabase, signing_key: str, tmp_path: Path) -> Settings:
    url = make_database("postgresql")
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    return Settings(data_dir=tmp_path / "data", database_url=url, jwt_private_key=signing_key)


@pytest.fixture
def server(shared_settings: Settings) -> Iterator[RunningServer]:
    with running_server(shared_settings) as server:
        yield server


@pytest.fixture
async def feed(server: RunningServer, shared_settings: Settings) -> AsyncIterator[Feed]:
    """Written by this process, read from the other."""
    app = create_app(shared_settings)
    async with LifespanManager(app):
        yield await make_feed(app, server.url)


async def test_a_commit_in_one_process_wakes_streams_of_another(feed: Feed) -> None:
    async with feed.reading() as reader:
        await reader.next_block()
        delays = []
        for _ in range(5):
            started = time.monotonic()
            number = await feed.publish()
            event = await reader.next_event()
            assert event is not None
            assert event.number == number
            delays.append(time.monotonic() - started)
        # Without a wake-up each would come with the next heartbeat, after 15 s.
        assert min(delays) < 10


async def test_stopping_a_server_ends_its_streams(feed: Feed, server: RunningServer) -> None:
    async with feed.reading() as reader:
        await reader.next_block()
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        closed = await reader.next_event()
        assert closed is not None
        assert (closed.kind, closed.data) == ("closed", {"reason": "shutdown"})
        await stopping
    assert "Traceback" not in server.log.read_text()
