"""Chunks of a run begin one after another in a process."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from uuid import UUID

import pytest

from edison.runs.fill.turns import ChunkTurn, ChunkTurns

RUN, OTHER_RUN = UUID(int=1), UUID(int=2)


class Chunk:
    """Takes a turn of the run until it is told to end."""

    def __init__(self, turns: ChunkTurns, run_id: UUID) -> None:
        self._stack = AsyncExitStack()
        self._taking = asyncio.create_task(self._stack.enter_async_context(turns.take(run_id)))

    async def has_begun(self) -> bool:
        for _ in range(5):
            await asyncio.sleep(0)
        return self._taking.done()

    async def note(self, waiting: int) -> None:
        turn: ChunkTurn = await self._taking
        turn.note(waiting, at_once=10)

    async def end(self) -> None:
        await self._stack.aclose()

    async def give_up(self) -> None:
        self._taking.cancel()
        await asyncio.gather(self._taking, return_exceptions=True)


Begin = Callable[[], Chunk]


@pytest.fixture
def turns() -> ChunkTurns:
    return ChunkTurns()


@pytest.fixture
def begin(turns: ChunkTurns) -> Begin:
    return lambda: Chunk(turns, RUN)


async def test_the_next_chunk_begins_when_few_cells_wait(begin: Begin) -> None:
    first, second = begin(), begin()
    assert (await first.has_begun(), await second.has_begun()) == (True, False)
    for waiting, may_begin in ((400, False), (20, False), (19, True)):
        await first.note(waiting)
        assert await second.has_begun() is may_begin


async def test_cells_of_all_begun_chunks_are_counted(begin: Begin) -> None:
    first, second, third = begin(), begin(), begin()
    await first.note(5)
    assert (await second.has_begun(), await third.has_begun()) == (True, False)
    await second.note(16)
    assert not await third.has_begun()
    await first.end()
    assert await third.has_begun()


async def test_a_chunk_that_has_not_noted_its_cells_is_waited_for(begin: Begin) -> None:
    first, second, third = begin(), begin(), begin()
    await first.note(0)
    assert (await second.has_begun(), await third.has_begun()) == (True, False)
    await second.note(0)
    assert await third.has_begun()


async def test_the_end_of_a_chunk_lets_the_next_one_begin(begin: Begin) -> None:
    first, second = begin(), begin()
    await first.has_begun()
    await first.end()
    assert await second.has_begun()


async def test_a_cancelled_chunk_lets_the_next_one_begin(begin: Begin) -> None:
    first, second, third = begin(), begin(), begin()
    await first.note(400)
    assert not await second.has_begun()
    await second.give_up()
    await first.note(0)
    assert await third.has_begun()


async def test_runs_do_not_wait_for_each_other(turns: ChunkTurns, begin: Begin) -> None:
    await begin().note(400)
    assert await Chunk(turns, OTHER_RUN).has_begun()
