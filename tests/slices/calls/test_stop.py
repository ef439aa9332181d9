"""Stopping a streamed answer, over real connections, which can be dropped."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI

from edison.workspace.accounts.cookies import CSRF_COOKIE, CSRF_HEADER
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Silence, Stream
from tests.slices.calls.conftest import Bench
from tests.support.event_reader import EventReader
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import serving

ENDLESS = Stream(pieces=[openai.chunk({"content": "Paris "})], then="drip")


@pytest.fixture
async def address(app: FastAPI) -> AsyncIterator[str]:
    async with serving(app) as url:
        yield url


@asynccontextmanager
async def trying(bench: Bench, address: str) -> AsyncIterator[EventReader]:
    """A trial of the model; the connection is dropped when the context is left."""
    csrf = bench.ada.cookies[CSRF_COOKIE]
    async with (
        httpx.AsyncClient(
            base_url=address, cookies=dict(bench.ada.cookies), timeout=PATIENCE_SECONDS
        ) as client,
        client.stream(
            "POST",
            f"{bench.url}/models/{bench.model}/try",
            json={"prompt": "Capital of France?"},
            headers={CSRF_HEADER: csrf},
            timeout=PATIENCE_SECONDS,
        ) as response,
    ):
        assert response.status_code == 200
        yield EventReader(response)


async def settled(bench: Bench) -> dict[str, object]:
    """The only ledger entry, once it is charged."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            (entry,) = await bench.ledger()
            if entry["state"] == "settled":
                return entry


async def test_a_disconnected_reader_stops_the_call_and_it_is_charged(
    bench: Bench, address: str
) -> None:
    bench.server.script(ENDLESS)
    async with trying(bench, address) as reader:
        event = await reader.next_event()
        assert event is not None
        assert (event.kind, event.data) == ("delta", {"text": "Paris "})
    entry = await settled(bench)
    assert entry["failure"] == "cancelled"
    assert entry["is_estimated"] is True
    # At least the prompt and the received text.
    assert float(str(entry["cost_usd"])) > 0


async def test_a_call_without_output_is_stopped_too(bench: Bench, address: str) -> None:
    bench.server.script(Silence())
    bench.server.was_asked.clear()
    async with trying(bench, address):
        await bench.server.was_asked.wait()
        assert [entry["state"] for entry in await bench.ledger()] == ["reserved"]
    assert (await settled(bench))["failure"] == "cancelled"


async def test_a_stopping_server_stops_and_charges_the_call(
    bench: Bench, address: str, app: FastAPI
) -> None:
    bench.server.script(ENDLESS)
    async with trying(bench, address) as reader:
        await reader.next_event()
        app.state.database.wakeups.close()
        while await reader.next_block() is not None:
            pass
    assert (await settled(bench))["failure"] == "cancelled"


async def test_a_freed_slot_serves_the_next_call(bench: Bench, address: str) -> None:
    bench.server.script(ENDLESS)
    for _ in range(10):
        async with trying(bench, address) as reader:
            assert (await reader.next_event()) is not None
    bench.server.script(openai.text_stream("Paris."))
    assert (await bench.attempt())[-1][0] == "answered"
