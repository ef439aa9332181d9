"""Bedrock through pydantic-ai and AWS's library, whose requests use our own HTTP client."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.providers.bedrock import Bedrock
from tests.fake_providers import bedrock
from tests.fake_providers.scripted_server import Answer, Reply, ScriptedServer, Silence, running
from tests.pipeline.generate.asking import (
    EVERYTHING,
    FEW_SHOTS,
    WEATHER,
    answer_of,
    failure_of,
    patience,
    streamed,
)

MODEL = "amazon.nova-lite-v1:0"
USAGE = Usage(input_tokens=20, output_tokens=9, cached_input_tokens=12)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(bedrock.answer())
        yield server


def open_provider(server: ScriptedServer, **fields: Any) -> Bedrock:
    keys = {"access_key_id": "AKIAIOSFODNN7EXAMPLE", "secret_access_key": "planted-secret"}
    return Bedrock.open(
        {"endpoint_url": server.url, "region": "eu-west-1", **(fields or keys)},
        network=NetworkPolicy(allow_loopback=True),
    )


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[Bedrock]:
    provider = open_provider(server)
    yield provider
    await provider.close()


async def test_signs_requests_and_sends_supported_parameters(
    server: ScriptedServer, provider: Bedrock
) -> None:
    answer = await answer_of(
        provider,
        model=MODEL,
        system="Be brief.",
        messages=FEW_SHOTS,
        tools=(WEATHER,),
        wants_json=True,
        parameters=EVERYTHING,
    )
    assert server.last.path == "/model/amazon.nova-lite-v1%3A0/converse"
    signature = server.last.headers["authorization"]
    assert signature.startswith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/")
    assert "/eu-west-1/bedrock/aws4_request" in signature
    body = server.last.body
    assert body["system"][0]["text"] == "Be brief."
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["toolConfig"]["tools"][0]["toolSpec"]["name"] == "weather"
    assert body["inferenceConfig"] == {
        "maxTokens": 50,
        "temperature": 0.3,
        "topP": 0.9,
        "stopSequences": ["END", "\n\n"],
    }
    assert set(answer.ignored_parameters) == {
        "frequency_penalty",
        "presence_penalty",
        "seed",
        "json_output",
    }


async def test_parses_the_answer_with_its_metadata(
    server: ScriptedServer, provider: Bedrock
) -> None:
    answer = await answer_of(provider, model=MODEL)
    assert (answer.text, answer.finish_reason) == ("Paris.", FinishReason.STOP)
    assert (answer.usage, answer.request_id) == (USAGE, bedrock.REQUEST_ID)
    server.script(bedrock.answer(stop_reason="max_tokens"))
    assert (await answer_of(provider, model=MODEL)).finish_reason is FinishReason.LENGTH


async def test_reads_tool_calls(server: ScriptedServer, provider: Bedrock) -> None:
    block = {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"city": "Oslo"}}}
    server.script(bedrock.answer(block, stop_reason="tool_use"))
    answer = await answer_of(provider, model=MODEL, tools=(WEATHER,))
    assert answer.finish_reason is FinishReason.TOOL_CALLS
    assert answer.tool_calls == (ToolCall(id="t1", name="weather", arguments='{"city":"Oslo"}'),)


async def test_an_api_key_replaces_the_signature(server: ScriptedServer) -> None:
    provider = open_provider(server, api_key="planted-key")
    await answer_of(provider, model=MODEL)
    assert server.last.headers["authorization"] == "Bearer planted-key"
    await provider.close()


def test_exactly_one_kind_of_key_is_needed(server: ScriptedServer) -> None:
    for fields in (
        {"api_key": "planted", "access_key_id": "A" * 20, "secret_access_key": "planted"},
        {"access_key_id": "A" * 20},
    ):
        with pytest.raises(ValidationError) as refused:
            open_provider(server, **fields)
        assert "planted" not in str(refused.value)


async def test_cache_write_tokens_are_counted(server: ScriptedServer, provider: Bedrock) -> None:
    server.script(bedrock.answer(usage={**bedrock.USAGE, "cacheWriteInputTokens": 5}))
    assert (await answer_of(provider)).usage == replace(
        USAGE, input_tokens=25, cache_write_tokens=5
    )


async def test_streams_pieces_then_usage(server: ScriptedServer, provider: Bedrock) -> None:
    server.script(bedrock.text_stream("Pa", "ris", "."))
    pieces, end = await streamed(provider, model=MODEL)
    assert server.last.path.endswith("/converse-stream")
    assert pieces == ["Pa", "ris", "."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage) == ("Paris.", USAGE)


async def test_many_calls_run_at_once(server: ScriptedServer, provider: Bedrock) -> None:
    answers = await asyncio.gather(*(answer_of(provider, model=MODEL) for _ in range(60)))
    assert len(answers) == 60


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (bedrock.error(403, "UnrecognizedClientException"), FailureReason.INVALID_KEY, False),
        (bedrock.error(403, "AccessDeniedException"), FailureReason.INVALID_KEY, False),
        (bedrock.error(404, "ResourceNotFoundException"), FailureReason.MODEL_NOT_FOUND, False),
        (bedrock.error(429, "ThrottlingException"), FailureReason.RATE_LIMIT, True),
        (bedrock.error(503, "ServiceUnavailableException"), FailureReason.PROVIDER, True),
        (bedrock.error(500, "InternalServerException"), FailureReason.PROVIDER, True),
        (bedrock.error(400, "ValidationException"), FailureReason.PROVIDER, False),
        (
            bedrock.error(400, "ValidationException", "Input is too long for requested model."),
            FailureReason.CONTEXT_LENGTH,
            False,
        ),
        (
            bedrock.answer({"text": ""}, stop_reason="content_filtered"),
            FailureReason.CONTENT_FILTER,
            False,
        ),
        (Answer(body=b'{"output": {'), FailureReason.MALFORMED_RESPONSE, False),
        (Answer(body={"output": {}}), FailureReason.MALFORMED_RESPONSE, False),
        (
            Answer(status=502, body=b"<html>", content_type="text/html"),
            FailureReason.PROVIDER,
            True,
        ),
        (Silence(), FailureReason.TIMEOUT, True),
    ],
)
async def test_every_bad_answer_has_a_reason(
    server: ScriptedServer,
    provider: Bedrock,
    reply: Reply,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(reply)
    failure = await failure_of(provider, model=MODEL, timeout_seconds=patience(reply))
    assert (failure.reason, failure.is_retryable) == (reason, is_retryable)
    assert "planted" not in repr(failure)
    assert len(server.received) == 1


THROTTLED = bedrock.event("throttlingException", {"message": "x"}, message_type="exception")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (bedrock.stream(bedrock.begun("Par")), FailureReason.NETWORK),
        (bedrock.stream(bedrock.begun("Par"), then="reset"), FailureReason.NETWORK),
        (bedrock.stream(bedrock.begun("Par"), then="drip"), FailureReason.TIMEOUT),
        (bedrock.stream([*bedrock.begun("Par"), THROTTLED]), FailureReason.RATE_LIMIT),
    ],
)
async def test_a_broken_stream_ends_in_one_failure(
    server: ScriptedServer, provider: Bedrock, reply: Reply, reason: FailureReason
) -> None:
    server.script(reply)
    pieces, end = await streamed(provider, model=MODEL, timeout_seconds=patience(reply))
    assert pieces[:1] == ["Par"]
    assert isinstance(end, CallFailed)
    assert end.reason is reason


async def test_lists_models(server: ScriptedServer, provider: Bedrock) -> None:
    server.script(bedrock.MODELS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [(model.id, model.display_name) for model in models] == [
        ("anthropic.claude-x-v1:0", "Claude X")
    ]
    assert server.last.path == "/foundation-models"
    server.script(bedrock.error(403, "UnrecognizedClientException"))
    failure = await provider.check()
    assert failure is not None
    assert failure.reason is FailureReason.INVALID_KEY


async def test_a_forbidden_address_is_not_called() -> None:
    provider = Bedrock.open(
        {"api_key": "planted", "endpoint_url": "https://169.254.169.254"}, network=NetworkPolicy()
    )
    failure = await failure_of(provider, model=MODEL)
    assert (failure.reason, failure.is_retryable) == (FailureReason.NETWORK, False)
    checked = await provider.check()
    assert checked is not None
    assert checked.reason is FailureReason.NETWORK
    await provider.close()
