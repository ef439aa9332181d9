"""The lean adapter against servers that fail or do not answer."""

import datetime
import socket
import ssl

import pytest
from aiohttp import web

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import (
    CallFailed,
    FailureReason,
)
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from tests.conftest import TurnableClock
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer, ScriptedServer, Silence, Stream
from tests.pipeline.generate.asking import (
    failure_of,
    patience,
    streamed,
)
from tests.pipeline.generate.conftest import Serve
from tests.pipeline.generate.openai_compatible.conftest import USAGE, open_provider

RATE_LIMIT = FailureReason.RATE_LIMIT
PROVIDER = FailureReason.PROVIDER
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


async def test_the_code_does_not_hide_the_first_word_of_what_the_provider_said(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    message = "Incorrect API key provided: sk-of-another-day."
    server.script(openai.error(401, message=message, code="invalid_api_key"))
    failure = await failure_of(provider)
    assert failure.provider_text == "invalid_api_key: Incorrect API key provided: ***."


async def test_a_refused_parameter_is_named(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    server.script(openai.error(400, param="top_p", code="unsupported_parameter"))
    failure = await failure_of(provider, parameters=Parameters(top_p=0.5))
    assert "top_p" in failure.message
    assert failure.request_id == openai.REQUEST_ID


async def test_usage_of_an_empty_answer_is_reported(
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
async def test_a_broken_stream_ends_in_one_failure(
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


async def test_unreachable_servers(serve: Serve, self_signed: ssl.SSLContext) -> None:
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


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (openai.error(401), FailureReason.INVALID_KEY),
        (Answer(body={"data": "x"}), FailureReason.MALFORMED_RESPONSE),
        (Answer(body=b"<html>"), FailureReason.MALFORMED_RESPONSE),
        (Answer(body={"error": {"code": 503}}), PROVIDER),
    ],
)
async def test_a_check_returns_the_failure(
    server: ScriptedServer, provider: OpenAICompatible, reply: Answer, reason: FailureReason
) -> None:
    server.script(reply)
    failure = await provider.check()
    assert failure is not None
    assert failure.reason is reason
