"""Keeps what took long to find out, and finds each out once at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Answer = TypeVar("Answer")


class Memory(Generic[Answer]):
    """Answers to the questions that were asked last. Each process has its own.

    Nothing here is ever looked at again: a question has to hold whatever its answer depends on,
    such as the number that a run has after every change.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[Hashable, Answer] = OrderedDict()
        self._working: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def recall(self, question: Hashable, work_out: Callable[[], Awaitable[Answer]]) -> Answer:
        """Who asks while the same question is worked on gets that answer."""
        if question not in self._known:
            async with self._working.setdefault(question, asyncio.Lock()):
                if question not in self._known:
                    self._known[question] = await work_out()
                    if len(self._known) > self._size:
                        self._known.popitem(last=False)
        self._known.move_to_end(question)
        return self._known[question]
