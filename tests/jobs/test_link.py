"""The connection between the server and its engine: two databases with a socket pair between."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from edison.db.engine import open_engine
from edison.db.session import Database
from edison.db.wakeups import Topic, topic_changed
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Depth, Job, Overview, Priority
from edison.jobs.link import Link
from edison.jobs.linked import LinkedQueue, queue_handlers
from edison.kit import ids

TOPIC = Topic("project:1")


class Pair:
    """Both ends, each with its own `Database` on the same file."""

    def __init__(self, server: Database, engine: Database, handlers: Mapping[str, Any]) -> None:
        self.server_database, self.engine_database = server, engine
        self.server = Link(server, {})
        self.engine = Link(engine, handlers)
        self._ends = socket.socketpair()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        for link, end in zip((self.server, self.engine), self._ends, strict=True):
            end.setblocking(False)
            self._tasks.append(asyncio.create_task(link.run(end)))
            await link.wait_until_open()

    async def close_engine(self) -> None:
        self._tasks[1].cancel()
        await asyncio.wait(self._tasks)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)


async def ping(_content: None) -> str:
    return "here"


async def fail(_content: None) -> None:
    raise ValueError


async def be_silent(_content: None) -> None:
    await asyncio.sleep(3600)


@pytest.fixture
async def pair(database: Database, tmp_path: Path) -> AsyncIterator[Pair]:
    other = Database(open_engine(f"sqlite+aiosqlite:///{tmp_path}/jobs.db"))
    pair = Pair(database, other, {"ping": ping, "fail": fail, "be silent": be_silent})
    await pair.open()
    yield pair
    await pair.close()
    await other.close()


async def test_a_commit_wakes_readers_of_the_other_process(pair: Pair) -> None:
    for writer, reader in (
        (pair.server_database, pair.engine_database),
        (pair.engine_database, pair.server_database),
    ):
        with reader.wakeups.subscribe(TOPIC) as subscription:
            async with writer.write() as session:
                topic_changed(session, TOPIC)
            assert await subscription.wait(30)


async def test_a_transaction_that_is_rolled_back_wakes_no_reader(pair: Pair) -> None:
    with pair.server_database.wakeups.subscribe(TOPIC) as subscription:
        async with pair.engine_database.rehearse() as session:
            topic_changed(session, TOPIC)
        # Anything sent before has arrived by the time of the answer.
        assert await pair.server.ask("ping") == "here"
        assert not subscription.is_woken


async def test_broadcasts_reach_both_processes_once(pair: Pair) -> None:
    received: list[tuple[str, str]] = []
    for name, database in (("server", pair.server_database), ("engine", pair.engine_database)):
        database.broadcasts.subscribe("news", lambda text, name=name: received.append((name, text)))
    await pair.engine_database.broadcasts.send("news", ["first", "second"])
    await pair.server.ask("ping")
    assert received == [
        ("engine", "first"),
        ("engine", "second"),
        ("server", "first"),
        ("server", "second"),
    ]


async def test_a_request_that_fails_is_answered_with_nothing(pair: Pair) -> None:
    assert await pair.server.ask("fail") is None
    assert await pair.server.ask("ping") == "here"


async def test_an_answer_that_does_not_come_is_a_timeout(pair: Pair) -> None:
    with pytest.raises(TimeoutError):
        await pair.server.ask("be silent", timeout_seconds=0.01)


async def test_without_the_other_process_nothing_is_asked_and_nothing_fails(pair: Pair) -> None:
    waiting = asyncio.create_task(pair.server.ask("be silent"))
    await pair.server.ask("ping")
    await pair.close_engine()
    assert await waiting is None
    assert await pair.server.ask("ping") is None
    async with pair.server_database.write() as session:
        topic_changed(session, TOPIC)
    assert pair.server_database.wakeups.forward is None


async def test_jobs_of_the_server_run_in_the_engine(database: Database, tmp_path: Path) -> None:
    begun = asyncio.Queue[Mapping[str, Any]]()

    async def work(payload: Mapping[str, Any]) -> None:
        await begun.put(payload)
        await asyncio.sleep(3600)

    other = Database(open_engine(f"sqlite+aiosqlite:///{tmp_path}/jobs.db"))
    queue = EmbeddedQueue(other, {"work": work})
    pair = Pair(database, other, queue_handlers(queue))
    linked = LinkedQueue(pair.server)
    assert await linked.overview() == Overview(depths=[], oldest_waiting_seconds=None)
    await pair.open()
    job = Job(
        task="work",
        key="one",
        payload={"id": "7"},
        priority=Priority.INTERACTIVE,
        project_id=ids.new_id(),
    )
    await linked.put([job])
    assert await begun.get() == {"id": "7"}
    assert (await linked.overview()).depths == [
        Depth(task="work", priority=10, waiting=0, running=1)
    ]
    await pair.close()
    await queue.close()
    await other.close()
