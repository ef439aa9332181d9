"""The stream of a project's events, read from a real server."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, insert, update
from sqlalchemy.exc import OperationalError

from edison.api.streams import limits
from edison.api.streams.event_log import EventPage
from edison.api.streams.limits import Timing
from edison.kit import clock
from edison.workspace.accounts.models import UserSession
from edison.workspace.events.models import Event, EventStream
from edison.workspace.live.service import ProjectLog
from tests.slices.events.feed import Feed, make_feed
from tests.support.browser import error_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import serving


@pytest.fixture
async def feed(app: FastAPI) -> AsyncIterator[Feed]:
    async with serving(app) as url:
        yield await make_feed(app, url)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    timing = Timing(heartbeat_seconds=0.3, recheck_seconds=0.2, send_timeout_seconds=0.5)
    monkeypatch.setattr(limits, "DEFAULT_TIMING", timing)


async def all_readers_left(feed: Feed) -> None:
    async with asyncio.timeout(5):
        while feed.database.wakeups._readers:  # noqa: ASYNC110 - nothing tells when it is empty
            await asyncio.sleep(0.01)


async def test_a_new_reader_starts_at_the_end_and_receives_new_events(feed: Feed) -> None:
    await feed.publish(3)
    async with feed.reading() as reader:
        headers = reader.response.headers
        assert headers["content-type"].startswith("text/event-stream")
        assert headers["cache-control"] == "no-store"
        assert headers["x-accel-buffering"] == "no"
        first = await reader.next_block()
        assert first is not None
        assert (first.id, first.comment) == ("3", "connected")
        assert 2000 <= int(first.retry or 0) <= 5000
        await feed.publish(entity_id="x")
        event = await reader.next_event()
        assert event is not None
        assert (event.id, event.kind, event.data) == ("4", "thing.changed", {"entity_id": "x"})
    await all_readers_left(feed)


async def test_a_page_misses_nothing_between_reading_its_project_and_opening_the_stream(
    feed: Feed,
) -> None:
    await feed.publish(3)
    async with httpx.AsyncClient(cookies=dict(feed.cookies)) as client:
        answer = await client.get(feed.url.removesuffix("/events"))
    project = answer.json()
    assert project["latest_event"] == 3
    await feed.publish(entity_id="in between")
    async with feed.reading(query=f"?after={project['latest_event']}") as reader:
        event = await reader.next_event()
        assert event is not None
        assert event.data == {"entity_id": "in between"}


@pytest.mark.parametrize("query", ["", "?after=1"])
async def test_a_reader_resumes_at_its_last_event(feed: Feed, query: str) -> None:
    await feed.publish(3)
    async with feed.reading(last_event_id=None if query else 1, query=query) as reader:
        received = [await reader.next_event(), await reader.next_event()]
    assert [event and event.id for event in received] == ["2", "3"]


@pytest.mark.parametrize("seed", range(3))
async def test_nothing_is_missed_or_doubled_over_many_reconnects(feed: Feed, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's dice
    total = 120

    async def publish_all() -> None:
        left = total
        while left:
            count = min(left, chance.randint(1, 5))
            await feed.publish(count)
            left -= count
            await asyncio.sleep(chance.uniform(0, 0.01))

    seen = [0]
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(publish_all())
        while len(seen) <= total:
            async with feed.reading(last_event_id=seen[-1]) as reader:
                for _ in range(min(chance.randint(1, 40), total + 1 - len(seen))):
                    event = await reader.next_event()
                    assert event is not None
                    seen.append(event.number)
    assert seen == list(range(total + 1))
    await all_readers_left(feed)


@pytest.mark.parametrize("number", [3, 99])
async def test_a_deleted_position_resets_the_reader(feed: Feed, number: int) -> None:
    await feed.publish(5)
    async with feed.database.write() as session:
        await session.execute(delete(Event).where(Event.number <= 4))
    async with feed.reading(last_event_id=number) as reader:
        reset = await reader.next_event()
        assert reset is not None
        assert (reset.kind, reset.id) == ("reset", "5")
        await feed.publish()
        event = await reader.next_event()
        assert event is not None
        assert event.id == "6"


@pytest.mark.parametrize("bad", ["x", "-1", "1.5", "9" * 19, "9" * 5000, "\u0663"])
async def test_an_invalid_position_is_refused_by_name(feed: Feed, bad: str) -> None:
    async with httpx.AsyncClient(cookies=dict(feed.cookies), timeout=PATIENCE_SECONDS) as client:
        response = await client.get(feed.url, headers={b"Last-Event-ID": bad.encode()})
        assert response.status_code == 400
        assert error_of(response)["path"] == "Last-Event-ID"
        response = await client.get(feed.url, params={"after": bad})
        assert response.status_code == 400
        assert error_of(response)["path"] == "after"


async def test_anonymous_and_removed_readers_are_refused(feed: Feed) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client:
        assert (await client.get(feed.url)).status_code == 401
    await feed.dismiss()
    async with httpx.AsyncClient(cookies=dict(feed.cookies), timeout=PATIENCE_SECONDS) as client:
        assert (await client.get(feed.url)).status_code == 404


@pytest.mark.usefixtures("hurried")
async def test_a_quiet_stream_has_a_heartbeat(feed: Feed) -> None:
    async with feed.reading() as reader:
        await reader.next_block()
        for _ in range(2):
            block = await asyncio.wait_for(reader.next_block(), PATIENCE_SECONDS)
            assert block is not None
            assert block.comment == "heartbeat"


@pytest.mark.usefixtures("hurried")
async def test_losing_membership_closes_the_stream(feed: Feed) -> None:
    async with feed.reading() as reader:
        await feed.publish()
        assert await reader.next_event() is not None
        await feed.dismiss()
        closed = await asyncio.wait_for(reader.next_event(), PATIENCE_SECONDS)
        assert closed is not None
        assert (closed.kind, closed.data) == ("closed", {"reason": "forbidden"})
        assert await reader.next_block() is None
    await all_readers_left(feed)


@pytest.mark.usefixtures("hurried")
async def test_events_after_the_loss_of_membership_are_not_sent(feed: Feed) -> None:
    async with feed.reading() as reader:
        await reader.next_block()
        await feed.dismiss()
        await feed.publish()
        event = await asyncio.wait_for(reader.next_event(), PATIENCE_SECONDS)
        assert event is not None
        assert event.kind == "closed"


@pytest.mark.usefixtures("hurried")
async def test_the_end_of_the_session_closes_the_stream(feed: Feed) -> None:
    async with feed.reading() as reader:
        await reader.next_block()
        async with feed.database.write() as session:
            await session.execute(update(UserSession).values(expires_at=clock.now()))
        closed = await asyncio.wait_for(reader.next_event(), PATIENCE_SECONDS)
        assert closed is not None
        assert closed.data == {"reason": "forbidden"}


@pytest.mark.usefixtures("hurried")
async def test_a_stream_outlives_a_database_outage(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = ProjectLog.read
    failures = iter(range(2))

    async def read(self: ProjectLog, after: int, upto: int) -> EventPage:
        if next(failures, None) is not None:
            raise OperationalError("SELECT", {}, Exception("gone"))
        return await working(self, after, upto)

    monkeypatch.setattr(ProjectLog, "read", read)
    async with feed.reading() as reader:
        await reader.next_block()
        await feed.publish()
        event = await asyncio.wait_for(reader.next_event(), PATIENCE_SECONDS)
        assert event is not None
        assert event.kind == "thing.changed"


@pytest.mark.parametrize("start", [None, 0])
async def test_an_unforeseen_failure_closes_the_stream(
    feed: Feed, monkeypatch: pytest.MonkeyPatch, start: int | None
) -> None:
    async def read(_self: ProjectLog, _after: int, _upto: int) -> EventPage:
        raise LookupError("a bug")

    monkeypatch.setattr(ProjectLog, "read", read)
    await feed.publish()
    async with feed.reading(last_event_id=start) as reader:
        closed = await reader.next_event()
        assert closed is not None
        assert closed.data == {"reason": "error"}


@pytest.mark.usefixtures("hurried")
async def test_a_reader_that_does_not_read_is_dropped_and_holds_no_memory(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = 10_000
    rows = [
        {
            "stream": feed.stream,
            "number": number,
            "kind": "thing.changed",
            "data": {"padding": "x" * 2000},
            "created_at": clock.now(),
        }
        for number in range(1, total + 1)
    ]
    async with feed.database.write() as session:
        await session.execute(insert(EventStream).values(key=feed.stream, last_number=total))
        await session.execute(insert(Event), rows)
    fetched = 0
    working = ProjectLog.read

    async def read(self: ProjectLog, after: int, upto: int) -> EventPage:
        nonlocal fetched
        page = await working(self, after, upto)
        fetched += len(page.events)
        return page

    monkeypatch.setattr(ProjectLog, "read", read)
    host, port = feed.server_url.removeprefix("http://").split(":")
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(lazy, (host, int(port)))
        cookies = "; ".join(f"{name}={value}" for name, value in feed.cookies.items())
        path = feed.url.removeprefix(feed.server_url)
        request = f"GET {path}?after=0 HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n\r\n"
        await loop.sock_sendall(lazy, request.encode())
        async with asyncio.timeout(10):
            while not fetched:  # noqa: ASYNC110 - nothing tells when it has begun
                await asyncio.sleep(0.01)
        await all_readers_left(feed)
    # Only what the operating system's buffers took: pages wait in the database.
    assert 0 < fetched < total / 2
