"""A server that speaks OpenAI's protocol, and the lean adapter connected to it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import (
    Usage,
)
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import ScriptedServer, running

LOOPBACK = NetworkPolicy(allow_loopback=True)
USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12, reasoning_tokens=4)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(openai.completion())
        yield server


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[OpenAICompatible]:
    provider = open_provider(f"{server.url}/v1/", api_key="sk-planted")
    yield provider
    await provider.close()


def open_provider(base_url: str, **fields: Any) -> OpenAICompatible:
    return OpenAICompatible.open({"base_url": base_url, **fields}, network=LOOPBACK)
