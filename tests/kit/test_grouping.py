"""Batched lookups."""

import asyncio
from collections.abc import Collection, Mapping

import pytest

from edison.kit.batched_lookup import MOST_AT_ONCE, BatchedLookup


class BatchLookup:
    """Looks up the length of words, and records its batches."""

    def __init__(self) -> None:
        self.asked: list[set[str]] = []
        self.is_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def look_up(self, words: Collection[str]) -> Mapping[str, int]:
        self.asked.append(set(words))
        self.is_asked.set()
        await self.may_answer.wait()
        if "broken" in words:
            raise ValueError("broken")
        return {word: len(word) for word in words if word != "unknown"}


async def test_simultaneous_lookups_share_a_query() -> None:
    shelf = BatchLookup()
    lengths = BatchedLookup(shelf.look_up)

    found = await asyncio.gather(*(lengths.find(word) for word in ("a", "bb", "bb", "unknown")))

    assert found == [1, 2, 2, None]
    assert shelf.asked == [{"a", "bb", "unknown"}]


async def test_a_lookup_during_a_query_joins_the_next_one() -> None:
    shelf = BatchLookup()
    lengths = BatchedLookup(shelf.look_up)
    shelf.may_answer.clear()
    first = asyncio.create_task(lengths.find("a"))
    await shelf.is_asked.wait()
    others = [asyncio.create_task(lengths.find(word)) for word in ("a", "bb")]
    await asyncio.sleep(0)
    shelf.may_answer.set()

    assert [await first, *(await asyncio.gather(*others))] == [1, 1, 2]
    assert shelf.asked == [{"a"}, {"a", "bb"}]


async def test_a_failure_reaches_only_the_callers_of_its_batch() -> None:
    shelf = BatchLookup()
    lengths = BatchedLookup(shelf.look_up)

    with pytest.raises(ValueError, match="broken"):
        await lengths.find("broken")

    assert await lengths.find("bb") == 2


async def test_a_cancelled_lookup_does_not_affect_others() -> None:
    shelf = BatchLookup()
    lengths = BatchedLookup(shelf.look_up)
    shelf.may_answer.clear()
    waiting = [asyncio.create_task(lengths.find(word)) for word in ("a", "bb")]
    await shelf.is_asked.wait()
    waiting[0].cancel()
    await asyncio.sleep(0)
    shelf.may_answer.set()

    assert await waiting[1] == 2


async def test_batches_respect_the_parameter_limit_of_the_database() -> None:
    shelf = BatchLookup()
    lengths = BatchedLookup(shelf.look_up)

    found = await asyncio.gather(*(lengths.find(f"{at:06}") for at in range(MOST_AT_ONCE + 1)))

    assert set(found) == {6}
    assert sorted(map(len, shelf.asked)) == [1, MOST_AT_ONCE]
