"""Group commit: order, atomicity, and the effect of one item's failure on the others."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from edison.db import wakeups
from edison.db.session import Database
from edison.db.wakeups import Topic
from edison.jobs.batch_writer import BatchWriter, window_after
from edison.jobs.heartbeat import Heartbeat, Replaced
from edison.jobs.models import WorkerProcess
from edison.kit.errors import Conflict, Unavailable
from tests.jobs.notes import REFUSED, Notes, read_notes, remove_rows


@pytest.fixture
async def batch_writer(listed: Database) -> AsyncIterator[BatchWriter]:
    batch_writer = BatchWriter(listed, Heartbeat(kind="worker"))
    yield batch_writer
    await batch_writer.close()


async def find_row(database: Database) -> tuple[UUID, int]:
    async with database.read() as session:
        found = await session.execute(select(WorkerProcess.id, WorkerProcess.beat))
        process_id, beat = found.one()
    return process_id, beat


async def test_items_submitted_together_share_a_transaction(
    listed: Database, batch_writer: BatchWriter
) -> None:
    notes = Notes()
    results = await asyncio.gather(*(batch_writer.record(notes, f"note {n}") for n in range(50)))
    assert results == [50] * 50
    assert await find_row(listed) == (batch_writer.heartbeat.id, 1)
    assert len(await read_notes(listed)) == 50


@pytest.mark.parametrize(
    ("flush_seconds", "window_seconds"), [(0.001, 0.001), (0.008, 0.008), (30.0, 0.01)]
)
def test_the_window_is_as_long_as_the_last_flush_up_to_a_limit(
    flush_seconds: float, window_seconds: float
) -> None:
    assert window_after(flush_seconds) == window_seconds


async def test_items_submitted_after_a_slow_flush_wait_for_each_other(
    batch_writer: BatchWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edison.jobs.batch_writer.window_after", lambda _: 0.5)
    notes = Notes()
    assert await batch_writer.record(notes, "slow") == 1
    first = batch_writer.submit(notes, "first")
    await asyncio.sleep(0.02)
    assert await asyncio.gather(first, batch_writer.submit(notes, "second")) == [2, 2]


async def test_kinds_are_applied_by_their_order_and_items_in_theirs(
    batch_writer: BatchWriter,
) -> None:
    applied: list[str] = []

    class RecordingNotes(Notes):
        async def apply(self, session, items):  # type: ignore[no-untyped-def]  # as its parent
            applied.extend(items)
            return await super().apply(session, items)

    late, early = RecordingNotes(order=2), RecordingNotes(order=1)
    for number in range(3):
        batch_writer.submit(late, f"late {number}")
        batch_writer.submit(early, f"early {number}")
    await batch_writer.flush()
    assert applied == ["early 0", "early 1", "early 2", "late 0", "late 1", "late 2"]


async def test_all_kinds_begin_before_the_first_is_applied(batch_writer: BatchWriter) -> None:
    """A kind that locks what other processes write does so as late as possible."""
    steps: list[str] = []

    class InTwoSteps(Notes):
        async def begin(self, session, items):  # type: ignore[no-untyped-def]  # as its parent
            steps.append(f"begin {self.order}")
            return await super().begin(session, items)

        async def apply(self, session, items):  # type: ignore[no-untyped-def]  # as its parent
            steps.append(f"apply {self.order}")
            return await super().apply(session, items)

    results = [batch_writer.submit(InTwoSteps(order=order), f"note {order}") for order in (2, 1)]
    await batch_writer.flush()
    assert steps == ["begin 1", "begin 2", "apply 1", "apply 2"]
    assert [await each for each in results] == [1, 1]


async def test_items_are_committed_in_submission_order(
    listed: Database, batch_writer: BatchWriter
) -> None:
    notes = Notes()
    for number in range(1200):
        batch_writer.submit(notes, f"note {number}")
    await batch_writer.record(notes, "the last")
    assert len(await read_notes(listed)) == 1201
    assert [note for group in notes.groups for note in group] == [
        *(f"note {number}" for number in range(1200)),
        "the last",
    ]
    assert len(notes.groups) == 3


async def test_a_refused_item_does_not_affect_others(
    listed: Database, batch_writer: BatchWriter
) -> None:
    notes = Notes()
    first, refused, last = (batch_writer.submit(notes, item) for item in ("a", REFUSED, "b"))
    assert (await first, await last) == (3, 3)
    with pytest.raises(Conflict):
        await refused
    assert await read_notes(listed) == {"a", "b"}


async def test_an_item_that_fails_the_transaction_is_isolated(
    listed: Database, batch_writer: BatchWriter
) -> None:
    notes = Notes()
    await batch_writer.record(notes, "note 13")
    futures = [batch_writer.submit(notes, f"note {number}") for number in range(40)]
    results = await asyncio.gather(*futures, return_exceptions=True)
    broken = [number for number, result in enumerate(results) if isinstance(result, Exception)]
    assert broken == [13]
    assert isinstance(results[13], IntegrityError)
    assert await read_notes(listed) == {f"note {number}" for number in range(40)}


async def test_errors_without_a_waiter_cause_no_warning(batch_writer: BatchWriter) -> None:
    batch_writer.submit(Notes(), REFUSED)
    await batch_writer.flush()


async def test_an_item_is_written_although_its_waiter_was_cancelled(
    listed: Database, batch_writer: BatchWriter
) -> None:
    waiting = asyncio.create_task(batch_writer.record(Notes(), "wanted"))
    await asyncio.sleep(0)
    waiting.cancel()
    await batch_writer.flush()
    assert await read_notes(listed) == {"wanted"}


async def test_work_that_can_wait_goes_on_after_the_next_flush(batch_writer: BatchWriter) -> None:
    may_end = asyncio.Event()

    class SlowNotes(Notes):
        async def apply(self, session, items):  # type: ignore[no-untyped-def]  # as its parent
            await may_end.wait()
            return await super().apply(session, items)

    await batch_writer.after_flush()
    recording = batch_writer.submit(SlowNotes(), "first")
    waiting = asyncio.create_task(batch_writer.after_flush())
    impatient = asyncio.create_task(batch_writer.after_flush())
    await asyncio.sleep(0.05)
    impatient.cancel()
    assert not waiting.done()
    may_end.set()
    await waiting
    assert recording.done()


async def test_closing_lets_work_go_on_that_waits_for_a_flush(listed: Database) -> None:
    batch_writer = BatchWriter(listed, Heartbeat(kind="worker"), window_seconds=60)
    batch_writer.submit(Notes(), "first")
    waiting = asyncio.create_task(batch_writer.after_flush())
    await asyncio.sleep(0)
    await batch_writer.close()
    await waiting


async def test_closing_writes_pending_items_and_accepts_no_more(
    listed: Database, batch_writer: BatchWriter
) -> None:
    batch_writer.submit(Notes(), "in time")
    await batch_writer.close()
    assert await read_notes(listed) == {"in time"}
    with pytest.raises(Unavailable):
        await batch_writer.record(Notes(), "too late")


async def test_a_replaced_process_cannot_reserve_but_charges_and_gets_a_new_id(
    listed: Database, batch_writer: BatchWriter
) -> None:
    fenced, free = Notes(needs_heartbeat=True), Notes()
    await batch_writer.record(fenced, "before")
    old_id = batch_writer.heartbeat.id
    told: list[UUID] = []
    batch_writer.heartbeat.on_replaced.append(lambda: told.append(batch_writer.heartbeat.id))
    await remove_rows(listed)
    reserving, settling = (
        batch_writer.submit(fenced, "reserved"),
        batch_writer.submit(free, "settled"),
    )
    with pytest.raises(Replaced):
        await reserving
    await settling
    assert await read_notes(listed) == {"before", "settled"}
    assert told == [batch_writer.heartbeat.id] != [old_id]
    assert await find_row(listed) == (batch_writer.heartbeat.id, 1)
    await batch_writer.record(fenced, "after")
    assert await read_notes(listed) == {"before", "settled", "after"}


async def test_a_process_with_a_late_heartbeat_confirms_before_it_continues(
    listed: Database,
) -> None:
    now = 100.0
    heartbeat = Heartbeat(kind="worker", silence_seconds=12, monotonic=lambda: now)
    batch_writer = BatchWriter(listed, heartbeat)
    old_id = heartbeat.id
    await batch_writer.confirm(old_id)
    await remove_rows(listed)
    await batch_writer.confirm(old_id)  # its row cannot have been removed yet
    now += 7
    with pytest.raises(Replaced):
        await batch_writer.confirm(old_id)
    await batch_writer.confirm(heartbeat.id)
    await batch_writer.close()


async def test_a_flush_wakes_readers_like_any_commit(
    listed: Database, batch_writer: BatchWriter
) -> None:
    class Waking(Notes):
        async def apply(self, session, items):  # type: ignore[no-untyped-def]  # as its parent
            wakeups.topic_changed(session, Topic("topic"))
            return await super().apply(session, items)

    with listed.wakeups.subscribe(Topic("topic")) as subscription:
        await batch_writer.record(Waking(), "news")
        assert await subscription.wait(0)


async def test_the_batch_writer_waits_for_another_writer(
    listed: Database, batch_writer: BatchWriter
) -> None:
    await batch_writer.beat()
    async with listed.write() as session:
        await session.execute(text("UPDATE worker_processes SET host = 'elsewhere'"))
        recording = batch_writer.submit(Notes(), "patient")
        await asyncio.sleep(0.05)
        assert not recording.done()
    assert await recording == 1
