"""Lets the chunks of a run begin one after another in a process.

If all began at once, the first request would leave after the cells of all of them were loaded, and
they would split the slots of a model into small waves. They share the places for calls.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.runs.fill.places import Places

# A chunk begins when fewer cells wait than are answered in this many rounds.
ROUNDS = 2


class ChunkTurn:
    """The turn of a chunk. The next one begins when few cells of the run wait in this process."""

    def __init__(self, of_run: "_TurnsOfRun") -> None:
        self._of_run = of_run

    def note(self, waiting: int, *, at_once: int) -> None:
        """How many cells of the chunk wait to be called, and how many are called at a time in all
        processes.
        """
        if places := self._of_run.places.values():
            at_once = min(at_once, sum(each.of_this_process for each in places))
        self._of_run.note(self, waiting, enough=ROUNDS * at_once)

    def places_of(self, dispatch: DispatchQueue) -> Places:
        places = self._of_run.places
        if dispatch not in places:
            places[dispatch] = Places(dispatch)
        return places[dispatch]


class ChunkTurns:
    """One per process."""

    def __init__(self) -> None:
        self._by_run: dict[UUID, _TurnsOfRun] = {}

    @asynccontextmanager
    async def take(self, run_id: UUID) -> AsyncIterator[ChunkTurn]:
        """Waits for the turn of a chunk, which ends with the context."""
        of_run = self._by_run.setdefault(run_id, _TurnsOfRun())
        turn = ChunkTurn(of_run)
        of_run.taking += 1
        try:
            await of_run.begin(turn)
            yield turn
        finally:
            of_run.end(turn)
            of_run.taking -= 1
            if of_run.taking == 0:
                del self._by_run[run_id]


class _TurnsOfRun:
    def __init__(self) -> None:
        # Those that have a turn, or wait for one.
        self.taking = 0
        self.places: dict[DispatchQueue, Places] = {}
        self._enough = 0
        self._waiting: dict[ChunkTurn, int] = {}
        self._changed = asyncio.Event()
        # Held until the chunk notes its cells for the first time.
        self._beginning = asyncio.Lock()
        self._beginner: ChunkTurn | None = None

    async def begin(self, turn: ChunkTurn) -> None:
        await self._beginning.acquire()
        self._beginner = turn
        while self._waiting and sum(self._waiting.values()) >= self._enough:
            self._changed.clear()
            await self._changed.wait()

    def note(self, turn: ChunkTurn, waiting: int, *, enough: int) -> None:
        self._enough = enough
        self._waiting[turn] = waiting
        self._let_next_begin(turn)

    def end(self, turn: ChunkTurn) -> None:
        self._waiting.pop(turn, None)
        self._let_next_begin(turn)

    def _let_next_begin(self, turn: ChunkTurn) -> None:
        self._changed.set()
        if self._beginner is turn:
            self._beginner = None
            self._beginning.release()
