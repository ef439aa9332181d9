"""The lean adapter against servers that answer as documented, badly, or not at all."""

import datetime
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Capabilities, Parameters
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from tests.conftest import TurnableClock
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer, ScriptedServer, Silence, Stream, running
from tests.pipeline.generate.asking import (
    EVERYTHING,
    FEW_SHOTS,
    WEATHER,
    answer_of,
    failure_of,
    make_call,
    patience,
    streamed,
)
from tests.pipeline.generate.conftest import Serve

LOOPBACK = NetworkPolicy(allow_loopback=True)
USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12, reasoning_tokens=4)
RATE_LIMIT = FailureReason.RATE_LIMIT
PROVIDER = FailureReason.PROVIDER


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


async def test_sends_everything_a_prompt_and_its_parameters_say(
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


async def test_sends_nothing_that_was_not_asked_for(server: ScriptedServer) -> None:
    provider = open_provider(server.url)
    await answer_of(provider)
    await provider.close()
    assert set(server.last.body) == {"model", "messages"}
    assert "authorization" not in server.last.headers


async def test_never_sends_what_a_model_refuses_and_says_so(
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


async def test_reads_the_answer_with_all_it_says_about_itself(provider: OpenAICompatible) -> None:
    answer = await answer_of(provider)
    assert answer.latency_seconds > 0
    assert answer == Completion(
        text="Paris.",
        finish_reason=FinishReason.STOP,
        usage=USAGE,
        model="gpt-x-2026-01-01",
        request_id=openai.REQUEST_ID,
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


async def test_what_was_written_into_the_cache_is_counted(
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


HTML = Answer(body=b"<html>502 Bad Gateway</html>", status=502, content_type="text/html")


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (openai.error(401, code="invalid_api_key"), FailureReason.INVALID_KEY, False),
        (openai.error(403, kind="permission_error"), FailureReason.INVALID_KEY, False),
        (openai.error(429, code="rate_limit_exceeded"), RATE_LIMIT, True),
        (openai.error(429, code="insufficient_quota"), FailureReason.QUOTA, False),
        (openai.error(402), FailureReason.QUOTA, False),
        (openai.error(404, code="model_not_found"), FailureReason.MODEL_NOT_FOUND, False),
        (
            openai.error(404, message="The model `x` does not exist.", kind="NotFoundError"),
            FailureReason.MODEL_NOT_FOUND,
            False,
        ),
        (openai.error(400, code="context_length_exceeded"), FailureReason.CONTEXT_LENGTH, False),
        (
            openai.error(400, message="This model's maximum context length is 8192 tokens."),
            FailureReason.CONTEXT_LENGTH,
            False,
        ),
        (openai.error(413), FailureReason.CONTEXT_LENGTH, False),
        (openai.error(400, code="content_filter"), FailureReason.CONTENT_FILTER, False),
        (
            openai.completion(None, finish_reason="content_filter"),
            FailureReason.CONTENT_FILTER,
            False,
        ),
        (openai.error(400, param="temperature"), PROVIDER, False),
        (openai.error(500, kind="server_error"), PROVIDER, True),
        (openai.error(503, message="model is overloaded, context window"), PROVIDER, True),
        (openai.error(529, kind="overloaded_error"), PROVIDER, True),
        (HTML, PROVIDER, True),
        (openai.error(504), FailureReason.TIMEOUT, True),
        (openai.error(408), FailureReason.TIMEOUT, True),
        (Answer(status=404, body=b"<html>not here</html>"), PROVIDER, False),
        (Answer(status=302, headers={"Location": "http://169.254.169.254/"}), PROVIDER, False),
        (Answer(status=400, body={"detail": "Input is too long"}), FailureReason.CONTEXT_LENGTH, 0),
        (openai.error(200, kind="server_error"), PROVIDER, True),
        (openai.error(200, code=429), RATE_LIMIT, True),
        (openai.error(200), PROVIDER, False),
        (Answer(body=b'{"choices": ['), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body=b"<html>Sign in</html>"), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body=b""), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body=[1]), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"choices": []}), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"choices": "none"}), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"choices": [{"text": "old"}]}), FailureReason.MALFORMED_RESPONSE, False),
        (openai.completion(42), FailureReason.MALFORMED_RESPONSE, False),
    ],
)
async def test_every_bad_answer_has_a_reason_and_a_sentence(
    server: ScriptedServer,
    provider: OpenAICompatible,
    reply: Answer,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(reply)
    failure = await failure_of(provider)
    assert (failure.reason, failure.is_retryable) == (reason, is_retryable)
    assert_is_sentence(failure)
    pieces, end = await streamed(provider)
    assert pieces == [] or reply.status == 200
    assert isinstance(end, CallFailed)
    assert (end.reason, end.is_retryable) == (reason, is_retryable)


def assert_is_sentence(failure: CallFailed) -> None:
    assert failure.message[0].isupper() or failure.message[0].isdigit()
    assert failure.message.endswith(".")
    assert "sk-planted" not in repr(failure)


async def test_a_refused_parameter_is_named(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(openai.error(400, param="top_p", code="unsupported_parameter"))
    failure = await failure_of(provider, parameters=Parameters(top_p=0.5))
    assert "top_p" in failure.message
    assert failure.request_id == openai.REQUEST_ID


async def test_usage_of_an_empty_answer_is_kept(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(Answer(body={"choices": [], "usage": openai.USAGE}))
    assert (await failure_of(provider)).usage == USAGE


async def test_reads_how_long_to_wait(
    server: ScriptedServer, provider: OpenAICompatible, turnable_clock: TurnableClock
) -> None:
    soon = turnable_clock.now() + datetime.timedelta(seconds=90)
    past = turnable_clock.now() - datetime.timedelta(seconds=90)
    rfc = "%a, %d %b %Y %H:%M:%S GMT"
    for headers, seconds in (
        ({"retry_after": "12"}, 12),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after": soon.strftime(rfc)}, 90),
        ({"retry_after": past.strftime(rfc)}, 0),
        ({"retry_after_ms": "250", "retry_after": "1"}, 0.25),
        ({"x_ratelimit_reset_requests": "6m0.5s"}, 360.5),
        ({"retry_after": "999999999"}, 86400),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-5"}, None),
        ({"retry_after": "nan"}, None),
        ({}, None),
    ):
        server.script(openai.error(429, **headers))
        failure = await failure_of(provider)
        assert failure.retry_after_seconds == seconds
        assert seconds is None or f"{seconds:.0f} s" in failure.message


HALF = openai.chunk({"content": "Par"})


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (Stream(pieces=[HALF]), FailureReason.NETWORK, True),
        (Stream(pieces=[HALF], then="reset"), FailureReason.NETWORK, True),
        (Stream(pieces=[HALF, b'data: {"choi\n\n']), FailureReason.MALFORMED_RESPONSE, False),
        (
            Stream(pieces=[HALF, b'data: {"error": {"message": "died", "code": 500}}\n\n']),
            PROVIDER,
            True,
        ),
        (Stream(pieces=[HALF], then="drip"), FailureReason.TIMEOUT, True),
    ],
)
async def test_a_stream_that_breaks_ends_in_one_failure(
    server: ScriptedServer,
    provider: OpenAICompatible,
    reply: Stream,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(reply)
    pieces, end = await streamed(provider, timeout_seconds=patience(reply))
    assert pieces[0] == "Par"
    assert isinstance(end, CallFailed)
    assert (end.reason, end.is_retryable) == (reason, is_retryable)


@pytest.mark.parametrize("pieces", [[openai.DONE], [openai.chunk({}), openai.DONE]])
async def test_an_empty_stream_is_malformed(
    server: ScriptedServer, provider: OpenAICompatible, pieces: list[bytes]
) -> None:
    server.script(Stream(pieces=pieces))
    _, end = await streamed(provider)
    assert isinstance(end, CallFailed)
    assert end.reason is FailureReason.MALFORMED_RESPONSE


async def test_silence_is_a_timeout(server: ScriptedServer, provider: OpenAICompatible) -> None:
    server.script(Silence())
    failure = await failure_of(provider, timeout_seconds=0.1)
    assert (failure.reason, failure.is_retryable) == (FailureReason.TIMEOUT, True)
    assert "0.1 s" in failure.message


async def test_places_that_cannot_be_reached(serve: Serve, self_signed: ssl.SSLContext) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response()

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        for url, is_retryable in (
            (f"http://127.0.0.1:{taken.getsockname()[1]}", True),
            ("https://nowhere.invalid", True),
            (await serve(answer, tls=self_signed), False),
            ("http://169.254.169.254", False),
            ("http://10.0.0.1", False),
        ):
            provider = open_provider(url)
            failure = await failure_of(provider)
            checked = await provider.check()
            await provider.close()
            assert (failure.reason, failure.is_retryable) == (FailureReason.NETWORK, is_retryable)
            assert isinstance(checked, CallFailed)
            assert checked.reason is FailureReason.NETWORK


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


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (openai.error(401), FailureReason.INVALID_KEY),
        (Answer(body={"data": "x"}), FailureReason.MALFORMED_RESPONSE),
        (Answer(body=b"<html>"), FailureReason.MALFORMED_RESPONSE),
        (Answer(body={"error": {"code": 503}}), PROVIDER),
    ],
)
async def test_a_check_says_what_is_wrong(
    server: ScriptedServer, provider: OpenAICompatible, reply: Answer, reason: FailureReason
) -> None:
    server.script(reply)
    failure = await provider.check()
    assert failure is not None
    assert failure.reason is reason


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
