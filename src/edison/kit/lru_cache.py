"""In-memory LRU cache for expensive computations, one computation per key at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")


class LruCache(Generic[Value]):
    """The most recently used values, per process.

    Entries are never invalidated: a key must hold everything that its value depends on, such as
    a run's `last_number`, which changes with every change of the run.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._computing: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def get_or_compute(self, key: Hashable, compute: Callable[[], Awaitable[Value]]) -> Value:
        """Concurrent calls with the same key share one computation."""
        if key not in self._values:
            async with self._computing.setdefault(key, asyncio.Lock()):
                if key not in self._values:
                    self._values[key] = await compute()
                    if len(self._values) > self._size:
                        self._values.popitem(last=False)
        self._values.move_to_end(key)
        return self._values[key]
