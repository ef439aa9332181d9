"""Tells those who watch a run what its cells have been answered so far: see `runs/engine/texts`.

Pieces are gathered and sent a few times a second, however fast a model speaks. Nothing waits for
it, and nothing is lost with it but a view: the answer itself goes its own way.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from uuid import UUID

import structlog
from sqlalchemy.exc import SQLAlchemyError

from edison.db.broadcasts import MOST_BYTES, Broadcasts
from edison.kit import ids
from edison.pipeline.generate.outcome import TextDelta
from edison.pipeline.generate.path.question import Restarted
from edison.runs.engine.filling.answers import storable
from edison.runs.engine.texts import LONGEST_TEXT, TOPIC, Piece, Place, write_message

log = structlog.get_logger(__name__)

SECONDS_BETWEEN = 0.2
# Before the first words, so that those of several cells come together.
FIRST_SECONDS = 0.03
# So short that a message has room for it, however its characters are written.
LONGEST_PIECE = 1_200
# Of one piece: its place, token and start, and a character that takes six bytes in JSON.
_OVERHEAD_BYTES = 120
_BYTES_PER_CHARACTER = 6
_LOST = (SQLAlchemyError, OSError, TimeoutError)


class Telling:
    """The text of one cell that is being answered."""

    def __init__(self, teller: "Teller", run_id: UUID, place: Place) -> None:
        self.run_id = run_id
        self._teller = teller
        self._place = place
        self._token = ids.new_id().hex
        # What was sent, and what is still to be.
        self._start = 0
        self._rest = ""
        self._is_over = False

    def hear(self, item: TextDelta | Restarted) -> None:
        if isinstance(item, Restarted):
            self.restart()
        else:
            room = LONGEST_TEXT - self._start - len(self._rest)
            self._rest += item.text[: max(0, room)]
            self._teller.want(self)

    def restart(self) -> None:
        """What was told is void."""
        self._token, self._start, self._rest = ids.new_id().hex, 0, ""

    def close(self) -> None:
        """The answer is there, or will never be."""
        self._is_over = True
        self._teller.want(self)

    def take(self) -> Iterator[Piece]:
        """What is to be told; afterwards it counts as told."""
        if self._is_over:
            if self._start:
                yield Piece(place=self._place, token=self._token, start=self._start, text=None)
            return
        while self._rest:
            text, self._rest = self._rest[:LONGEST_PIECE], self._rest[LONGEST_PIECE:]
            yield Piece(
                place=self._place, token=self._token, start=self._start, text=storable(text)
            )
            self._start += len(text)


class Teller:
    """One per process that fills chunks."""

    def __init__(self, broadcasts: Broadcasts) -> None:
        self._broadcasts = broadcasts
        self._wanted: dict[Telling, None] = {}
        self._told_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def telling(self, run_id: UUID, place: Place) -> Iterator[Telling]:
        telling = Telling(self, run_id, place)
        try:
            yield telling
        finally:
            telling.close()

    def want(self, telling: Telling) -> None:
        """It has something to tell."""
        self._wanted[telling] = None
        if self._task is None:
            self._task = asyncio.create_task(self._keep_telling(), name="teller")

    async def _keep_telling(self) -> None:
        try:
            while self._wanted:
                pause = self._told_at + SECONDS_BETWEEN - time.monotonic()
                await asyncio.sleep(max(FIRST_SECONDS, pause))
                self._told_at = time.monotonic()
                wanted, self._wanted = self._wanted, {}
                messages = list(_messages(wanted))
                if messages:
                    await self._broadcasts.send(TOPIC, messages)
        except _LOST as lost:
            log.info("texts not told", reason=type(lost).__name__)
        finally:
            self._task = None


def _messages(tellings: Iterable[Telling]) -> Iterator[str]:
    """As few as have room for everything."""
    for run_id, of_run in groupby(sorted(tellings, key=_run_of), key=_run_of):
        pieces: list[Piece] = []
        size = _OVERHEAD_BYTES
        for piece in (piece for telling in of_run for piece in telling.take()):
            needed = _OVERHEAD_BYTES + _BYTES_PER_CHARACTER * len(piece.text or "")
            if pieces and size + needed > MOST_BYTES:
                yield write_message(run_id, pieces)
                pieces, size = [], _OVERHEAD_BYTES
            pieces.append(piece)
            size += needed
        if pieces:
            yield write_message(run_id, pieces)


def _run_of(telling: Telling) -> UUID:
    return telling.run_id
