"""Fair queue: which call group takes the next free slot.

A call group is a set of calls that belong together, such as one run. Groups take turns, one call
each, so a run of ten thousand calls delays a run of ten no longer than another run of ten would.
Interactive groups go first, but leave every fourth turn to the others.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.path.ports import Waiting

# How many turns in a row interactive groups take while others wait.
INTERACTIVE_TURNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGroup:
    """`key` identifies the group. `is_interactive`: a person waits for the answer."""

    key: str
    is_interactive: bool = False


# For calls that belong to no group.
NO_GROUP = CallGroup(key="")

Item = TypeVar("Item")
# Groups in the order of their turns, each with its waiting items, oldest first.
Rotation = OrderedDict[str, OrderedDict[Item, None]]


class FairQueue(Generic[Item]):
    def __init__(self) -> None:
        self._interactive: Rotation[Item] = OrderedDict()
        self._others: Rotation[Item] = OrderedDict()
        # How many wait.
        self.size = 0
        self._turns_in_a_row = 0

    def add(self, call_group: CallGroup, waiting: Item) -> None:
        rotation = self._rotation(call_group)
        line = rotation.get(call_group.key)
        if line is None:
            line = rotation[call_group.key] = OrderedDict()
        line[waiting] = None
        self.size += 1

    def take(self) -> Item:
        """Removes and returns the next call. Raises StopIteration when the queue is empty."""
        rotation = self._next_rotation()
        key = next(iter(rotation))
        line = rotation[key]
        taken, _ = line.popitem(last=False)
        self.size -= 1
        if line:
            rotation.move_to_end(key)
        else:
            del rotation[key]
        return taken

    def discard(self, call_group: CallGroup, waiting: Item) -> None:
        """Removes the call out of turn. No effect when it is not queued."""
        rotation = self._rotation(call_group)
        line = rotation.get(call_group.key)
        if line is None or waiting not in line:
            return
        del line[waiting]
        self.size -= 1
        if not line:
            del rotation[call_group.key]

    def drop_while(self, is_dropped: Callable[[Item], bool]) -> None:
        """Removes calls from the front of each call group until `is_dropped` returns False."""
        for rotation in (self._interactive, self._others):
            for key, line in list(rotation.items()):
                while line and is_dropped(next(iter(line))):
                    line.popitem(last=False)
                    self.size -= 1
                if not line:
                    del rotation[key]

    def __iter__(self) -> Iterator[Item]:
        for rotation in (self._interactive, self._others):
            for line in rotation.values():
                yield from line

    def _rotation(self, call_group: CallGroup) -> Rotation[Item]:
        return self._interactive if call_group.is_interactive else self._others

    def _next_rotation(self) -> Rotation[Item]:
        if not (self._interactive and self._others):
            self._turns_in_a_row = 0
            return self._interactive or self._others
        if self._turns_in_a_row < INTERACTIVE_TURNS:
            self._turns_in_a_row += 1
            return self._interactive
        self._turns_in_a_row = 0
        return self._others


class Slot(NamedTuple):
    """Permission for one call. Returned exactly once, by `DispatchQueue.leave`."""

    taken: int
    passed: int


class QueuedCall:
    """A call's place in the queue. `news` returns each change of the reason to wait, then the end:
    a slot, or the failure with which the call gives up. `listen` passes the same to a callback.
    """

    __slots__ = (
        "_callback",
        "_end",
        "_future",
        "_is_next",
        "_is_told",
        "_on_next",
        "_reason",
        "call_group",
        "joined_at",
    )

    def __init__(self, call_group: CallGroup, joined_at: float, reason: Waiting) -> None:
        self.call_group = call_group
        self.joined_at = joined_at
        self._reason = reason
        self._is_told = False
        self._end: Slot | CallFailed | None = None
        self._future: asyncio.Future[None] | None = None
        self._callback: Callable[[Waiting | Slot | CallFailed], None] | None = None
        self._is_next = False
        self._on_next: Callable[[], None] | None = None

    def listen(
        self,
        callback: Callable[[Waiting | Slot | CallFailed], None],
        on_next: Callable[[], None] | None = None,
    ) -> None:
        """Calls back with the present news at once, and then with each further one. `on_next` is
        called when the call should prepare for its slot, unless it gets one before.
        """
        if self._end is None:
            self._callback = callback
            self._on_next = on_next
        callback(self._reason if self._end is None else self._end)
        if self._is_next:
            self.call_up()

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

    def call_up(self) -> None:
        """The call is one of those that get the next slots."""
        self._is_next = True
        on_next, self._on_next = self._on_next, None
        if on_next is not None:
            on_next()

    def tell(self, reason: Waiting) -> None:
        self._reason = reason
        self._is_told = False
        self._wake()

    def end(self, end: Slot | CallFailed) -> None:
        self._end = end
        self._wake()
        # Usually they refer to what holds this call; without them both are freed at once.
        self._callback = self._on_next = None

    def _wake(self) -> None:
        if self._callback is not None:
            self._callback(self._reason if self._end is None else self._end)
        if self._future is not None and not self._future.done():
            self._future.set_result(None)
