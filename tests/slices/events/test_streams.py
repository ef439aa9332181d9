"""The stream itself, without a server: stored and new events, transient events, slow clients."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from edison.api.streams import limits
from edison.api.streams.limits import StreamLimits, Timing
from edison.api.streams.response import Piece, stream_answer
from edison.api.streams.stream import Streams
from edison.kit import ids, lazy_dataclasses
from edison.workspace.live.service import ProjectLog
from tests.slices.events.feed import Feed, make_feed
from tests.support.patience import PATIENCE_SECONDS

WRITERS = 3
READERS = 12
TOTAL = 90


@dataclass
class Person:
    """A reader whose access is confirmed, unless a check fails."""

    failing_checks: int = 0
    user_id: UUID = field(default_factory=ids.new_id)

    @contextmanager
    def watch(self, lost: Callable[[], None]) -> Iterator[None]:
        yield

    async def confirm_access(self) -> None:
        if self.failing_checks:
            self.failing_checks -= 1
            raise TimeoutError


@lazy_dataclasses.dataclass(frozen=True, slots=True)
class ChattyLog(ProjectLog):
    """Has one transient event for each reader."""

    def has_transient(self) -> bool:
        return True

    def open_transient(self) -> Callable[[], bytes]:
        texts = [b"event: text\n\n"]
        return lambda: texts.pop() if texts else b""


@pytest.fixture
async def feed(app: FastAPI) -> Feed:
    return await make_feed(app, "")


@pytest.fixture
def streams(app: FastAPI) -> Streams:
    return Streams(app.state.database.wakeups, StreamLimits(per_person=READERS))


@pytest.mark.parametrize("seed", range(3))
async def test_readers_at_any_cursor_get_every_event_once(
    feed: Feed, streams: Streams, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's dice
    published = 0

    async def write() -> None:
        nonlocal published
        for _ in range(TOTAL // WRITERS):
            published = max(published, await feed.publish())
            await asyncio.sleep(chance.uniform(0, 0.005))

    async def read() -> None:
        await asyncio.sleep(chance.uniform(0, 0.3))
        after = chance.randint(0, published)
        project_log = ProjectLog(feed.database, feed.project_id)
        async with streams.open(project_log, Person(), after=after) as stream:
            seen = [stream.cursor]
            while seen[-1] < TOTAL:
                seen += map(int, re.findall(rb"^id: (\d+)", await anext(stream), re.MULTILINE))
                # A reader that falls behind reads from the database again.
                await asyncio.sleep(chance.uniform(0, 0.05))
        assert seen == list(range(after, TOTAL + 1))

    async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as tasks:
        for _ in range(WRITERS):
            tasks.create_task(write())
        for _ in range(READERS):
            tasks.create_task(read())
    await streams.close()


async def test_a_failed_access_check_delays_transient_events(
    feed: Feed, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEFAULT_TIMING", Timing(recheck_seconds=0.01))
    chatty_log = ChattyLog(feed.database, feed.project_id)
    async with streams.open(chatty_log, Person(failing_checks=2), after=None) as stream:
        assert await asyncio.wait_for(anext(stream), PATIENCE_SECONDS) == b"event: text\n\n"
    await streams.close()


async def test_an_answer_that_the_client_does_not_take_is_cancelled_and_dropped(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DEFAULT_TIMING", Timing(send_timeout_seconds=0.01))
    was_cancelled = asyncio.Event()
    sent: list[dict[str, Any]] = []

    async def answer() -> AsyncGenerator[Piece]:
        try:
            while True:
                yield "delta", {"text": "Paris"}
        finally:
            was_cancelled.set()

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async with asyncio.timeout(PATIENCE_SECONDS):
        await stream_answer(streams, answer(), Person())({"type": "http"}, receive, send)
    assert was_cancelled.is_set()
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    # The body is unfinished, so the server drops the connection.
    assert sent[-1]["more_body"] is True
