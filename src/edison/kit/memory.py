"""In-memory LRU cache for expensive computations, one computation per key at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Answer = TypeVar("Answer")


class Memory(Generic[Answer]):
    """The most recently used answers, per process.

    Entries are never invalidated: a key must hold everything that its answer depends on, such as
    a run's `last_number`, which changes with every change of the run.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[Hashable, Answer] = OrderedDict()
        self._working: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def recall(self, question: Hashable, work_out: Callable[[], Awaitable[Answer]]) -> Answer:
        """Concurrent calls with the same key share one computation."""
        if question not in self._known:
            async with self._working.setdefault(question, asyncio.Lock()):
                if question not in self._known:
                    self._known[question] = await work_out()
                    if len(self._known) > self._size:
                        self._known.popitem(last=False)
        self._known.move_to_end(question)
        return self._known[question]
