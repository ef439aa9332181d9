"""The lean adapter against servers that answer as documented: requests and parsed answers."""

from dataclasses import replace
from typing import Any

import pytest

from edison.pipeline.generate.call import Capabilities
from edison.pipeline.generate.outcome import (
    Completion,
    FinishReason,
    ToolCall,
)
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from edison.pipeline.score import verdict_schema
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer, ScriptedServer, Stream
from tests.pipeline.generate.asking import (
    EVERYTHING,
    FEW_SHOTS,
    WEATHER,
    answer_of,
    make_call,
    streamed,
)
from tests.pipeline.generate.openai_compatible.conftest import USAGE, open_provider


async def test_sends_all_parts_of_a_prompt_and_its_parameters(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    await answer_of(
        provider,
        system="Be brief.",
        messages=FEW_SHOTS,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
    )
    assert (server.last.method, server.last.path) == ("POST", "/v1/chat/completions")
    assert server.last.headers["authorization"] == "Bearer sk-planted"
    assert server.last.headers["content-type"] == "application/json"
    assert server.last.body == {
        "model": "gpt-x",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Capital of Italy?"},
            {"role": "assistant", "content": "Rome."},
            {"role": "user", "content": "Capital of France?"},
        ],
        "temperature": 0.3,
        "max_tokens": 50,
        "top_p": 0.9,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "stop": ["END", "\n\n"],
        "seed": 7,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "weather",
                    "description": "The weather in a city.",
                    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
                },
            }
        ],
        "response_format": {"type": "json_object"},
    }


async def test_sends_only_what_was_requested(server: ScriptedServer) -> None:
    provider = open_provider(server.url)
    await answer_of(provider)
    await provider.close()
    assert set(server.last.body) == {"model", "messages"}
    assert "authorization" not in server.last.headers


async def test_unsupported_parameters_are_not_sent_and_reported(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    answer = await answer_of(
        provider,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
        capabilities=Capabilities(temperature=False, seed=False, json_output=False, tools=False),
    )
    assert answer.ignored_parameters == ("temperature", "seed", "json_output", "tools")
    assert not {"temperature", "seed", "response_format", "tools"} & set(server.last.body)


async def test_parses_the_answer_with_its_metadata(provider: OpenAICompatible) -> None:
    answer = await answer_of(provider)
    assert answer.latency_seconds > 0
    assert answer == Completion(
        text="Paris.",
        finish_reason=FinishReason.STOP,
        usage=USAGE,
        model="gpt-x-2026-01-01",
        request_id=openai.REQUEST_ID,
        response_id="chatcmpl-1",
        latency_seconds=answer.latency_seconds,
    )


TOOL_CALLS = [
    {
        "id": "call_a",
        "type": "function",
        "function": {"name": "weather", "arguments": '{"city":"Oslo"}'},
    }
]


@pytest.mark.parametrize(
    ("reply", "text", "finish_reason"),
    [
        (openai.completion(None), "", FinishReason.STOP),
        (openai.completion("cut", finish_reason="length"), "cut", FinishReason.LENGTH),
        (openai.completion("x", finish_reason="magic"), "x", FinishReason.OTHER),
        (openai.completion("x", finish_reason=None), "x", FinishReason.OTHER),
        (openai.completion([{"type": "text", "text": "part"}]), "part", FinishReason.STOP),
        (openai.completion(None, refusal="I cannot."), "I cannot.", FinishReason.CONTENT_FILTER),
        (openai.completion("a", finish_reason="content_filter"), "a", FinishReason.CONTENT_FILTER),
        (openai.completion(None, tool_calls=TOOL_CALLS), "", FinishReason.TOOL_CALLS),
    ],
)
async def test_reads_unusual_answers(
    server: ScriptedServer,
    provider: OpenAICompatible,
    reply: Answer,
    text: str,
    finish_reason: FinishReason,
) -> None:
    server.script(reply)
    answer = await answer_of(provider)
    assert (answer.text, answer.finish_reason) == (text, finish_reason)


@pytest.mark.parametrize("usage", [None, {}, "many", {"prompt_tokens": -1}, {"prompt_tokens": 1}])
async def test_unknown_usage_is_unknown(
    server: ScriptedServer, provider: OpenAICompatible, usage: Any
) -> None:
    server.script(openai.completion(usage=usage))
    assert (await answer_of(provider)).usage is None


async def test_reads_tool_calls(server: ScriptedServer, provider: OpenAICompatible) -> None:
    server.script(openai.completion(None, tool_calls=TOOL_CALLS, finish_reason="tool_calls"))
    answer = await answer_of(provider, tools=(WEATHER,))
    assert answer.tool_calls == (
        ToolCall(id="call_a", name="weather", arguments='{"city":"Oslo"}'),
    )


async def test_cache_write_tokens_are_counted(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    details = {"cached_tokens": 12, "cache_write_tokens": 5}
    server.script(openai.completion(usage={**openai.USAGE, "prompt_tokens_details": details}))
    assert (await answer_of(provider)).usage == replace(USAGE, cache_write_tokens=5)


async def test_streams_pieces_then_usage_and_times(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(openai.text_stream("Pa", "ris", "."))
    pieces, end = await streamed(provider)
    assert server.last.body["stream_options"] == {"include_usage": True}
    assert pieces == ["Pa", "ris", "."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage, end.request_id) == ("Paris.", USAGE, openai.REQUEST_ID)
    assert end.first_token_seconds is not None
    assert end.first_token_seconds <= end.latency_seconds


async def test_streams_tool_calls_that_arrive_in_pieces(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(openai.tool_stream())
    pieces, end = await streamed(provider)
    assert pieces == []
    assert isinstance(end, Completion)
    assert end.finish_reason is FinishReason.TOOL_CALLS
    assert [(call.id, call.name, call.arguments) for call in end.tool_calls] == [
        ("call_a", "weather", '{"city":"Oslo"}'),
        ("call_b", "time", "{}"),
    ]


async def test_a_stream_may_be_cut_anywhere_and_use_either_line_end(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    whole = b": comment\r\nevent: x\r\n" + b"".join(openai.text_stream("Zürich ", "🏔").pieces)
    whole = whole.replace(b"\n\n", b"\r\n\r\n")
    server.script(Stream(pieces=[whole[i : i + 7] for i in range(0, len(whole), 7)]))
    pieces, end = await streamed(provider)
    assert "".join(pieces) == "Zürich 🏔"
    assert isinstance(end, Completion)


async def test_a_server_that_cannot_stream_still_answers(provider: OpenAICompatible) -> None:
    pieces, end = await streamed(provider)
    assert pieces == ["Paris."]
    assert isinstance(end, Completion)


async def test_lists_models(server: ScriptedServer, provider: OpenAICompatible) -> None:
    server.script(openai.MODELS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [(model.id, model.display_name, model.context_window) for model in models] == [
        ("gpt-x", None, None),
        ("local", "Local one", 8192),
    ]
    assert (server.last.method, server.last.path) == ("GET", "/v1/models")
    assert await provider.check() is None


async def test_a_pasted_endpoint_is_understood(server: ScriptedServer) -> None:
    provider = open_provider(f" {server.url}/v1/chat/completions ")
    assert provider.base_url == f"{server.url}/v1"


async def test_connections_are_used_again_after_streams_are_left_early(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(openai.text_stream("a", "b", "c"))
    stream = provider.stream(make_call())
    async for _ in stream:
        break
    await stream.aclose()  # type: ignore[attr-defined]  # the protocol promises less than a generator
    server.script(openai.completion())
    assert (await answer_of(provider)).text == "Paris."


async def test_sends_a_schema_to_models_that_follow_one(server: ScriptedServer) -> None:
    schema = verdict_schema.RATING
    provider = open_provider(server.url)
    can = Capabilities(json_schema=True)
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=can)
    assert server.last.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=Capabilities())
    assert server.last.body["response_format"] == {"type": "json_object"}
    await provider.close()
