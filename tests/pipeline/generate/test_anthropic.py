"""Anthropic through pydantic-ai, against a server that speaks its documented protocol."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.providers.anthropic import Anthropic
from tests.fake_providers import anthropic
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

BEGUN = [anthropic.START, anthropic.TEXT_START, anthropic.text_delta("Par")]
USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(anthropic.message())
        yield server


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[Anthropic]:
    provider = Anthropic.open(
        {"api_key": "sk-ant-planted", "base_url": server.url},
        network=NetworkPolicy(allow_loopback=True),
    )
    yield provider
    await provider.close()


async def test_sends_supported_parameters_and_reports_the_rest(
    server: ScriptedServer, provider: Anthropic
) -> None:
    answer = await answer_of(
        provider,
        model="claude-sonnet-4-0",
        system="Be brief.",
        messages=FEW_SHOTS,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
    )
    assert (server.last.method, server.last.path) == ("POST", "/v1/messages")
    assert server.last.headers["x-api-key"] == "sk-ant-planted"
    assert server.last.headers["anthropic-version"] == "2023-06-01"
    body = server.last.body
    assert "Be brief." in str(body["system"])
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["tools"][0]["name"] == "weather"
    assert (body["max_tokens"], body["temperature"]) == (50, 0.3)
    assert body["stop_sequences"] == ["END", "\n\n"]
    assert set(answer.ignored_parameters) >= {
        "frequency_penalty",
        "presence_penalty",
        "seed",
        "json_output",
    }
    assert "temperature" not in answer.ignored_parameters


async def test_sampling_is_never_sent_to_models_that_refuse_it(
    server: ScriptedServer, provider: Anthropic
) -> None:
    # The library streams from models whose answers may be long.
    server.script(anthropic.text_stream("Paris."))
    answer = await answer_of(
        provider, model="claude-opus-4-7", parameters=Parameters(temperature=0.3)
    )
    assert "temperature" not in server.last.body
    assert answer.ignored_parameters == ("temperature",)


async def test_a_broken_internal_stream_is_a_retryable_network_failure(
    server: ScriptedServer, provider: Anthropic
) -> None:
    server.script(Stream(pieces=BEGUN))
    failure = await failure_of(provider, model="claude-opus-4-7")
    assert (failure.reason, failure.is_retryable) == (FailureReason.NETWORK, True)


async def test_long_answers_may_be_asked_for_without_streaming(provider: Anthropic) -> None:
    await answer_of(provider, parameters=Parameters(max_tokens=100_000))


async def test_parses_the_answer_with_its_metadata(
    server: ScriptedServer, provider: Anthropic
) -> None:
    answer = await answer_of(provider)
    assert (answer.text, answer.finish_reason) == ("Paris.", FinishReason.STOP)
    assert answer.usage == USAGE
    assert (answer.model, answer.request_id) == ("claude-x-20260101", anthropic.REQUEST_ID)
    server.script(anthropic.message(stop_reason="max_tokens"))
    assert (await answer_of(provider)).finish_reason is FinishReason.LENGTH


async def test_reads_tool_calls(server: ScriptedServer, provider: Anthropic) -> None:
    block = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}}
    server.script(anthropic.message(block, stop_reason="tool_use"))
    answer = await answer_of(provider, tools=(WEATHER,))
    assert answer.finish_reason is FinishReason.TOOL_CALLS
    assert answer.tool_calls == (
        ToolCall(id="toolu_1", name="weather", arguments='{"city":"Oslo"}'),
    )


async def test_cache_write_tokens_are_counted(server: ScriptedServer, provider: Anthropic) -> None:
    server.script(anthropic.message(usage={**anthropic.USAGE, "cache_creation_input_tokens": 5}))
    assert (await answer_of(provider)).usage == replace(
        USAGE, input_tokens=25, cache_write_tokens=5
    )


async def test_streams_pieces_then_usage(server: ScriptedServer, provider: Anthropic) -> None:
    server.script(anthropic.text_stream("Pa", "ris", "."))
    pieces, end = await streamed(provider)
    assert server.last.body["stream"] is True
    assert pieces == ["Pa", "ris", "."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage, end.request_id) == ("Paris.", USAGE, anthropic.REQUEST_ID)


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (anthropic.error(401, "authentication_error"), FailureReason.INVALID_KEY, False),
        (anthropic.error(403, "permission_error"), FailureReason.INVALID_KEY, False),
        (anthropic.error(404, "not_found_error", "model: x"), FailureReason.MODEL_NOT_FOUND, False),
        (anthropic.error(429, "rate_limit_error"), FailureReason.RATE_LIMIT, True),
        (anthropic.error(529, "overloaded_error"), FailureReason.PROVIDER, True),
        (anthropic.error(500, "api_error"), FailureReason.PROVIDER, True),
        (
            anthropic.error(400, "invalid_request_error", "prompt is too long: 300000 tokens"),
            FailureReason.CONTEXT_LENGTH,
            False,
        ),
        (
            anthropic.error(400, "invalid_request_error", "Your credit balance is too low"),
            FailureReason.QUOTA,
            False,
        ),
        (anthropic.error(400, "invalid_request_error"), FailureReason.PROVIDER, False),
        (
            Answer(status=502, body=b"<html>", content_type="text/html"),
            FailureReason.PROVIDER,
            True,
        ),
        (Answer(body=b'{"content": ['), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"content": "none"}), FailureReason.MALFORMED_RESPONSE, False),
        (Silence(), FailureReason.TIMEOUT, True),
    ],
)
async def test_every_bad_answer_has_a_reason(
    server: ScriptedServer,
    provider: Anthropic,
    reply: Reply,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(reply)
    failure = await failure_of(provider, timeout_seconds=patience(reply))
    assert (failure.reason, failure.is_retryable) == (reason, is_retryable)
    assert len(server.received) == 1


async def test_a_rate_limit_has_retry_after(server: ScriptedServer, provider: Anthropic) -> None:
    server.script(anthropic.error(429, "rate_limit_error", retry_after="7"))
    failure = await failure_of(provider)
    assert (failure.retry_after_seconds, failure.request_id) == (7, anthropic.REQUEST_ID)


OVERLOADED = anthropic.event("error", error={"type": "overloaded_error", "message": "Overloaded"})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Stream(pieces=BEGUN), FailureReason.NETWORK),
        (Stream(pieces=BEGUN, then="reset"), FailureReason.NETWORK),
        (Stream(pieces=BEGUN, then="drip"), FailureReason.TIMEOUT),
        (Stream(pieces=[*BEGUN, OVERLOADED]), FailureReason.PROVIDER),
    ],
)
async def test_a_broken_stream_ends_in_one_failure(
    server: ScriptedServer, provider: Anthropic, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    pieces, end = await streamed(provider, timeout_seconds=patience(reply))
    assert pieces[:1] == ["Par"]
    assert isinstance(end, CallFailed)
    assert (end.reason, end.is_retryable) == (reason, True)


async def test_lists_models(server: ScriptedServer, provider: Anthropic) -> None:
    server.script(anthropic.MODELS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [(model.id, model.display_name) for model in models] == [("claude-x", "Claude X")]
    assert await provider.check() is None
