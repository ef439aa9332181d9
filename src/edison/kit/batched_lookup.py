"""Batched lookups: concurrent lookups by key share one query."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from typing import Generic, TypeVar

from edison.kit.wake import wake_in_groups

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST_AT_ONCE = 500


class BatchedLookup(Generic[Key, Value]):
    """Keys requested while a query is running share the next one. `pause_seconds` is a delay before
    each query, to collect more keys. Bound to one event loop.
    """

    def __init__(
        self,
        look_up: Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]],
        *,
        pause_seconds: float = 0,
    ) -> None:
        self._look_up = look_up
        self._pause_seconds = pause_seconds
        self._wanted: list[tuple[Key, asyncio.Future[Value | None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def find(self, key: Key) -> Value | None:
        found: asyncio.Future[Value | None] = asyncio.get_running_loop().create_future()
        self._wanted.append((key, found))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="grouped lookups")
        return await found

    async def _run(self) -> None:
        while self._wanted:
            if self._pause_seconds:
                await asyncio.sleep(self._pause_seconds)
            wanted, self._wanted = self._wanted[:MOST_AT_ONCE], self._wanted[MOST_AT_ONCE:]
            try:
                values = await self._look_up({key for key, _ in wanted})
            except Exception as failure:  # passed on to the waiters
                for _, found in wanted:
                    if not found.done():
                        found.set_exception(failure)
                continue
            await wake_in_groups(wanted, partial(_answer, values))


def _answer(
    values: Mapping[Key, Value], waiter: "tuple[Key, asyncio.Future[Value | None]]"
) -> None:
    key, found = waiter
    if not found.done():
        found.set_result(values.get(key))
