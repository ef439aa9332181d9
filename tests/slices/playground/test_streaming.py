"""Live answers: visible to watchers, and not stored."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI

from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Stream
from tests.slices.playground.conftest import ANSWER, Playground
from tests.support.event_reader import EventReader, reading
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import serving

ENDING = openai.chunk({}, finish_reason="stop") + openai.chunk(usage=openai.USAGE) + openai.DONE


@pytest.fixture
async def base_url(app: FastAPI) -> AsyncIterator[str]:
    async with serving(app) as url:
        yield url


def endless(*texts: str) -> Stream:
    """Streams this text, and then nothing visible until it is stopped."""
    pieces = [openai.chunk({"content": text}) for text in texts]
    return Stream(pieces=[*pieces, openai.chunk({"content": ""})], then="drip")


async def next_texts(reader: EventReader, known: str = "") -> str:
    """The text of the only cell, as a page assembles it."""
    while (event := await reader.next_event()) is not None:
        if event.kind == "texts":
            (told,) = event.data["texts"]
            assert (told["case_position"], told["variant_position"], told["repeat"]) == (0, 0, 0)
            assert event.id is None
            return known[: told["start"]] + str(told["text"])
    raise AssertionError("The stream ended without a text.")


async def test_an_answer_is_streamed_and_then_stored(playground: Playground, base_url: str) -> None:
    desk, reply = playground.desk, endless("It is ", "on its way.")
    desk.server.choose = lambda received: reply
    run = await playground.start(cases={"limit": 1})
    url = f"{base_url}{desk.url}/{run['id']}/events"
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        reading(url, cookies=desk.dataset.editor.cookies, last_event_id=0) as reader,
    ):
        known = await next_texts(reader)
        while known != ANSWER:
            known = await next_texts(reader, known)
        assert await desk.cells(run["id"]) == []
        # A late reader gets all of it at once.
        async with reading(url, cookies=desk.dataset.editor.cookies) as late:
            assert await next_texts(late) == ANSWER

        reply.pieces[-1] = ENDING
        kinds: list[Any] = []
        while (event := await reader.next_event()) is not None:
            kinds.append(event.kind)
            if event.kind == "progress" and event.data["state"] == "completed":
                break
        assert "cells" in kinds

    (cell,) = await desk.cells(run["id"])
    assert (cell["status"], cell["preview"], cell["output_tokens"]) == ("ok", ANSWER, 9)
    # Stored like any other answer, and no longer live.
    again = await playground.run(cases={"limit": 1})
    assert (again["cached_count"], again["cost_usd"]) == (1, "0.00")
    assert len(desk.server.received) == 1


async def test_a_cancelled_stream_is_charged_its_reservation(
    playground: Playground, base_url: str
) -> None:
    desk = playground.desk
    desk.server.choose = lambda received: endless("x" * 300)
    run = await playground.start(cases={"limit": 1})
    url = f"{base_url}{desk.url}/{run['id']}/events"
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        reading(url, cookies=desk.dataset.editor.cookies, last_event_id=0) as reader,
    ):
        assert await next_texts(reader) == "x" * 300
        cancelled = await desk.post(f"/runs/{run['id']}/cancel")
        assert cancelled.json()["state"] == "cancelled"
        while [entry["state"] for entry in await desk.ledger()] == ["reserved"]:
            await asyncio.to_thread(time.sleep, 0.05)

    (entry,) = await desk.ledger()
    assert (entry["failure"], entry["is_estimated"]) == ("cancelled", True)
    # The provider's output after the cut is unknown: max tokens are charged.
    assert (entry["output_tokens"], entry["run_id"]) == (4096, run["id"])
    # At 2 and 8 dollars per million.
    assert float(entry["cost_usd"]) == pytest.approx(
        (2 * entry["input_tokens"] + 8 * 4096) / 1_000_000
    )
    assert await desk.cells(run["id"]) == []


async def test_only_playground_runs_are_streamed(playground: Playground) -> None:
    desk = playground.desk
    await desk.run(cases={"limit": 1})
    assert "stream" not in desk.server.last.body
    await playground.run(cases={"limit": 1}, is_cache_bypassed=True)
    assert desk.server.last.body["stream"] is True
