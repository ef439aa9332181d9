"""Answers while they are being given, for whoever watches.

What a model has said so far is no output: it may be void in a moment, and nobody needs it once the
answer is whole. So it is never stored. Whoever fills a cell broadcasts the pieces a few times a
second (`filling/telling.py`), and every process that shows runs puts them together here, so that
somebody who comes late sees the text from its beginning. This works alike on one process and on
several, costs no row, and leaves nothing behind when a process is killed: another one that takes
over begins anew, under another token. What a broadcast loses is missing between two pieces until
the output is there, and an ellipsis says so.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

import orjson
import structlog
from sqlalchemy.exc import SQLAlchemyError

from edison.db.broadcasts import MOST_BYTES, Broadcasts
from edison.db.wakeups import Wakeups
from edison.kit import ids
from edison.pipeline.generate.outcome import TextDelta
from edison.pipeline.generate.path.question import Restarted
from edison.runs.store.answers import storable
from edison.runs.store.transitions import progress_channel

TOPIC = "texts"
# Of one answer; what comes after is seen when it is whole.
LONGEST_TEXT = 20_000
# Whoever was silent for so long has died, or thinks: what it says next is seen all the same.
FORGOTTEN_SECONDS = 120.0
GAP = "… "

# Case, variant and repeat.
Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What comes next in a cell. `token` is another one whenever its text begins anew; `start` is
    where the piece belongs. Without a text, the cell is no longer being answered.
    """

    place: Place
    token: str
    start: int
    text: str | None


def write_message(run_id: UUID, pieces: Iterable[Piece]) -> str:
    said = [[*each.place, each.token, each.start, each.text] for each in pieces]
    return orjson.dumps([str(run_id), said]).decode()


def read_message(message: str) -> tuple[UUID, list[Piece]]:
    run_id, said = orjson.loads(message)
    return UUID(run_id), [
        Piece(place=(case, variant, repeat), token=token, start=start, text=text)
        for case, variant, repeat, token, start, text in said
    ]


@dataclass(slots=True, kw_only=True)
class _Text:
    """`end` is where the next piece should begin, by the count of who tells."""

    token: str
    text: str
    end: int
    heard_at: float


class TextBoard:
    """One per process that shows runs."""

    def __init__(
        self,
        broadcasts: Broadcasts,
        wakeups: Wakeups,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wakeups = wakeups
        self._monotonic = monotonic
        self._runs: dict[UUID, dict[Place, _Text]] = {}
        broadcasts.subscribe(TOPIC, self._hear)

    def open(self, run_id: UUID) -> "TextReader":
        return TextReader(self, run_id)

    def has_texts(self, run_id: UUID) -> bool:
        return run_id in self._runs

    def texts_of(self, run_id: UUID) -> Sequence[tuple[Place, str, str]]:
        """Places, tokens and texts of the cells that are being answered."""
        found = self._runs.get(run_id, {})
        return [(place, each.token, each.text) for place, each in found.items()]

    def _hear(self, message: str) -> None:
        run_id, pieces = read_message(message)
        self._forget_silent()
        texts = self._runs.setdefault(run_id, {})
        for piece in pieces:
            self._put(texts, piece)
        if not texts:
            del self._runs[run_id]
        self._wakeups.wake([progress_channel(run_id)])

    def _put(self, texts: dict[Place, _Text], piece: Piece) -> None:
        known = texts.get(piece.place)
        if piece.text is None:
            if known is not None and known.token == piece.token:
                del texts[piece.place]
            return
        if known is None or known.token != piece.token:
            known = texts[piece.place] = _Text(token=piece.token, text="", end=0, heard_at=0.0)
        known.text += piece.text if piece.start == known.end else GAP + piece.text
        known.end = piece.start + len(piece.text)
        known.heard_at = self._monotonic()

    def _forget_silent(self) -> None:
        oldest = self._monotonic() - FORGOTTEN_SECONDS
        for run_id, texts in list(self._runs.items()):
            kept = {place: text for place, text in texts.items() if text.heard_at >= oldest}
            if kept:
                self._runs[run_id] = kept
            else:
                del self._runs[run_id]


class TextReader:
    """What one reader of a run has seen of its texts."""

    def __init__(self, board: TextBoard, run_id: UUID) -> None:
        self._board = board
        self._run_id = run_id
        self._seen: dict[Place, tuple[str, int]] = {}

    def list_news(self) -> list[dict[str, Any]]:
        """For each cell with more text than before: the text is what was known up to `start`, and
        then this.
        """
        news = []
        seen: dict[Place, tuple[str, int]] = {}
        for place, token, text in self._board.texts_of(self._run_id):
            seen_token, length = self._seen.get(place, (token, 0))
            start = length if seen_token == token else 0
            seen[place] = (token, len(text))
            if len(text) > start:
                case, variant, repeat = place
                news.append(
                    {
                        "case_position": case,
                        "variant_position": variant,
                        "repeat": repeat,
                        "start": start,
                        "text": text[start:],
                    }
                )
        self._seen = seen
        return news


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
