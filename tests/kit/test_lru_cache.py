"""The LRU cache of slow computations."""

import asyncio

from edison.kit.lru_cache import LruCache


async def test_a_value_is_computed_once_and_the_oldest_is_evicted() -> None:
    cache, computed = LruCache[str](2), []

    def ask(key: str) -> "asyncio.Future[str]":
        async def compute() -> str:
            computed.append(key)
            await asyncio.sleep(0)
            return key.upper()

        return asyncio.ensure_future(cache.get_or_compute(key, compute))

    assert await asyncio.gather(ask("a"), ask("a"), ask("b")) == ["A", "A", "B"]
    assert [await ask("a"), await ask("c"), await ask("a")] == ["A", "C", "A"]
    assert computed == ["a", "b", "c"]
    assert await ask("b") == "B"
    assert computed == ["a", "b", "c", "b"]
