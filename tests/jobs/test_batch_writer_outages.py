"""The batch writer during outages: a locked or lost database, a connection lost in a commit. Every
item is written exactly once.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing

import pytest
from sqlalchemy import Table, text
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import engine
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs.batch_writer import Batch, BatchWriter
from edison.jobs.heartbeat import BeatResult, Heartbeat
from edison.jobs.models import WorkerProcess
from edison.jobs.processes import Processes
from tests.support.commit_breaker import breaking_commits
from tests.support.empty_databases import MakeDatabase
from tests.support.patience import PATIENCE_SECONDS


class Counting(Batch[int, int]):
    """Adds each item to one counter, which is wrong if an item is written twice."""

    order = 0

    async def apply(self, session: AsyncSession, items: Sequence[int]) -> Sequence[int]:
        await session.execute(
            text("UPDATE counter SET total = total + :more"), {"more": sum(items)}
        )
        return items


@asynccontextmanager
async def open_counter(url: str) -> AsyncIterator[Database]:
    database = Database(open_engine(url))
    processes = WorkerProcess.__table__
    assert isinstance(processes, Table)
    async with database.engine.begin() as connection:
        await connection.run_sync(processes.create, checkfirst=True)
        await connection.execute(text("CREATE TABLE IF NOT EXISTS counter (total INTEGER)"))
        await connection.execute(text("DELETE FROM counter"))
        await connection.execute(text("INSERT INTO counter VALUES (0)"))
    yield database
    await database.close()


@pytest.fixture
def sqlite_url(make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch) -> str:
    """Locks fail at once, without waiting."""
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_SECONDS", 0.05)
    return make_database("sqlite")


@pytest.fixture
def postgres_url(make_database: MakeDatabase) -> str:
    return make_database("postgresql")


async def read_total(database: Database) -> int:
    async with database.read() as session:
        return int(await session.scalar(text("SELECT total FROM counter")) or 0)


async def test_the_batch_writer_waits_for_a_locked_file(sqlite_url: str) -> None:
    async with open_counter(sqlite_url) as database:
        batch_writer = BatchWriter(database, Heartbeat(kind="worker"))
        await batch_writer.beat()
        with closing(
            sqlite3.connect(sqlite_url.partition(":///")[2], isolation_level=None)
        ) as other:
            other.execute("BEGIN EXCLUSIVE")
            futures = [batch_writer.submit(Counting(), 1) for _ in range(20)]
            async with asyncio.timeout(PATIENCE_SECONDS):
                while batch_writer.trouble is None:  # noqa: ASYNC110 - there is no event to wait for
                    await asyncio.sleep(0.01)
            assert batch_writer.trouble == "The database is locked."
            assert not any(future.done() for future in futures)
            other.execute("ROLLBACK")
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*futures)
        assert batch_writer.trouble is None
        assert await read_total(database) == 20
        await batch_writer.close()


async def test_closing_times_out(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edison.jobs.batch_writer.CLOSE_SECONDS", 0.2)
    async with open_counter(sqlite_url) as database:
        batch_writer = BatchWriter(database, Heartbeat(kind="worker"))
        with closing(
            sqlite3.connect(sqlite_url.partition(":///")[2], isolation_level=None)
        ) as other:
            other.execute("BEGIN EXCLUSIVE")
            lost = batch_writer.submit(Counting(), 1)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await batch_writer.close()
            assert isinstance(lost.exception(), Exception)
            other.execute("ROLLBACK")
        assert await read_total(database) == 0


async def test_randomly_cut_connections_neither_lose_nor_double_writes(postgres_url: str) -> None:
    async with open_counter(postgres_url) as database:
        batch_writer = BatchWriter(database, Heartbeat(kind="worker"))
        killing = asyncio.create_task(_keep_killing(database))
        counting = Counting()
        async with asyncio.timeout(PATIENCE_SECONDS):
            for _ in range(20):
                await asyncio.gather(*(batch_writer.record(counting, 1) for _ in range(10)))
        killing.cancel()
        await asyncio.wait([killing])
        assert await read_total(database) == 200
        await batch_writer.close()


async def _keep_killing(database: Database) -> None:
    """Repeatedly ends every other connection to the database."""
    others = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    killer = open_engine(database.engine.url.render_as_string(hide_password=False), pooled=False)
    async with killer.connect() as connection:
        while True:
            await connection.execute(others)
            await asyncio.sleep(0.03)


class RepeatingHeartbeat(Heartbeat):
    """The mutant repeats every write, whatever the outcome of the last commit."""

    async def advance(self, session: AsyncSession) -> BeatResult:
        self.beat = await Processes(session).find_beat(self.id) or 0
        return await super().advance(session)


async def count_through_broken_commits(url: str, heartbeat: Heartbeat) -> tuple[int, int]:
    """The counter after ten groups, some of which lost their connection while committing, and how
    often that happened.
    """
    async with open_counter(url):
        pass
    async with breaking_commits(url) as (breaker, broken_url), open_counter(broken_url) as database:
        batch_writer = BatchWriter(database, heartbeat)
        counting = Counting()
        breaker.cuts = ["after", None, "before", "after", "after", "before", None, "after"]
        async with asyncio.timeout(PATIENCE_SECONDS):
            for _ in range(10):
                results = await asyncio.gather(
                    *(batch_writer.record(counting, n) for n in (1, 2, 3))
                )
                assert results == [1, 2, 3]
        total = await read_total(database)
        await batch_writer.close()
    return total, breaker.cut_count


async def test_a_commit_without_confirmation_counts_once(postgres_url: str) -> None:
    assert await count_through_broken_commits(postgres_url, Heartbeat(kind="worker")) == (60, 6)


async def test_broken_commits_detect_a_batch_writer_that_repeats_blindly(postgres_url: str) -> None:
    total, cuts = await count_through_broken_commits(
        postgres_url, RepeatingHeartbeat(kind="worker")
    )
    assert (total, cuts) == (60 + 4 * 6, 6)
