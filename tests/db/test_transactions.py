"""Transactions behave the same on both databases."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from edison.db import engine as engines
from edison.db import wakeups
from edison.db.engine import open_engine
from edison.db.outages import name_outage
from edison.db.session import Database, inline
from edison.db.wakeups import Topic
from tests.support.empty_databases import MakeDatabase

HERE, THERE = Topic("here"), Topic("there")


class _ChangedMind(Exception):
    """Rolls back."""


@pytest.fixture
async def database(empty_url: str) -> AsyncIterator[Database]:
    database = Database(open_engine(empty_url))
    async with database.write() as session:
        await session.execute(text("CREATE TABLE notes (body TEXT)"))
    yield database
    await database.close()


async def count(database: Database) -> int:
    async with database.read() as session:
        return int(await session.scalar(text("SELECT count(*) FROM notes")) or 0)


async def test_leaving_the_block_commits(database: Database) -> None:
    async with database.write() as session:
        await session.execute(text("INSERT INTO notes VALUES ('kept')"))
    assert await count(database) == 1


async def test_an_exception_rolls_back_tables_too(database: Database) -> None:
    with suppress(_ChangedMind):
        async with database.write() as session:
            await session.execute(text("INSERT INTO notes VALUES ('lost')"))
            await session.execute(text("CREATE TABLE more (body TEXT)"))
            raise _ChangedMind
    assert await count(database) == 0
    async with database.write() as session:
        await session.execute(text("CREATE TABLE more (body TEXT)"))


@pytest.mark.parametrize("kind", ["read", "write"])
async def test_a_commit_that_fails_leaves_no_transaction_open(
    database: Database, kind: str
) -> None:
    def fail(connection: Connection) -> None:
        raise OperationalError("COMMIT", {}, Exception("disk I/O error"))

    begin = {"read": database.read, "write": database.write}[kind]
    statement = {"read": "SELECT 1", "write": "INSERT INTO notes VALUES ('lost')"}[kind]
    event.listen(database.engine.sync_engine, "commit", fail)
    try:
        with pytest.raises(OperationalError, match="disk I/O error"):
            async with begin() as session:
                await session.execute(text(statement))
    finally:
        event.remove(database.engine.sync_engine, "commit", fail)
    assert await count(database) == 0


async def test_a_reader_sees_the_last_commit_while_someone_writes(database: Database) -> None:
    async with database.write() as session:
        await session.execute(text("INSERT INTO notes VALUES ('soon')"))
        assert await count(database) == 0
    assert await count(database) == 1


async def test_a_commit_wakes_and_a_rollback_does_not(database: Database) -> None:
    with database.wakeups.subscribe(HERE) as here, database.wakeups.subscribe(THERE) as there:
        with suppress(_ChangedMind):
            async with database.write() as session:
                wakeups.topic_changed(session, THERE)
                raise _ChangedMind
        async with database.write() as session:
            wakeups.topic_changed(session, HERE)
            assert not await here.wait(0)
        assert await here.wait(0)
        assert not await there.wait(0)


async def test_a_brief_reader_sees_the_last_commit_while_someone_writes(database: Database) -> None:
    async def count_inline() -> int:
        async with database.read_inline() as session:
            return int(await session.scalar(text("SELECT count(*) FROM notes")) or 0)

    async with database.write() as session:
        await session.execute(text("INSERT INTO notes VALUES ('soon')"))
        assert await count_inline() == 0
    assert await count_inline() == 1


async def test_brief_reads_use_no_thread_on_sqlite(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(open_engine(await asyncio.to_thread(make_database, "sqlite")))
    async with database.read() as session:
        await session.scalar(text("SELECT 1"))
    trips: list[object] = []
    make_trip: Any = aiosqlite.Connection._execute

    async def count_trip(self: aiosqlite.Connection, *args: Any, **rest: Any) -> Any:
        trips.append(args[0])
        return await make_trip(self, *args, **rest)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", count_trip)
    async with database.read_inline() as session:
        assert await session.scalar(text("SELECT 2")) == 2
        async with inline(session):
            assert await session.scalar(text("SELECT 3")) == 3
        assert await session.scalar(text("SELECT 4")) == 4
    assert trips == []
    async with database.read() as session:
        async with inline(session):
            await session.scalar(text("SELECT 5"))
        await session.scalar(text("SELECT 6"))
    assert len(trips) == 1
    await database.close()


@pytest.mark.usefixtures("real_commits")
async def test_sqlite_pragmas_are_set(make_database: MakeDatabase) -> None:
    database = Database(open_engine(await asyncio.to_thread(make_database, "sqlite")))
    async with database.read() as session:
        pragmas = {
            name: await session.scalar(text(f"PRAGMA {name}"))
            for name in (
                "journal_mode",
                "foreign_keys",
                "busy_timeout",
                "synchronous",
                "wal_autocheckpoint",
            )
        }
    await database.close()
    assert pragmas == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "synchronous": 2,
        "wal_autocheckpoint": 4000,
    }


async def test_a_sqlite_writer_waits_for_another_process_and_then_gives_up(
    make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_TIMEOUT_SECONDS", 0.2)
    url = await asyncio.to_thread(make_database, "sqlite")
    database, other_process = Database(open_engine(url)), Database(open_engine(url))
    async with other_process.write() as holder:
        await holder.execute(text("SELECT 1"))
        async with database.read() as reading:
            await reading.execute(text("SELECT 1"))
        with pytest.raises(OperationalError, match="locked"):
            async with database.write() as waiting:
                await waiting.execute(text("SELECT 1"))
    await other_process.close()
    await database.close()


async def test_sqlite_writers_of_a_process_take_turns_in_order(make_database: MakeDatabase) -> None:
    database = Database(open_engine(await asyncio.to_thread(make_database, "sqlite")))
    beside = Database(open_engine(str(database.engine.url)), beside=database)
    written: list[int] = []

    async def write(number: int) -> None:
        async with (beside if number % 2 else database).write() as session:
            await session.execute(text("SELECT 1"))
            await asyncio.sleep(0)
            written.append(number)

    async with database.write():
        waiting = [asyncio.create_task(write(number)) for number in range(8)]
        await asyncio.sleep(0.01)
        waiting[3].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert written == [0, 1, 2, 4, 5, 6, 7]
    assert isinstance(results[3], asyncio.CancelledError)
    await beside.close()
    await database.close()


async def test_a_sqlite_writer_whose_turn_does_not_come_gives_up(
    make_database: MakeDatabase,
) -> None:
    url = await asyncio.to_thread(make_database, "sqlite")
    database = Database(open_engine(url, wait_seconds=0.05))
    async with database.write():
        with pytest.raises(PoolTimeout) as refused:
            async with database.write():
                raise AssertionError("two writers at once")
    assert name_outage(refused.value) == "The database is locked."
    async with database.write() as session:
        await session.execute(text("SELECT 1"))
    await database.close()


async def test_cancelling_a_task_twice_leaves_no_task_behind(database: Database) -> None:
    slow = text(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) "
        "SELECT count(*) FROM n"
    )

    async def use() -> None:
        async with database.read() as session:
            await session.execute(slow)

    before = asyncio.all_tasks()
    for pause in (0, 0.0002, 0.001):
        task = asyncio.create_task(use())
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(pause)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    if left_over := asyncio.all_tasks() - before:
        _, endless = await asyncio.wait(left_over, timeout=20)
        assert not endless
    assert await count(database) == 0
