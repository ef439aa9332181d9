"""Calls without a task end as those with one do."""

import asyncio
from dataclasses import replace

import pytest

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, Outcome
from edison.pipeline.generate.provider import CallEnd
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.reply import Reply
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import (
    Answer,
    ScriptedServer,
    Silence,
    Stream,
)
from tests.fake_providers.scripted_server import Reply as Scripted
from tests.pipeline.generate.asking import make_call
from tests.pipeline.generate.openai_compatible.conftest import open_provider
from tests.support.patience import PATIENCE_SECONDS


async def ended(provider: OpenAICompatible, call: Call) -> CallEnd:
    """The end of a call on the connection that an earlier call has left."""
    end: asyncio.Future[CallEnd] = asyncio.get_running_loop().create_future()
    assert provider.begin(call, end.set_result) is not None
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await end


def timeless(outcome: CallEnd) -> CallEnd:
    return replace(outcome, latency_seconds=0) if isinstance(outcome, Completion) else outcome


@pytest.mark.parametrize(
    "reply",
    [
        openai.completion(),
        openai.completion(None, finish_reason="content_filter"),
        openai.completion(42),
        openai.error(401, code="invalid_api_key"),
        openai.error(429, code="rate_limit_exceeded"),
        openai.error(500, kind="server_error"),
        openai.error(200, code=429),
        Answer(body=b'{"choices": ['),
        Answer(status=302, headers={"Location": "http://169.254.169.254/"}),
        Stream(pieces=[b"{"], content_type="application/json", then="reset"),
        Silence(),
    ],
)
async def test_the_outcome_is_the_same(
    server: ScriptedServer, provider: OpenAICompatible, reply: Scripted
) -> None:
    call = make_call(timeout_seconds=0.5 if isinstance(reply, Silence) else 5)
    server.script(openai.completion(), reply)
    await provider.complete(make_call())
    with_task: Outcome = await provider.complete(call)
    server.script(openai.completion(), reply)
    await provider.complete(make_call())
    without_task = await ended(provider, call)

    assert timeless(without_task) == timeless(with_task)
    assert server.received[-1].raw == server.received[-3].raw


async def test_nothing_is_sent_without_an_open_connection(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    assert provider.begin(make_call(), pytest.fail) is None
    await provider.complete(make_call())
    assert provider.begin(make_call(model="omni-moderation-latest"), pytest.fail) is None
    assert len(server.received) == 1


async def test_a_key_that_cannot_be_sent_is_reported_by_complete(server: ScriptedServer) -> None:
    provider = open_provider(f"{server.url}/v1", api_key="two\nlines")
    assert provider.begin(make_call(), pytest.fail) is None
    outcome = await provider.complete(make_call())
    assert isinstance(outcome, CallFailed)
    assert (outcome.reason, outcome.is_unsent) == (FailureReason.INVALID_KEY, True)
    await provider.close()


async def test_a_call_that_is_broken_off_has_no_outcome(
    server: ScriptedServer, provider: OpenAICompatible
) -> None:
    await provider.complete(make_call())
    server.hold()
    ends: list[CallEnd] = []
    sent = provider.begin(make_call(), ends.append)
    assert sent is not None
    sent.abort()
    sent.abort()
    assert ends == []
    await asyncio.sleep(0)
    assert ends == [None]

    server.release()
    # Its connection is not used again.
    assert provider.begin(make_call(), pytest.fail) is None
    assert isinstance(await provider.complete(make_call()), Completion)
    assert ends == [None]


class Broken(OpenAICompatible):
    """Has a bug in reading answers."""

    def _read_answer(self, document: Json, reply: Reply) -> str | None:
        if reply.model == "unreadable":
            raise ZeroDivisionError
        return super()._read_answer(document, reply)


async def test_a_bug_ends_the_call(server: ScriptedServer) -> None:
    settings = {"base_url": f"{server.url}/v1"}
    provider = Broken.open(settings, network=open_provider(f"{server.url}/v1")._network)
    await provider.complete(make_call())
    assert isinstance(await ended(provider, make_call(model="unreadable")), ZeroDivisionError)
    await provider.close()
