"""No secret appears in anything a provider returns, logs, prints or raises."""

import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import ValidationError

from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.provider import Provider
from tests.fake_providers import openai, vertex
from tests.fake_providers.scripted_server import Answer, ScriptedServer, running
from tests.pipeline.generate.asking import make_call, streamed

LOOPBACK = NetworkPolicy(allow_loopback=True)
PLANTED = "PLANTED"
SENDABLE = f"sk-{PLANTED}-key"
UNSENDABLE = [f"sk-{PLANTED}\nInjected: yes", f"sk-{PLANTED}-ü-🔑", f"sk {PLANTED}"]
ADDRESS_FIELDS = {
    "openai": "base_url",
    "openai_compatible": "base_url",
    "ollama": "base_url",
    "anthropic": "base_url",
    "azure": "endpoint",
    "bedrock": "endpoint_url",
    "vertex": "base_url",
}


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        yield server


def settings_of(key: str, secret: str, url: str) -> dict[str, Any]:
    settings: dict[str, Any] = {ADDRESS_FIELDS[key]: url}
    if key == "vertex":
        account = json.loads(vertex.service_account(f"{url}/token"))
        account["private_key_id"] = secret
        return {**settings, "service_account": json.dumps(account)}
    if key == "bedrock":
        return {**settings, "access_key_id": "A" * 20, "secret_access_key": secret}
    return {**settings, "api_key": secret}


async def everything_said(provider: Provider) -> list[CallFailed]:
    call = make_call(timeout_seconds=5)
    said: list[Any] = [await provider.complete(call), (await streamed(provider))[1]]
    said += [await provider.check(), await provider.list_models()]
    return [outcome for outcome in said if isinstance(outcome, CallFailed)]


@pytest.mark.parametrize("key", sorted(ADDRESS_FIELDS))
async def test_a_planted_secret_does_not_appear_anywhere(
    key: str,
    server: ScriptedServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    for reply in (
        openai.error(401, message=f"Incorrect API key provided: {SENDABLE}."),
        openai.error(400, message=f"Bad request of {SENDABLE}.", param=SENDABLE),
        Answer(status=500, body=SENDABLE.encode(), headers={"x-request-id": "ok"}),
        Answer(body=f"<html>{SENDABLE}</html>".encode()),
    ):
        server.script(reply)
        provider = catalog.load_provider(key).open(
            settings_of(key, SENDABLE, server.url), network=LOOPBACK
        )
        failures = await everything_said(provider)
        assert len(failures) >= 2
        assert PLANTED not in repr(failures)
        assert PLANTED not in repr(provider) + str(provider) + repr(provider.model_dump())
        assert PLANTED not in provider.model_dump_json()
        await provider.close()
    assert PLANTED not in caplog.text
    shown = capfd.readouterr()
    assert PLANTED not in shown.out + shown.err


@pytest.mark.parametrize("secret", UNSENDABLE)
@pytest.mark.parametrize("key", sorted(set(ADDRESS_FIELDS) - {"vertex"}))
async def test_a_secret_that_cannot_be_sent_is_an_invalid_key(
    key: str, secret: str, server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(openai.completion())
    provider = catalog.load_provider(key).open(
        settings_of(key, secret, server.url), network=LOOPBACK
    )
    failures = await everything_said(provider)
    await provider.close()
    assert [failure.reason for failure in failures] == [FailureReason.INVALID_KEY] * 4
    assert PLANTED not in repr(failures) + caplog.text
    assert server.received == []


@pytest.mark.parametrize("key", ["openai", "openai_compatible", "ollama", "anthropic", "azure"])
async def test_white_space_around_a_pasted_key_is_ignored(key: str, server: ScriptedServer) -> None:
    server.script(openai.MODELS)
    provider = catalog.load_provider(key).open(
        settings_of(key, f"  {SENDABLE}\r\n", server.url), network=LOOPBACK
    )
    await provider.check()
    await provider.close()
    assert SENDABLE in repr(server.last.headers)


@pytest.mark.parametrize("key", sorted(ADDRESS_FIELDS))
def test_a_refused_form_does_not_repeat_the_secret(key: str) -> None:
    settings = settings_of(key, SENDABLE, "http://127.0.0.1")
    with pytest.raises(ValidationError) as refused:
        catalog.load_provider(key).open({**settings, "unknown": 1}, network=LOOPBACK)
    assert PLANTED not in str(refused.value)
