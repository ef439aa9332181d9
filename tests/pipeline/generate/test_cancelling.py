"""A cancelled call stops at once, for every kind of call, and leaves its provider usable."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import Completion
from tests.fake_providers import anthropic, bedrock, openai
from tests.fake_providers.scripted_server import Reply, ScriptedServer, Silence, running
from tests.pipeline.generate.asking import make_call

KEYS: dict[str, dict[str, Any]] = {
    "openai_compatible": {},
    "openai": {"api_key": "k"},
    "anthropic": {"api_key": "k"},
    "bedrock": {"api_key": "k"},
}
ANSWERS: dict[str, Reply] = {
    "openai_compatible": openai.completion(),
    "openai": openai.completion(),
    "anthropic": anthropic.message(),
    "bedrock": bedrock.answer(),
}


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        yield server


@pytest.mark.parametrize("key", sorted(KEYS))
async def test_a_cancelled_call_stops_at_once(key: str, server: ScriptedServer) -> None:
    address = "endpoint_url" if key == "bedrock" else "base_url"
    provider = catalog.load_provider(key).open(
        {**KEYS[key], address: server.url}, network=NetworkPolicy(allow_loopback=True)
    )
    server.script(Silence())
    call = make_call(timeout_seconds=3)
    under_way = asyncio.create_task(provider.complete(call))
    await server.was_asked.wait()
    loop = asyncio.get_running_loop()
    began = loop.time()
    under_way.cancel()
    with pytest.raises(asyncio.CancelledError):
        await under_way
    assert loop.time() - began < 1
    server.script(ANSWERS[key])
    assert isinstance(await provider.complete(call), Completion)
    await provider.close()
