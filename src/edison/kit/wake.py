"""Resuming many waiters without blocking the event loop."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar

Waiter = TypeVar("Waiter")

# Resuming hundreds in one turn of the event loop would delay everything else.
AT_ONCE = 32


async def wake_in_groups(waiters: Iterable[Waiter], wake: Callable[[Waiter], object]) -> None:
    for at, waiter in enumerate(waiters, start=1):
        wake(waiter)
        if at % AT_ONCE == 0:
            await asyncio.sleep(0)
