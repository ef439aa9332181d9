"""OpenAI through pydantic-ai, against a server that speaks its documented protocol."""

from collections.abc import AsyncIterator
from dataclasses import replace

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
from edison.pipeline.generate.providers.openai import OpenAI
from edison.pipeline.score import verdict_schema
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import (
    Answer,
    Reply,
    ScriptedServer,
    Silence,
    Stream,
    running,
)
from tests.pipeline.generate.asking import (
    EVERYTHING,
    FEW_SHOTS,
    WEATHER,
    answer_of,
    failure_of,
    patience,
    streamed,
)

USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12, reasoning_tokens=4)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(openai.completion())
        yield server


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[OpenAI]:
    provider = OpenAI.open(
        {"api_key": "sk-planted", "base_url": f"{server.url}/v1", "organization": "org-1"},
        network=NetworkPolicy(allow_loopback=True),
    )
    yield provider
    await provider.close()


async def test_sends_all_parts_of_a_prompt_and_its_parameters(
    server: ScriptedServer, provider: OpenAI
) -> None:
    answer = await answer_of(
        provider,
        model="gpt-4o",
        system="Be brief.",
        messages=FEW_SHOTS,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
    )
    assert answer.ignored_parameters == ()
    assert (server.last.method, server.last.path) == ("POST", "/v1/chat/completions")
    assert server.last.headers["authorization"] == "Bearer sk-planted"
    assert server.last.headers["openai-organization"] == "org-1"
    assert len(server.received) == 1
    body = server.last.body
    tool = body.pop("tools")[0]["function"]
    assert (tool["name"], tool["parameters"]["properties"]) == (
        "weather",
        {"city": {"type": "string"}},
    )
    body.pop("tool_choice", None)
    body.pop("parallel_tool_calls", None)
    assert body.pop("stream", False) is False
    assert body == {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Capital of Italy?"},
            {"role": "assistant", "content": "Rome."},
            {"role": "user", "content": "Capital of France?"},
        ],
        "temperature": 0.3,
        "max_completion_tokens": 50,
        "top_p": 0.9,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "stop": ["END", "\n\n"],
        "seed": 7,
        "response_format": {"type": "json_object"},
    }


async def test_parameters_refused_by_reasoning_models_are_not_sent_and_reported(
    server: ScriptedServer, provider: OpenAI
) -> None:
    answer = await answer_of(provider, model="o3", parameters=EVERYTHING)
    assert not {"temperature", "top_p"} & set(server.last.body)
    assert {"temperature", "top_p"} <= set(answer.ignored_parameters)
    assert "seed" not in answer.ignored_parameters


async def test_parameters_marked_unsupported_in_the_registry_are_not_sent(
    server: ScriptedServer, provider: OpenAI
) -> None:
    answer = await answer_of(
        provider,
        model="gpt-4o",
        wants_json=True,
        parameters=EVERYTHING,
        capabilities=Capabilities(seed=False, json_output=False),
    )
    assert not {"seed", "response_format"} & set(server.last.body)
    assert answer.ignored_parameters == ("seed", "json_output")


async def test_parses_the_answer_with_its_metadata(provider: OpenAI) -> None:
    answer = await answer_of(provider)
    assert answer == Completion(
        text="Paris.",
        finish_reason=FinishReason.STOP,
        usage=USAGE,
        model="gpt-x-2026-01-01",
        request_id=openai.REQUEST_ID,
        response_id="chatcmpl-1",
        latency_seconds=answer.latency_seconds,
    )


async def test_reads_tool_calls_nulls_and_refusals(
    server: ScriptedServer, provider: OpenAI
) -> None:
    function = {"name": "weather", "arguments": '{"city":"Oslo"}'}
    calls = [{"id": "call_a", "type": "function", "function": function}]
    server.script(openai.completion(None, tool_calls=calls, finish_reason="tool_calls"))
    answer = await answer_of(provider, tools=(WEATHER,))
    assert answer.finish_reason is FinishReason.TOOL_CALLS
    assert answer.tool_calls == (
        ToolCall(id="call_a", name="weather", arguments='{"city":"Oslo"}'),
    )
    server.script(openai.completion(None, refusal="I cannot."))
    answer = await answer_of(provider)
    assert (answer.text, answer.finish_reason) == ("I cannot.", FinishReason.CONTENT_FILTER)
    server.script(openai.completion(None, usage=None))
    answer = await answer_of(provider)
    assert (answer.text, answer.usage) == ("", None)


async def test_cache_write_tokens_are_counted(server: ScriptedServer, provider: OpenAI) -> None:
    details = {"cached_tokens": 12, "cache_write_tokens": 5}
    server.script(openai.completion(usage={**openai.USAGE, "prompt_tokens_details": details}))
    assert (await answer_of(provider)).usage == replace(USAGE, cache_write_tokens=5)


async def test_streams_pieces_then_usage_and_times(
    server: ScriptedServer, provider: OpenAI
) -> None:
    server.script(openai.text_stream("Pa", "ris", "."))
    pieces, end = await streamed(provider)
    assert server.last.body["stream_options"]["include_usage"] is True
    assert pieces == ["Pa", "ris", "."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage, end.request_id) == ("Paris.", USAGE, openai.REQUEST_ID)
    assert end.first_token_seconds is not None


async def test_streams_tool_calls_that_arrive_in_pieces(
    server: ScriptedServer, provider: OpenAI
) -> None:
    server.script(openai.tool_stream())
    _, end = await streamed(provider, tools=(WEATHER,))
    assert isinstance(end, Completion)
    assert [(call.name, call.arguments) for call in end.tool_calls] == [
        ("weather", '{"city":"Oslo"}'),
        ("time", "{}"),
    ]


HTML = Answer(body=b"<html>502 Bad Gateway</html>", status=502, content_type="text/html")


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (openai.error(401, code="invalid_api_key"), FailureReason.INVALID_KEY, False),
        (openai.error(429, code="rate_limit_exceeded"), FailureReason.RATE_LIMIT, True),
        (openai.error(429, code="insufficient_quota"), FailureReason.QUOTA, False),
        (openai.error(404, code="model_not_found"), FailureReason.MODEL_NOT_FOUND, False),
        (openai.error(400, code="context_length_exceeded"), FailureReason.CONTEXT_LENGTH, False),
        (openai.error(400, code="content_filter"), FailureReason.CONTENT_FILTER, False),
        (
            openai.completion(None, finish_reason="content_filter"),
            FailureReason.CONTENT_FILTER,
            False,
        ),
        (openai.error(400, param="temperature"), FailureReason.PROVIDER, False),
        (openai.error(500, kind="server_error"), FailureReason.PROVIDER, True),
        (openai.error(503), FailureReason.PROVIDER, True),
        (HTML, FailureReason.PROVIDER, True),
        (Answer(status=302, headers={"Location": "http://10.0.0.1/"}), FailureReason.PROVIDER, 0),
        (Answer(body=b'{"choices": ['), FailureReason.MALFORMED_RESPONSE, False),
        (
            Answer(body=b"<html>Sign in</html>", content_type="text/html"),
            FailureReason.MALFORMED_RESPONSE,
            False,
        ),
        (Answer(body={"choices": []}), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"choices": "none"}), FailureReason.MALFORMED_RESPONSE, False),
        (openai.completion(42), FailureReason.MALFORMED_RESPONSE, False),
        (Silence(), FailureReason.TIMEOUT, True),
    ],
)
async def test_every_bad_answer_has_a_reason_and_a_sentence(
    server: ScriptedServer,
    provider: OpenAI,
    reply: Reply,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(reply)
    failure = await failure_of(provider, timeout_seconds=patience(reply))
    assert (failure.reason, failure.is_retryable) == (reason, is_retryable)
    assert failure.message.endswith(".")
    assert "sk-planted" not in repr(failure)
    assert len(server.received) == 1


async def test_a_rate_limit_has_retry_after(server: ScriptedServer, provider: OpenAI) -> None:
    server.script(openai.error(429, code="rate_limit_exceeded", retry_after="12"))
    failure = await failure_of(provider)
    assert (failure.retry_after_seconds, failure.request_id) == (12, openai.REQUEST_ID)


HALF = openai.chunk({"role": "assistant", "content": "Par"})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Stream(pieces=[HALF]), FailureReason.NETWORK),
        (Stream(pieces=[HALF], then="reset"), FailureReason.NETWORK),
        (Stream(pieces=[HALF], then="drip"), FailureReason.TIMEOUT),
        (Stream(pieces=[HALF, b'data: {"choi\n\n']), FailureReason.MALFORMED_RESPONSE),
        (
            Stream(pieces=[HALF, b'data: {"error": {"message": "x", "type": "server_error"}}\n\n']),
            FailureReason.PROVIDER,
        ),
        (openai.error(401, code="invalid_api_key"), FailureReason.INVALID_KEY),
        (Silence(), FailureReason.TIMEOUT),
    ],
)
async def test_a_broken_stream_ends_in_one_failure(
    server: ScriptedServer, provider: OpenAI, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    pieces, end = await streamed(provider, timeout_seconds=patience(reply))
    assert pieces[:1] == (["Par"] if isinstance(reply, Stream) else [])
    assert isinstance(end, CallFailed)
    assert end.reason is reason


async def test_lists_models(server: ScriptedServer, provider: OpenAI) -> None:
    server.script(openai.MODELS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [model.id for model in models] == ["gpt-x", "local"]
    assert await provider.check() is None


async def test_an_address_in_the_private_network_is_not_called() -> None:
    provider = OpenAI.open(
        {"api_key": "sk-planted", "base_url": "https://10.0.0.1/v1"}, network=NetworkPolicy()
    )
    failure = await failure_of(provider)
    assert failure.reason is FailureReason.NETWORK
    assert "private network" in failure.message
    await provider.close()


async def test_sends_a_schema_to_models_that_follow_one(
    provider: OpenAI, server: ScriptedServer
) -> None:
    schema = verdict_schema.RATING
    can = Capabilities(json_schema=True)
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=can)
    assert server.last.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }
    await answer_of(provider, wants_json=True, json_schema=schema, capabilities=Capabilities())
    assert server.last.body["response_format"] == {"type": "json_object"}
