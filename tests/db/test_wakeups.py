"""Wake-ups: coalesced, delivered to waiting subscribers, across processes, and after reconnects."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from sqlalchemy import text

from edison.db import wakeups
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.db.wakeups import Topic, Wakeups
from tests.support.empty_databases import MakeDatabase
from tests.support.patience import PATIENCE_SECONDS

TOPIC = Topic("topic")


async def test_many_wakes_while_busy_count_as_one() -> None:
    bus = Wakeups()
    with bus.subscribe(TOPIC) as subscription:
        for _ in range(5):
            bus.wake([TOPIC])
        assert await subscription.wait(0)
        assert not await subscription.wait(0)


async def test_other_topics_do_not_wake() -> None:
    bus = Wakeups()
    with bus.subscribe(TOPIC) as mine:
        bus.wake([Topic("another")])
        assert not await mine.wait(0)


async def test_unsubscribing_removes_the_topic() -> None:
    bus = Wakeups()
    with bus.subscribe(TOPIC):
        pass
    assert not bus._readers


async def test_closing_ends_present_and_future_readers() -> None:
    bus = Wakeups()
    with bus.subscribe(TOPIC) as present:
        bus.close()
        assert await present.wait(0)
        assert present.is_closed
    with bus.subscribe(TOPIC) as late:
        assert late.is_closed


class _ChangedMind(Exception):
    """Rolls back."""


@pytest.fixture
async def pair(make_database: MakeDatabase) -> AsyncIterator[tuple[Database, Database]]:
    """Two Database objects on one PostgreSQL, as in two processes."""
    url = await asyncio.to_thread(make_database, "postgresql")
    pair = Database(open_engine(url)), Database(open_engine(url))
    pair[1].listen()
    listener = pair[1]._listener
    assert listener is not None
    await asyncio.wait_for(listener.is_listening.wait(), PATIENCE_SECONDS)
    yield pair
    for database in pair:
        await database.close()
    gc.collect()


async def test_a_commit_in_another_process_wakes_and_a_rollback_does_not(
    pair: tuple[Database, Database],
) -> None:
    elsewhere, here = pair
    with here.wakeups.subscribe(TOPIC) as subscription:
        await subscription.wait(0.1)
        with suppress(_ChangedMind):
            async with elsewhere.write() as session:
                wakeups.topic_changed(session, TOPIC)
                raise _ChangedMind
        async with elsewhere.write() as session:
            wakeups.topic_changed(session, TOPIC)
            assert not await subscription.wait(0.2)
        assert await subscription.wait(PATIENCE_SECONDS)


async def test_all_subscribers_wake_after_the_connection_was_lost(
    pair: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "FIRST_RETRY_SECONDS", 0.05)
    elsewhere, here = pair
    with here.wakeups.subscribe(TOPIC) as subscription:
        await subscription.wait(0.1)
        async with elsewhere.write() as session:
            await session.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
            )
        assert await subscription.wait(PATIENCE_SECONDS)
        async with elsewhere.write() as session:
            wakeups.topic_changed(session, TOPIC)
        assert await subscription.wait(PATIENCE_SECONDS)
