"""Many small writes as one item of the write batch."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import Batch, BatchWriter
from edison.jobs.heartbeat import Heartbeat
from edison.jobs.write_group import WriteGroup
from edison.kit.errors import Unavailable


class Lists(Batch[Sequence[str], int]):
    """The result is the length of the list."""

    def __init__(self, order: int = 0) -> None:
        self.order = order
        self.applied: list[list[str]] = []

    async def apply(self, session: AsyncSession, items: Sequence[Sequence[str]]) -> Sequence[int]:
        self.applied += [list(item) for item in items]
        return [len(item) for item in items]


@pytest.fixture
async def batch_writer(listed: Database) -> AsyncIterator[BatchWriter]:
    batch_writer = BatchWriter(listed, Heartbeat(kind="worker"))
    yield batch_writer
    await batch_writer.close()


async def test_elements_up_to_the_next_flush_are_one_item(batch_writer: BatchWriter) -> None:
    lists, written = Lists(), list[tuple[list[str], int]]()

    def note(elements: Sequence[str], result: "asyncio.Future[int]") -> None:
        written.append((list(elements), result.result()))

    group = WriteGroup(batch_writer, lists)
    for name in ("a", "b", "c"):
        group.add(name, note)
    await batch_writer.flush()
    group.add("d", note)
    await batch_writer.flush()
    await asyncio.sleep(0)
    assert lists.applied == [["a", "b", "c"], ["d"]]
    assert written == [(["a", "b", "c"], 3), (["d"], 1)]


async def test_all_growing_items_are_part_of_the_next_flush(
    batch_writer: BatchWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else an output could be committed before its charge, which was added to another item."""
    monkeypatch.setattr("edison.jobs.batch_writer.MOST_AT_ONCE", 1)
    first, second, others = Lists(order=0), Lists(order=1), Lists(order=2)
    for number in range(3):
        batch_writer.submit(others, [f"other {number}"])
    charges, outputs = WriteGroup(batch_writer, first), WriteGroup(batch_writer, second)
    for number in range(3):
        charges.add(f"charge {number}")
        outputs.add(f"output {number}")
    await batch_writer.beat()
    assert first.applied == [["charge 0", "charge 1", "charge 2"]]
    assert second.applied == [["output 0", "output 1", "output 2"]]


async def test_a_closed_writer_refuses_each_element(batch_writer: BatchWriter) -> None:
    await batch_writer.close()
    refused: list[tuple[list[str], BaseException | None]] = []

    def note(elements: Sequence[str], written: "asyncio.Future[int]") -> None:
        refused.append((list(elements), written.exception()))

    group = WriteGroup(batch_writer, Lists())
    for name in ("a", "b"):
        group.add(name, note)
        await asyncio.sleep(0)
    assert [elements for elements, _ in refused] == [["a"], ["b"]]
    assert all(isinstance(failure, Unavailable) for _, failure in refused)


async def test_elements_share_the_future_of_their_write(batch_writer: BatchWriter) -> None:
    group = WriteGroup(batch_writer, Lists())
    first, second = group.add("a"), group.add("b")
    assert first is second
    assert await first == 2
    assert await group.add("c") == 1
