"""Answers while they are being given, for whoever watches.

What a model has said so far is no output: it may be void in a moment, and nobody needs it once the
answer is whole. So it is never stored. Whoever fills a cell broadcasts the pieces a few times a
second (`filling/telling.py`), and every process that shows runs puts them together here, so that
somebody who comes late sees the text from its beginning. This works alike on one process and on
several, costs no row, and leaves nothing behind when a process is killed: another one that takes
over begins anew, under another token. What a broadcast loses is missing between two pieces until
the output is there, and an ellipsis says so.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from edison.db.broadcasts import Broadcasts
from edison.db.wakeups import Wakeups
from edison.runs.engine.control import progress_channel

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
