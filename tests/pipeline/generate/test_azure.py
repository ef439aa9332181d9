"""Azure through pydantic-ai: its addresses, its key, and its content filter."""

from collections.abc import AsyncIterator

import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import Completion, FailureReason, Usage
from edison.pipeline.generate.providers.azure import Azure
from tests.fake_providers import azure, openai
from tests.fake_providers.scripted_server import Reply, ScriptedServer, running
from tests.pipeline.generate.asking import EVERYTHING, answer_of, failure_of, streamed

USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12, reasoning_tokens=4)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(openai.completion())
        yield server


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[Azure]:
    provider = Azure.open(
        {"api_key": "planted", "endpoint": server.url}, network=NetworkPolicy(allow_loopback=True)
    )
    yield provider
    await provider.close()


async def test_asks_the_deployment_with_the_resources_key(
    server: ScriptedServer, provider: Azure
) -> None:
    answer = await answer_of(provider, model="my-gpt-4o", parameters=EVERYTHING)
    assert server.last.path == "/openai/deployments/my-gpt-4o/chat/completions"
    assert server.last.query == {"api-version": "2024-10-21"}
    assert server.last.headers["api-key"] == "planted"
    assert "authorization" not in server.last.headers
    assert (answer.text, answer.usage) == ("Paris.", USAGE)
    assert answer.ignored_parameters == ()


async def test_streams(server: ScriptedServer, provider: Azure) -> None:
    server.script(openai.text_stream("Pa", "ris."))
    pieces, end = await streamed(provider)
    assert pieces == ["Pa", "ris."]
    assert isinstance(end, Completion)
    assert end.usage == USAGE


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (azure.FILTERED_PROMPT, FailureReason.CONTENT_FILTER),
        (openai.completion("", finish_reason="content_filter"), FailureReason.CONTENT_FILTER),
        (azure.NO_DEPLOYMENT, FailureReason.MODEL_NOT_FOUND),
        (azure.WRONG_KEY, FailureReason.INVALID_KEY),
        (openai.error(429, retry_after="3"), FailureReason.RATE_LIMIT),
    ],
)
async def test_bad_answers_have_a_reason(
    server: ScriptedServer, provider: Azure, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    assert (await failure_of(provider)).reason is reason


async def test_lists_the_models_of_the_resource(server: ScriptedServer, provider: Azure) -> None:
    server.script(openai.MODELS)
    assert await provider.check() is None
    assert server.last.path == "/openai/models"
    server.script(azure.WRONG_KEY)
    failure = await provider.check()
    assert failure is not None
    assert failure.reason is FailureReason.INVALID_KEY
