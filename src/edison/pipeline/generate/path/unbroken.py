"""Work with money that goes on to its end when the call it belongs to is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from edison.pipeline.generate.path.ports import Intent, Reservation, Settlement, Till

Result = TypeVar("Result")
# The event loop holds its tasks only weakly.
_unfinished: set[asyncio.Task[Any]] = set()


async def unbroken(work: Coroutine[Any, Any, Result]) -> Result:
    """Whoever waits here can be cancelled; the work cannot."""
    return await asyncio.shield(_started(work))


async def reserve(till: Till, intent: Intent) -> Reservation:
    """A reservation that nobody waits for any longer is settled as soon as it is there."""
    task = _started(till.reserve(intent))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await unbroken(_give_back(task))
        raise


async def _give_back(reserving: asyncio.Task[Reservation]) -> None:
    await asyncio.wait([reserving])
    if not reserving.cancelled() and reserving.exception() is None:
        unused = Settlement(cost_nanos=0, usage=None, failure="cancelled")
        await reserving.result().settle(unused)


def _started(work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
    task = asyncio.get_running_loop().create_task(work)
    _unfinished.add(task)
    task.add_done_callback(_unfinished.discard)
    return task
