"""Many readers at once: other requests continue, no event is lost or doubled, and each read is
shared. `make torture` has a thousand readers.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from asgi_lifespan import LifespanManager
from fastapi import FastAPI

from edison.api.streams import limits
from edison.api.streams.event_log import EventPage
from edison.app.main import create_app
from edison.settings import Settings
from edison.workspace.live.service import ProjectLog
from edison.workspace.live.watch import AccessWatch
from tests.factories.accounts import make_person
from tests.slices.events.feed import Feed, make_feed
from tests.support.browser import Browser, error_of
from tests.support.listening import Listener, listening
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import rounds

TABS = rounds(40, thorough=300)
LISTENERS = rounds(60, thorough=1_000)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"streams_per_person": 2_000, "database_connections": 2})


@pytest.fixture
async def feed(app: FastAPI) -> Feed:
    return await make_feed(app, "")


@pytest.fixture
async def reader(app: FastAPI, feed: Feed) -> AsyncIterator[Browser]:
    async with Browser(app) as browser:
        browser.cookies = feed.cookies
        yield browser


def make_listeners(browser: Browser, feed: Feed, count: int) -> list[Listener]:
    path = f"/api/v1/projects/{feed.project_id}/events"
    return [Listener(browser, path) for _ in range(count)]


async def connected(*listeners: Listener) -> None:
    for listener in listeners:
        await listener.until(lambda each: each.is_connected)


def has_number(number: int) -> Any:
    return lambda listener: listener.numbers[-1:] == [number]


async def test_readers_reconnecting_together_lose_no_events_and_do_not_block(
    app: FastAPI, settings: Settings, feed: Feed, reader: Browser
) -> None:
    listeners = make_listeners(reader, feed, TABS)
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with listening(app, *listeners):
            await connected(*listeners)
            await feed.publish(3)
            for listener in listeners:
                await listener.until(has_number(3))
        await feed.publish(150)
        restarted = create_app(settings)
        async with LifespanManager(restarted), Browser(restarted) as browser:
            browser.cookies = feed.cookies
            async with listening(restarted, *listeners):
                await feed_of(restarted, feed).publish(2)
                page = await browser.get(f"/api/v1/projects/{feed.project_id}")
                was_open = sum(listener.is_connected for listener in listeners)
                for listener in listeners:
                    await listener.until(has_number(155))
    assert page.status_code == 200
    # It was served long before the last of them.
    assert was_open < TABS / 2
    assert {listener.status for listener in listeners} == {200}
    assert all(listener.numbers == list(range(1, 156)) for listener in listeners)
    assert restarted.state.database.engine.pool.waiting_room.refused_count == 0


def feed_of(app: FastAPI, feed: Feed) -> Feed:
    """The same project, written by another application."""
    return Feed(
        database=app.state.background_database,
        server_url="",
        project_id=feed.project_id,
        user=feed.user,
        cookies=feed.cookies,
    )


async def test_readers_share_reads_and_idle_streams_cost_none(
    app: FastAPI, feed: Feed, reader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    working = ProjectLog.read

    async def read(self: ProjectLog, after: int, upto: int) -> EventPage:
        reads.append(after)
        return await working(self, after, upto)

    monkeypatch.setattr(ProjectLog, "read", read)
    listeners = make_listeners(reader, feed, LISTENERS)
    async with asyncio.timeout(PATIENCE_SECONDS), listening(app, *listeners):
        await connected(*listeners)
        assert app.state.database.engine.pool.checkedout() == 0
        reads.clear()
        for number in range(1, 6):
            await feed.publish()
            for listener in listeners:
                await listener.until(has_number(number))
        # One for each wake-up, of which PostgreSQL sends a second, and one at the start.
        assert len(reads) <= 2 * 5 + 2
    assert all(listener.numbers == [1, 2, 3, 4, 5] for listener in listeners)


async def test_all_readers_are_checked_together_and_end_when_access_does(
    app: FastAPI, feed: Feed, reader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[int] = []
    working = AccessWatch._list_roles

    async def list_roles(self: AccessWatch, stays: Any) -> Any:
        checks.append(len(stays))
        return await working(self, stays)

    monkeypatch.setattr(AccessWatch, "_list_roles", list_roles)
    listeners = make_listeners(reader, feed, LISTENERS)
    async with asyncio.timeout(PATIENCE_SECONDS), listening(app, *listeners):
        await connected(*listeners)
        await feed.dismiss()
        await feed.publish()
        for listener in listeners:
            await listener.until(lambda each: each.has_ended)
    assert {(listener.closed, *listener.numbers) for listener in listeners} == {("forbidden",)}
    # One person with one session, however many streams.
    assert set(checks) == {1}


class TestLimitPerUser:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"streams_per_person": 3})

    async def test_more_are_refused_until_one_is_closed(
        self, app: FastAPI, feed: Feed, reader: Browser
    ) -> None:
        listeners = make_listeners(reader, feed, 3)
        async with asyncio.timeout(PATIENCE_SECONDS), listening(app, *listeners):
            await connected(*listeners)
            refused = await reader.get(f"/api/v1/projects/{feed.project_id}/events")
            assert refused.status_code == 429
            assert refused.headers["Retry-After"] == str(limits.RETRY_AFTER_SECONDS)
            assert "Limit of 3 open event streams" in error_of(refused)["message"]
            await listeners[0].close()
            listeners[0].open(app)
            await connected(listeners[0])
            # Others have their own.
            _, other = await make_person(app)
            async with other:
                path = f"/api/v1/projects/{feed.project_id}/events"
                assert (await other.get(path)).status_code == 404


async def test_a_reader_far_behind_catches_up_while_others_are_at_the_end(
    app: FastAPI, feed: Feed, reader: Browser
) -> None:
    await feed.publish(350)
    late, current = make_listeners(reader, feed, 2)
    late.last_id = 0
    async with asyncio.timeout(PATIENCE_SECONDS), listening(app, current, late):
        await connected(current, late)
        last = await feed.publish(120)
        await late.until(has_number(last))
        await current.until(has_number(last))
    assert late.numbers == list(range(1, last + 1))
    assert all(after == before + 1 for before, after in pairwise(current.numbers))
