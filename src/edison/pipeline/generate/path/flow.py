"""Who takes the next turn when several streams of calls wait for the same slots.

A flow is all that belongs together, such as one run. Flows take turns, one call each, so a run of
ten thousand calls holds up a run of ten no longer than another run of ten would. Flows that a
person watches go first, but they leave every fourth turn to the others.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

# How many turns in a row interactive flows take while others wait.
INTERACTIVE_TURNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """`key` tells flows apart. `is_interactive`: a person waits for the answer."""

    key: str
    is_interactive: bool = False


# Of those who call for nobody in particular.
ANYBODY = Flow(key="")

Waiting = TypeVar("Waiting")
# The flows of one kind in the order of their turns, each with those who wait in it, oldest first.
Rotation = OrderedDict[str, OrderedDict[Waiting, None]]


class FairQueue(Generic[Waiting]):
    def __init__(self) -> None:
        self._interactive: Rotation[Waiting] = OrderedDict()
        self._others: Rotation[Waiting] = OrderedDict()
        self._size = 0
        self._turns_in_a_row = 0

    def __len__(self) -> int:
        return self._size

    def add(self, flow: Flow, waiting: Waiting) -> None:
        rotation = self._rotation(flow)
        line = rotation.get(flow.key)
        if line is None:
            line = rotation[flow.key] = OrderedDict()
        line[waiting] = None
        self._size += 1

    def take(self) -> Waiting:
        """The next in turn. Raises StopIteration when nobody waits."""
        rotation = self._next_rotation()
        key = next(iter(rotation))
        line = rotation[key]
        taken, _ = line.popitem(last=False)
        self._size -= 1
        if line:
            rotation.move_to_end(key)
        else:
            del rotation[key]
        return taken

    def discard(self, flow: Flow, waiting: Waiting) -> None:
        """Leave out of turn, if still there."""
        rotation = self._rotation(flow)
        line = rotation.get(flow.key)
        if line is None or waiting not in line:
            return
        del line[waiting]
        self._size -= 1
        if not line:
            del rotation[flow.key]

    def drop_while(self, is_dropped: Callable[[Waiting], bool]) -> None:
        """Of every flow leave out the oldest, up to the first who stays."""
        for rotation in (self._interactive, self._others):
            for key, line in list(rotation.items()):
                while line and is_dropped(next(iter(line))):
                    line.popitem(last=False)
                    self._size -= 1
                if not line:
                    del rotation[key]

    def __iter__(self) -> Iterator[Waiting]:
        for rotation in (self._interactive, self._others):
            for line in rotation.values():
                yield from line

    def _rotation(self, flow: Flow) -> Rotation[Waiting]:
        return self._interactive if flow.is_interactive else self._others

    def _next_rotation(self) -> Rotation[Waiting]:
        if not (self._interactive and self._others):
            self._turns_in_a_row = 0
            return self._interactive or self._others
        if self._turns_in_a_row < INTERACTIVE_TURNS:
            self._turns_in_a_row += 1
            return self._interactive
        self._turns_in_a_row = 0
        return self._others
