"""A place in a lane's queue, and the slot in which waiting ends."""

import asyncio
from dataclasses import dataclass

from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.path.flow import Flow
from edison.pipeline.generate.path.ports import Waiting


@dataclass(frozen=True, slots=True)
class Slot:
    """Leave to make one call; handed back by `Lane.leave`, exactly once."""

    taken: int
    passed: int


class Waiter:
    """A place in the queue. `news` tells why it waits as often as that changes, then how it ends:
    in a slot, or in the failure with which the call gives up.
    """

    __slots__ = ("_end", "_future", "_is_told", "_reason", "flow", "joined_at")

    def __init__(self, flow: Flow, joined_at: float, reason: Waiting) -> None:
        self.flow = flow
        self.joined_at = joined_at
        self._reason = reason
        self._is_told = False
        self._end: Slot | CallFailed | None = None
        self._future: asyncio.Future[None] | None = None

    async def news(self) -> Waiting | Slot | CallFailed:
        if self._end is None and self._is_told:
            self._future = asyncio.get_running_loop().create_future()
            await self._future
        if self._end is not None:
            return self._end
        self._is_told = True
        return self._reason

    @property
    def slot(self) -> Slot | None:
        return self._end if isinstance(self._end, Slot) else None

    def tell(self, reason: Waiting) -> None:
        self._reason = reason
        self._is_told = False
        self._wake()

    def end(self, end: Slot | CallFailed) -> None:
        self._end = end
        self._wake()

    def _wake(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)
