"""Vertex AI through pydantic-ai: exchange of a key for a token, then Gemini's documented
protocol.
"""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs

import jwt
import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Usage,
)
from edison.pipeline.generate.providers.vertex import Vertex
from tests.fake_providers import vertex
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
PATH = "/v1beta1/projects/my-project/locations/global/publishers/google/models/gemini-2.5-flash"


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(vertex.TOKEN_ANSWER, vertex.answer())
        yield server


def open_provider(server: ScriptedServer, **fields: Any) -> Vertex:
    key = vertex.service_account(f"{server.url}/token")
    return Vertex.open(
        {"service_account": key, "base_url": server.url, **fields},
        network=NetworkPolicy(allow_loopback=True),
    )


@pytest.fixture
async def provider(server: ScriptedServer) -> AsyncIterator[Vertex]:
    provider = open_provider(server)
    yield provider
    await provider.close()


async def test_trades_the_key_for_a_token_once(server: ScriptedServer, provider: Vertex) -> None:
    await answer_of(provider, model="gemini-2.5-flash")
    await answer_of(provider, model="gemini-2.5-flash")
    trade, first, second = server.received
    form = parse_qs(trade.raw.decode())
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    claims = jwt.decode(
        form["assertion"][0],
        vertex.private_key().public_key(),
        algorithms=["RS256"],
        audience=f"{server.url}/token",
    )
    assert claims["iss"] == "edison@my-project.iam.gserviceaccount.com"
    for asked in (first, second):
        assert asked.path == f"{PATH}:generateContent"
        assert asked.headers["authorization"] == f"Bearer {vertex.TOKEN}"


async def test_sends_all_parts_in_the_providers_format(
    server: ScriptedServer, provider: Vertex
) -> None:
    answer = await answer_of(
        provider,
        model="gemini-2.5-flash",
        system="Be brief.",
        messages=FEW_SHOTS,
        wants_json=True,
        parameters=EVERYTHING,
    )
    body = server.last.body
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user"]
    assert body["systemInstruction"]["parts"][0]["text"] == "Be brief."
    config = body["generationConfig"]
    assert config["temperature"] == 0.3
    assert config["maxOutputTokens"] == 50
    assert config["topP"] == 0.9
    assert config["frequencyPenalty"] == 0.1
    assert config["presencePenalty"] == 0.2
    assert config["stopSequences"] == ["END", "\n\n"]
    assert config["seed"] == 7
    assert config["responseMimeType"] == "application/json"
    assert answer.ignored_parameters == ()


async def test_parses_the_answer_with_its_metadata(
    server: ScriptedServer, provider: Vertex
) -> None:
    answer = await answer_of(provider)
    assert (answer.text, answer.finish_reason) == ("Paris.", FinishReason.STOP)
    assert (answer.usage, answer.model) == (USAGE, "gemini-x-001")
    server.script(vertex.answer(finish_reason="MAX_TOKENS"))
    assert (await answer_of(provider)).finish_reason is FinishReason.LENGTH


async def test_reads_tool_calls(server: ScriptedServer, provider: Vertex) -> None:
    part = {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}
    server.script(vertex.TOKEN_ANSWER, vertex.answer(part))
    answer = await answer_of(provider, model="gemini-2.5-flash", tools=(WEATHER,))
    assert server.last.body["tools"][0]["functionDeclarations"][0]["name"] == "weather"
    assert answer.finish_reason is FinishReason.TOOL_CALLS
    assert [(call.name, call.arguments) for call in answer.tool_calls] == [
        ("weather", '{"city":"Oslo"}')
    ]


async def test_streams_pieces_then_usage(server: ScriptedServer, provider: Vertex) -> None:
    server.script(vertex.TOKEN_ANSWER, vertex.text_stream("Pa", "ris."))
    pieces, end = await streamed(provider, model="gemini-2.5-flash")
    assert server.last.path == f"{PATH}:streamGenerateContent"
    assert pieces == ["Pa", "ris."]
    assert isinstance(end, Completion)
    assert (end.text, end.usage) == ("Paris.", USAGE)


@pytest.mark.parametrize(
    ("reply", "reason", "is_retryable"),
    [
        (vertex.error(401, "UNAUTHENTICATED"), FailureReason.INVALID_KEY, False),
        (vertex.error(403, "PERMISSION_DENIED"), FailureReason.INVALID_KEY, False),
        (vertex.error(404, "NOT_FOUND"), FailureReason.MODEL_NOT_FOUND, False),
        (vertex.error(429, "RESOURCE_EXHAUSTED"), FailureReason.RATE_LIMIT, True),
        (vertex.error(503, "UNAVAILABLE"), FailureReason.PROVIDER, True),
        (vertex.error(500, "INTERNAL"), FailureReason.PROVIDER, True),
        (vertex.error(400, "INVALID_ARGUMENT"), FailureReason.PROVIDER, False),
        (
            vertex.error(
                400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum of tokens"
            ),
            FailureReason.CONTEXT_LENGTH,
            False,
        ),
        (vertex.BLOCKED, FailureReason.CONTENT_FILTER, False),
        (Answer(body=b'{"candidates": ['), FailureReason.MALFORMED_RESPONSE, False),
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
    provider: Vertex,
    reply: Reply,
    reason: FailureReason,
    is_retryable: bool,
) -> None:
    server.script(vertex.TOKEN_ANSWER, reply)
    failure = await failure_of(provider, timeout_seconds=patience(reply))
    assert (failure.reason, failure.is_retryable) == (reason, is_retryable)
    assert len(server.received) == 2


HALF = vertex.chunk(vertex.document({"text": "Par"}, finish_reason=None))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Stream(pieces=[HALF]), FailureReason.NETWORK),
        (Stream(pieces=[HALF], then="reset"), FailureReason.NETWORK),
        (Stream(pieces=[HALF], then="drip"), FailureReason.TIMEOUT),
    ],
)
async def test_a_broken_stream_ends_in_one_failure(
    server: ScriptedServer, provider: Vertex, reply: Reply, reason: FailureReason
) -> None:
    server.script(vertex.TOKEN_ANSWER, reply)
    pieces, end = await streamed(provider, timeout_seconds=patience(reply))
    assert pieces[:1] == ["Par"]
    assert isinstance(end, CallFailed)
    assert end.reason is reason


async def test_a_key_that_google_refuses_is_an_invalid_key(
    server: ScriptedServer, provider: Vertex
) -> None:
    server.script(vertex.REFUSED_GRANT)
    failure = await failure_of(provider)
    assert (failure.reason, failure.is_retryable) == (FailureReason.INVALID_KEY, False)
    server.script(Answer(status=503))
    failure = await failure_of(provider)
    assert (failure.reason, failure.is_retryable) == (FailureReason.NETWORK, True)


@pytest.mark.parametrize("key", ["not json", "{}", '{"client_email": "a", "private_key": "b"}'])
async def test_a_file_that_is_no_key_is_an_invalid_key(server: ScriptedServer, key: str) -> None:
    provider = open_provider(server, service_account=key)
    assert (await failure_of(provider)).reason is FailureReason.INVALID_KEY
    failure = await provider.check()
    assert failure is not None
    assert failure.reason is FailureReason.INVALID_KEY
    await provider.close()


async def test_a_key_cannot_name_a_forbidden_place_for_the_trade(server: ScriptedServer) -> None:
    key = vertex.service_account("http://169.254.169.254/token")
    provider = open_provider(server, service_account=key)
    failure = await failure_of(provider)
    assert (failure.reason, failure.is_retryable) == (FailureReason.NETWORK, False)
    assert server.received == []
    await provider.close()


async def test_lists_models(server: ScriptedServer, provider: Vertex) -> None:
    server.script(vertex.TOKEN_ANSWER, vertex.MODELS)
    models = await provider.list_models()
    assert isinstance(models, list)
    assert [model.id for model in models] == ["gemini-x", "gemini-y"]
    assert server.last.headers["x-goog-user-project"] == "my-project"
