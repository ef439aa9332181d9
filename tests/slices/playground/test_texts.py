"""Live texts of cells, from the live text writer to the readers of a run."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.db.broadcasts import MOST_BYTES, Broadcasts
from edison.db.engine import open_engine
from edison.db.wakeups import Wakeups
from edison.kit import ids
from edison.pipeline.generate.outcome import TextDelta
from edison.pipeline.generate.path.question import Restarted
from edison.runs.store import live_text
from edison.runs.store.live_text import (
    LONGEST_TEXT,
    STALE_AFTER_SECONDS,
    SUBJECT,
    LiveTexts,
    LiveTextWriter,
    TextReader,
)

RUN = ids.new_id()
PLACE = (3, 1, 0)


class LiveTextHarness:
    """A writer and a board, with a clock set by hand."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.now = 1000.0
        self.messages: list[str] = []
        self.broadcasts = Broadcasts(engine)
        self.board = LiveTexts(self.broadcasts, Wakeups(), monotonic=lambda: self.now)
        self.broadcasts.subscribe(SUBJECT, self.messages.append)
        self.writer = LiveTextWriter(self.broadcasts)

    def reader(self, run_id: UUID = RUN) -> TextReader:
        return self.board.open(run_id)

    async def flush(self) -> None:
        await asyncio.sleep(5 * live_text.SECONDS_BETWEEN)


@pytest.fixture
async def harness(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveTextHarness]:
    monkeypatch.setattr(live_text, "SECONDS_BETWEEN", 0.005)
    monkeypatch.setattr(live_text, "FIRST_SECONDS", 0.0)
    engine = open_engine("sqlite+aiosqlite://")
    async with engine.connect():
        yield LiveTextHarness(engine)
    await engine.dispose()


def said(news: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(each["start"], each["text"]) for each in news]


async def test_each_reader_gets_only_new_text(harness: LiveTextHarness) -> None:
    early = harness.reader()
    with harness.writer.open(RUN, PLACE) as text:
        text.append(TextDelta(text="It "))
        text.append(TextDelta(text="is "))
        await harness.flush()
        assert early.take_new() == [
            {"case_position": 3, "variant_position": 1, "repeat": 0, "start": 0, "text": "It is "}
        ]
        assert early.take_new() == []
        text.append(TextDelta(text="there."))
        await harness.flush()
        assert len(harness.messages) == 2
        assert said(early.take_new()) == [(6, "there.")]
        assert said(harness.reader().take_new()) == [(0, "It is there.")]
        assert harness.reader(ids.new_id()).take_new() == []
    await harness.flush()
    assert harness.reader().take_new() == []


async def test_a_restarted_text_replaces_the_previous_one(harness: LiveTextHarness) -> None:
    reader = harness.reader()
    with harness.writer.open(RUN, PLACE) as text:
        text.append(TextDelta(text="A wrong beginning"))
        await harness.flush()
        assert said(reader.take_new()) == [(0, "A wrong beginning")]
        text.append(TextDelta(text=" that nobody sees"))
        text.append(Restarted(attempt=2))
        text.append(TextDelta(text="Right."))
        await harness.flush()
        assert said(reader.take_new()) == [(0, "Right.")]
        # Another process takes over, since this one counts as dead.
        with harness.writer.open(RUN, PLACE) as other:
            other.append(TextDelta(text="Again."))
            await harness.flush()
            assert said(reader.take_new()) == [(0, "Again.")]


async def test_a_lost_delta_leaves_a_gap_and_a_dead_writer_no_text(
    harness: LiveTextHarness,
) -> None:
    reader = harness.reader()
    with harness.writer.open(RUN, PLACE) as text:
        text.append(TextDelta(text="One "))
        await harness.flush()
        text.append(TextDelta(text="two "))
        list(text.take())
        text.append(TextDelta(text="three"))
        await harness.flush()
        assert said(reader.take_new()) == [(0, "One … three")]

        harness.now += STALE_AFTER_SECONDS + 1
        with harness.writer.open(ids.new_id(), PLACE) as other:
            other.append(TextDelta(text="x"))
            await harness.flush()
        assert harness.reader().take_new() == []


async def test_long_and_unusual_texts_fit_into_messages(harness: LiveTextHarness) -> None:
    strange = "\x01😀\ud800" * 10_000
    with harness.writer.open(RUN, PLACE) as text, harness.writer.open(RUN, (0, 0, 0)) as other:
        text.append(TextDelta(text=strange))
        other.append(TextDelta(text="Short."))
        await harness.flush()
        news = harness.reader().take_new()
    assert {len(each["text"]) for each in news} == {LONGEST_TEXT, len("Short.")}
    sizes = [len(f"{SUBJECT} {message}".encode()) for message in harness.messages]
    assert max(sizes) <= MOST_BYTES
