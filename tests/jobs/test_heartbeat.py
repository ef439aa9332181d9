"""Heartbeats: liveness is judged by observation with the observer's own clock only."""

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from edison.db.engine import session_name
from edison.db.session import Database
from edison.jobs import heartbeat as heartbeats
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.heartbeat import Heartbeat, Watch, remove, remove_silent
from edison.jobs.lifecycle import process_lifecycle
from edison.jobs.models import WorkerProcess
from edison.kit import clock, ids
from tests.jobs.notes import Notes

A, B = ids.new_id(), ids.new_id()


class Stopwatch:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def watch(stopwatch: Stopwatch) -> Watch:
    return Watch(silence_seconds=12, monotonic=stopwatch)


async def list_ids(database: Database) -> set[UUID]:
    async with database.read() as session:
        return set((await session.scalars(select(WorkerProcess.id))).all())


def test_a_process_is_silent_after_the_timeout_only(watch: Watch, stopwatch: Stopwatch) -> None:
    for turn in range(6):
        assert watch.look({A: turn, B: 5}) == {}
        stopwatch.now += 2
    assert watch.look({A: 6, B: 5}) == {B: 5}


def test_a_resumed_heartbeat_restarts_the_timeout(watch: Watch, stopwatch: Stopwatch) -> None:
    for beat in (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2):
        assert watch.look({A: beat}) == {}
        stopwatch.now += 2
    assert watch.look({A: 2}) == {A: 2}


def test_a_frozen_watcher_needs_several_observations(watch: Watch, stopwatch: Stopwatch) -> None:
    assert watch.look({A: 1}) == {}
    stopwatch.now += 3600
    assert watch.look({A: 1}) == {}
    stopwatch.now += 3600
    assert watch.look({A: 1}) == {}
    stopwatch.now += 3600
    assert watch.look({A: 1}) == {A: 1}


async def test_silent_processes_are_removed_and_live_ones_are_not(
    listed: Database, watch: Watch, stopwatch: Stopwatch
) -> None:
    silent, alive = (BatchWriter(listed, Heartbeat(kind="worker")) for _ in range(2))
    await silent.beat()
    for _ in range(7):
        await alive.beat()
        await remove_silent(listed, watch, ids.new_id())
        stopwatch.now += 2
    assert await list_ids(listed) == {alive.heartbeat.id}
    await silent.close()
    await alive.close()


async def test_a_process_with_a_new_heartbeat_is_not_removed(listed: Database) -> None:
    batch_writer = BatchWriter(listed, Heartbeat(kind="worker"))
    await batch_writer.beat()
    await batch_writer.beat()
    assert not await remove(listed, batch_writer.heartbeat.id, beat=1)
    assert await remove(listed, batch_writer.heartbeat.id, beat=2)
    assert await list_ids(listed) == set()
    await batch_writer.close()


async def test_reaping_runs_its_hooks_in_the_same_transaction(
    listed: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_writer = BatchWriter(listed, Heartbeat(kind="worker"))
    await batch_writer.beat()
    seen: list[tuple[UUID, bool]] = []

    async def see_to_it(session: AsyncSession, process_id: UUID) -> None:
        row = await session.get(WorkerProcess, process_id)
        seen.append((process_id, row is not None))

    async def fail(session: AsyncSession, process_id: UUID) -> None:
        raise RuntimeError("This cannot be seen to.")

    monkeypatch.setattr(heartbeats.on_lost, "listeners", (see_to_it, fail))
    with pytest.raises(RuntimeError):
        await remove(listed, batch_writer.heartbeat.id)
    assert await list_ids(listed) == {batch_writer.heartbeat.id}
    monkeypatch.setattr(heartbeats.on_lost, "listeners", (see_to_it,))
    assert await remove(listed, batch_writer.heartbeat.id)
    assert seen == [(batch_writer.heartbeat.id, True)] * 2
    await batch_writer.close()


async def test_a_process_is_listed_between_start_and_stop(listed: Database) -> None:
    async with process_lifecycle(listed, kind="command") as batch_writer:
        assert await batch_writer.heartbeat.wait_until_registered() == batch_writer.heartbeat.id
        assert await list_ids(listed) == {batch_writer.heartbeat.id}
        batch_writer.submit(Notes(), "by the way")
    assert await list_ids(listed) == set()


async def test_row_locks_of_a_silent_process_are_released(
    listed: Database, stopwatch: Stopwatch
) -> None:
    if listed.is_sqlite:
        pytest.skip("On SQLite a lock is on the whole file, and nobody else can end it.")
    began = clock.now()
    async with listed.write() as session:
        session.add(
            WorkerProcess(
                id=A,
                kind="worker",
                host="elsewhere",
                pid=1,
                version="1",
                beat=1,
                started_at=began,
                seen_at=began,
            )
        )
    named = {"server_settings": {"application_name": session_name(1, began)}}
    frozen = create_async_engine(listed.engine.url, connect_args=named)
    connection = await frozen.connect()
    await connection.execute(update(WorkerProcess).values(beat=2))
    watch = Watch(silence_seconds=0.1, monotonic=stopwatch)
    await remove_silent(listed, watch, B)
    await asyncio.sleep(watch.silence_seconds)
    stopwatch.now += 2
    await remove_silent(listed, watch, B)
    assert await list_ids(listed) == set()
    with pytest.raises(DBAPIError):
        await connection.execute(select(WorkerProcess.id))
    await connection.close()
    await frozen.dispose()
