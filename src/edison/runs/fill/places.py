"""How many calls of a run are under way or wait in a dispatch queue of this process.

As many as keep the slots of the queue taken: more would wait there one by one, which takes time,
and those of a slow model would keep the cells of a fast one from being called. The chunks of a run
share them.
"""

import asyncio
from collections.abc import Callable

from edison.pipeline.generate.path.dispatch_queue import DispatchQueue


class Places:
    """Those of one dispatch queue."""

    def __init__(self, dispatch: DispatchQueue) -> None:
        self._dispatch = dispatch
        self._taken = 0
        # Start the calls of a chunk each, in the order in which the chunks began.
        self._starters: list[Callable[[], None]] = []
        self._is_starting = False

    @property
    def most(self) -> int:
        return self._dispatch.wanted

    @property
    def of_this_process(self) -> int:
        return self._dispatch.wanted_here

    @property
    def has_free(self) -> bool:
        return self._taken < self.most

    def take(self) -> None:
        self._taken += 1

    def give_back(self) -> None:
        """Lets the first chunk that has further calls start them: in the next step of the event
        loop, since answers come in groups.
        """
        self._taken -= 1
        if not self._is_starting:
            self._is_starting = True
            asyncio.get_running_loop().call_soon(self._start)

    def _start(self) -> None:
        self._is_starting = False
        for start in list(self._starters):
            if not self.has_free:
                break
            start()

    def join(self, start: Callable[[], None]) -> None:
        """Calls `start` when a place becomes free, until `leave`."""
        self._starters.append(start)

    def leave(self, start: Callable[[], None]) -> None:
        self._starters.remove(start)
