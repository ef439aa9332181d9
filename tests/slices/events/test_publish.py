"""Publishing: numbers without gaps, visible in order, also with concurrent publishers."""

import asyncio
import random
from contextlib import suppress
from datetime import timedelta

from fastapi import FastAPI

from edison.api.streams.event_log import CursorRange
from edison.db.session import Database
from edison.db.wakeups import Topic
from edison.kit import clock
from edison.workspace.events import service as events

STREAM = Topic("s")
PUBLISHERS = 6
EACH = 8


async def publish(database: Database, stream: Topic = STREAM, **data: int) -> int:
    async with database.write() as session:
        return await events.publish(session, stream=stream, kind="thing.changed", data=data)


async def read(database: Database, after: int, stream: Topic = STREAM) -> list[int]:
    async with database.read() as session:
        return [event.number for event in await events.read_after(session, stream, after)]


async def test_each_stream_has_its_own_numbering(app: FastAPI) -> None:
    database: Database = app.state.database
    assert [await publish(database), await publish(database)] == [1, 2]
    assert await publish(database, Topic("other")) == 1


async def test_a_rolled_back_number_is_given_out_again(app: FastAPI) -> None:
    database: Database = app.state.database
    await publish(database)
    with suppress(RuntimeError):
        async with database.write() as session:
            await events.publish(session, stream=STREAM, kind="lost", data={})
            raise RuntimeError
    assert await publish(database) == 2
    assert await read(database, 0) == [1, 2]


async def test_events_become_visible_in_order(app: FastAPI) -> None:
    database: Database = app.state.database
    chance = random.Random(7)  # noqa: S311 - a test's dice

    async def keep_publishing() -> None:
        for _ in range(EACH):
            async with database.write() as session:
                await events.publish(session, stream=STREAM, kind="thing.changed", data={})
                await asyncio.sleep(chance.uniform(0, 0.005))

    async def read_all() -> list[int]:
        seen: list[int] = []
        with database.wakeups.subscribe(STREAM) as subscription:
            while len(seen) < PUBLISHERS * EACH:
                seen += await read(database, seen[-1] if seen else 0)
                await subscription.wait(0.01)
        return seen

    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        reader = tasks.create_task(read_all())
        for _ in range(PUBLISHERS):
            tasks.create_task(keep_publishing())
    assert reader.result() == list(range(1, PUBLISHERS * EACH + 1))


async def test_pages_hold_at_most_a_hundred(app: FastAPI) -> None:
    database: Database = app.state.database
    async with database.write() as session:
        for _ in range(130):
            await events.publish(session, stream=STREAM, kind="thing.changed", data={})
    assert await read(database, 0) == list(range(1, 101))
    assert await read(database, 100) == list(range(101, 131))


async def test_deleting_events_keeps_the_numbering(app: FastAPI) -> None:
    database: Database = app.state.database
    await publish(database)
    async with database.write() as session:
        await events.delete_before(session, clock.now() + timedelta(seconds=1))
    async with database.read() as session:
        assert await events.get_range(session, STREAM) == CursorRange(oldest=1, newest=1)
        assert await events.get_range(session, Topic("never used")) == CursorRange(
            oldest=0, newest=0
        )
    assert await publish(database) == 2
    async with database.read() as session:
        assert await events.get_range(session, STREAM) == CursorRange(oldest=1, newest=2)
