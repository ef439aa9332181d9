"""Live text: streamed tokens of cells before they are stored.

Live text is never stored: it may become void, and the output replaces it. The process that fills a
cell broadcasts pieces a few times a second, and every process that serves runs assembles them, so
that late readers see the text from its beginning. This works on one process or several, writes no
rows, and leaves nothing behind after a crash: the process that takes over starts again under a new
token. A lost broadcast leaves a gap, shown as an ellipsis, until the output is stored.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any
from uuid import UUID

import orjson
import structlog
from sqlalchemy.exc import SQLAlchemyError

from edison.db.broadcasts import MOST_BYTES, Broadcasts
from edison.db.wakeups import Wakeups
from edison.kit import ids
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import TextDelta
from edison.pipeline.generate.path.question import Restarted
from edison.runs.store.answers import storable
from edison.runs.store.transitions import progress_topic

SUBJECT = "texts"
# Characters per answer; the rest appears with the stored output.
LONGEST_TEXT = 20_000
# Texts without a new piece for this long are dropped. A later piece starts the text again.
STALE_AFTER_SECONDS = 120.0
GAP = "… "

# Case, variant, repeat.
Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The next piece of a cell's text. `token` changes whenever the text restarts; `start` is the
    piece's offset. `text` is None when the answer has ended.
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
    """`end` is the expected offset of the next piece, as counted by the sender."""

    token: str
    text: str
    end: int
    heard_at: float


class LiveTexts:
    """The live texts of all runs. One per process that serves runs."""

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
        broadcasts.subscribe(SUBJECT, self._receive)

    def open(self, run_id: UUID) -> "TextReader":
        return TextReader(self, run_id)

    def has_texts(self, run_id: UUID) -> bool:
        return run_id in self._runs

    def texts_of(self, run_id: UUID) -> Sequence[tuple[Place, str, str]]:
        """Place, token and text of every cell in progress."""
        found = self._runs.get(run_id, {})
        return [(place, each.token, each.text) for place, each in found.items()]

    def _receive(self, message: str) -> None:
        run_id, pieces = read_message(message)
        self._forget_silent()
        texts = self._runs.setdefault(run_id, {})
        for piece in pieces:
            self._put(texts, piece)
        if not texts:
            del self._runs[run_id]
        self._wakeups.wake([progress_topic(run_id)])

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
        oldest = self._monotonic() - STALE_AFTER_SECONDS
        for run_id, texts in list(self._runs.items()):
            kept = {place: text for place, text in texts.items() if text.heard_at >= oldest}
            if kept:
                self._runs[run_id] = kept
            else:
                del self._runs[run_id]


class TextReader:
    """Read position of one reader in a run's live texts."""

    def __init__(self, board: LiveTexts, run_id: UUID) -> None:
        self._board = board
        self._run_id = run_id
        self._seen: dict[Place, tuple[str, int]] = {}

    def take_new(self) -> list[dict[str, Any]]:
        """Cells with new text since the last call. The client keeps its text up to `start` and
        appends `text`.
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
# Delay before the first piece, so that pieces of several cells share one message.
FIRST_SECONDS = 0.03
# Characters per piece; fits into one message in any encoding.
LONGEST_PIECE = 1_200
# Bytes per piece for place, token and start; a character takes up to six bytes in JSON.
_OVERHEAD_BYTES = 120
_BYTES_PER_CHARACTER = 6
_LOST = (SQLAlchemyError, OSError, TimeoutError)


class LiveText:
    """The live text of one cell, on the sending side."""

    def __init__(self, live_text_writer: "LiveTextWriter", run_id: UUID, place: Place) -> None:
        self.run_id = run_id
        self._live_text_writer = live_text_writer
        self._place = place
        self._token = ids.new_id().hex
        # Number of characters sent, and the text not sent yet.
        self._start = 0
        self._rest = ""
        self._is_over = False

    def append(self, item: TextDelta | Restarted) -> None:
        if isinstance(item, Restarted):
            self.restart()
        else:
            room = LONGEST_TEXT - self._start - len(self._rest)
            self._rest += item.text[: max(0, room)]
            self._live_text_writer.schedule(self)

    def restart(self) -> None:
        """Discards the text, for example when the call is retried."""
        self._token, self._start, self._rest = ids.new_id().hex, 0, ""

    def close(self) -> None:
        """Ends the live text: the answer is complete, or the call failed."""
        self._is_over = True
        self._live_text_writer.schedule(self)

    def take(self) -> Iterator[Piece]:
        """Yields the unsent pieces and marks them as sent."""
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


class LiveTextWriter:
    """Broadcasts live texts. One per process that fills chunks."""

    def __init__(self, broadcasts: Broadcasts) -> None:
        self._broadcasts = broadcasts
        self._wanted: dict[LiveText, None] = {}
        self._sent_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def open(self, run_id: UUID, place: Place) -> Iterator[LiveText]:
        live_text = LiveText(self, run_id, place)
        try:
            yield live_text
        finally:
            live_text.close()

    def schedule(self, live_text: LiveText) -> None:
        """Schedules the text for the next broadcast."""
        self._wanted[live_text] = None
        if self._task is None:
            self._task = asyncio.create_task(self._send_loop(), name="live text writer")

    async def _send_loop(self) -> None:
        try:
            while self._wanted:
                pause = self._sent_at + SECONDS_BETWEEN - time.monotonic()
                await asyncio.sleep(max(FIRST_SECONDS, pause))
                self._sent_at = time.monotonic()
                wanted, self._wanted = self._wanted, {}
                messages = list(_messages(wanted))
                if messages:
                    await self._broadcasts.send(SUBJECT, messages)
        except _LOST as lost:
            log.info("live text not sent", reason=type(lost).__name__)
        finally:
            self._task = None


def _messages(texts: Iterable[LiveText]) -> Iterator[str]:
    """Packs the pieces into as few messages as possible."""
    for run_id, of_run in groupby(sorted(texts, key=_run_of), key=_run_of):
        pieces: list[Piece] = []
        size = _OVERHEAD_BYTES
        for piece in (piece for live_text in of_run for piece in live_text.take()):
            needed = _OVERHEAD_BYTES + _BYTES_PER_CHARACTER * len(piece.text or "")
            if pieces and size + needed > MOST_BYTES:
                yield write_message(run_id, pieces)
                pieces, size = [], _OVERHEAD_BYTES
            pieces.append(piece)
            size += needed
        if pieces:
            yield write_message(run_id, pieces)


def _run_of(live_text: LiveText) -> UUID:
    return live_text.run_id
