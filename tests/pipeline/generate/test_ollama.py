"""Ollama's own protocol."""

from collections.abc import AsyncIterator

import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Capabilities
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.providers.ollama import Ollama
from edison.pipeline.score import verdict_schema
from tests.fake_providers import ollama
from tests.fake_providers.scripted_server import Answer, Reply, ScriptedServer, Stream, running
from tests.pipeline.generate.asking import (
    EVERYTHING,
    FEW_SHOTS,
    WEATHER,
    answer_of,
    failure_of,
    streamed,
)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(ollama.answer())
        yield server


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[Ollama]:
    provider = Ollama.open(
        {"base_url": server.url, "context_length": 8192},
        network=NetworkPolicy(allow_loopback=True),
    )
    yield provider
    await provider.close()


async def test_sends_all_parts_in_the_providers_format(
    server: ScriptedServer, provider: Ollama
) -> None:
    await answer_of(
        provider,
        model="llama3.2",
        system="Be brief.",
        messages=FEW_SHOTS,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
    )
    assert server.last.path == "/api/chat"
    body = server.last.body
    assert [message["role"] for message in body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert body["tools"][0]["function"]["name"] == "weather"
    assert {key: body[key] for key in ("model", "stream", "truncate", "format")} == {
        "model": "llama3.2",
        "stream": False,
        "truncate": False,
        "format": "json",
    }
    assert body["options"] == {
        "temperature": 0.3,
        "num_predict": 50,
        "top_p": 0.9,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "stop": ["END", "\n\n"],
        "seed": 7,
        "num_ctx": 8192,
    }


async def test_reads_answer_usage_and_finish_reason(
    server: ScriptedServer, provider: Ollama
) -> None:
    answer = await answer_of(provider)
    assert (answer.text, answer.model) == ("Paris.", "llama3.2")
    assert answer.usage == Usage(input_tokens=26, output_tokens=8)
    assert answer.finish_reason is FinishReason.STOP
    server.script(ollama.answer("Pa", done_reason="length"))
    assert (await answer_of(provider)).finish_reason is FinishReason.LENGTH


async def test_streams_lines(server: ScriptedServer, provider: Ollama) -> None:
    server.script(ollama.stream("Pa", "ris."))
    pieces, end = await streamed(provider)
    assert server.last.body["stream"] is True
    assert pieces == ["Pa", "ris."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage) == ("Paris.", Usage(input_tokens=26, output_tokens=8))


async def test_reads_tool_calls(server: ScriptedServer, provider: Ollama) -> None:
    call = {"function": {"name": "weather", "arguments": {"city": "Oslo"}}}
    server.script(ollama.answer("", message={"tool_calls": [call]}))
    answer = await answer_of(provider, tools=(WEATHER,))
    assert answer.finish_reason is FinishReason.TOOL_CALLS
    assert answer.tool_calls == (
        ToolCall(id="call_0", name="weather", arguments='{"city":"Oslo"}'),
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            ollama.error(404, "model 'llama9' not found"),
            FailureReason.MODEL_NOT_FOUND,
        ),
        (
            ollama.error(400, "the input length exceeds the context length"),
            FailureReason.CONTEXT_LENGTH,
        ),
        (ollama.error(500, "llama runner process has terminated"), FailureReason.PROVIDER),
        (ollama.error(400, "llama3 does not support tools"), FailureReason.PROVIDER),
        (ollama.error(401, "unauthorized"), FailureReason.INVALID_KEY),
        (Answer(body={"done": True}), FailureReason.MALFORMED_RESPONSE),
        (ollama.answer(7), FailureReason.MALFORMED_RESPONSE),
        (Answer(body=b"Ollama is running"), FailureReason.MALFORMED_RESPONSE),
    ],
)
async def test_bad_answers_have_a_reason(
    server: ScriptedServer, provider: Ollama, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    assert (await failure_of(provider)).reason is reason


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ollama.stream("Pa", end=None), FailureReason.NETWORK),
        (
            Stream(pieces=[ollama.line(ollama.document("Pa")), b'{"error": "out of memory"}\n']),
            FailureReason.PROVIDER,
        ),
        (
            Stream(pieces=[ollama.line(ollama.document("Pa")), b"oops\n"]),
            FailureReason.MALFORMED_RESPONSE,
        ),
    ],
)
async def test_a_broken_stream_ends_in_one_failure(
    server: ScriptedServer, provider: Ollama, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    pieces, end = await streamed(provider)
    assert pieces == ["Pa"]
    assert isinstance(end, CallFailed)
    assert end.reason is reason


async def test_lists_the_models_that_are_there(server: ScriptedServer, provider: Ollama) -> None:
    server.script(ollama.TAGS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [model.id for model in models] == ["llama3.2:latest", "qwen3:8b"]
    assert server.last.path == "/api/tags"
    assert await provider.check() is None


async def test_sends_a_schema_to_models_that_follow_one(
    provider: Ollama, server: ScriptedServer
) -> None:
    schema = verdict_schema.RATING
    can = Capabilities(json_schema=True)
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=can)
    assert server.last.body["format"] == schema
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=Capabilities())
    assert server.last.body["format"] == "json"
