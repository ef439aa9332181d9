"""Timeout, concurrency, retries and max tokens per credential and per model."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Silence
from tests.slices.calls.conftest import Bench
from tests.support.browser import fields_of
from tests.support.patience import PATIENCE_SECONDS


async def limit_credential(bench: Bench, **limits: Any) -> dict[str, Any]:
    url = f"{bench.url}/credentials/{bench.credential}"
    response = await bench.ada.patch(url, json={"limits": limits})
    assert response.status_code == 200, response.text
    return dict(response.json()["limits"])


async def limit_model(bench: Bench, **limits: Any) -> dict[str, Any]:
    url = f"{bench.url}/models/{bench.model}"
    response = await bench.ada.patch(url, json={"limits": limits})
    assert response.status_code == 200, response.text
    return dict(response.json()["limits"])


async def test_limits_are_saved_without_a_test_and_replaced_as_a_whole(bench: Bench) -> None:
    asked = len(bench.server.received)
    saved = await limit_credential(bench, timeout_seconds=900, max_tokens=256)
    assert saved == {
        "timeout_seconds": 900,
        "concurrency": None,
        "retries": None,
        "max_tokens": 256,
    }
    assert (await limit_credential(bench, retries=0))["timeout_seconds"] is None
    assert (await limit_model(bench, concurrency=1))["concurrency"] == 1
    assert len(bench.server.received) == asked


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ({"timeout_seconds": 0.5}, "limits.timeout_seconds"),
        ({"timeout_seconds": 3601}, "limits.timeout_seconds"),
        ({"concurrency": 0}, "limits.concurrency"),
        ({"retries": 11}, "limits.retries"),
        ({"max_tokens": 0}, "limits.max_tokens"),
        ({"patience": 1}, "limits.patience"),
    ],
)
async def test_limits_out_of_range_are_refused(
    bench: Bench, limits: dict[str, Any], field: str
) -> None:
    response = await bench.ada.patch(
        f"{bench.url}/credentials/{bench.credential}", json={"limits": limits}
    )
    assert fields_of(response) == {field}


async def test_the_form_knows_the_limits_that_apply_otherwise(bench: Bench) -> None:
    providers = (await bench.ada.get(f"{bench.url}/providers")).json()["items"]
    limits = {each["key"]: each["limits"] for each in providers}
    usual = {"timeout_seconds": 60, "concurrency": 8, "retries": 2, "max_tokens": 4096}
    assert limits["openai"] == usual
    # A server of one's own is slow, and answers few calls at a time.
    assert limits["ollama"] == usual | {"timeout_seconds": 600, "concurrency": 2}


async def test_a_credentials_max_tokens_apply_to_models_that_set_none(bench: Bench) -> None:
    await limit_credential(bench, max_tokens=128)
    bench.server.script(openai.text_stream("Paris."))
    await bench.attempt()
    assert bench.server.last.body["max_tokens"] == 128
    await bench.ada.patch(
        f"{bench.url}/models/{bench.model}", json={"parameters": {"max_tokens": 64}}
    )
    await bench.attempt()
    assert bench.server.last.body["max_tokens"] == 64


async def test_a_model_overrides_the_retries_of_its_credential(bench: Bench) -> None:
    await limit_credential(bench, retries=5)
    await limit_model(bench, retries=0)
    bench.server.script(openai.error(500))
    asked = len(bench.server.received)
    kind, end = (await bench.attempt())[-1]
    assert (kind, end["attempts"]) == ("failed", 1)
    assert len(bench.server.received) == asked + 1


async def test_a_timeout_of_the_model_ends_the_call_and_is_charged_as_unanswered(
    bench: Bench,
) -> None:
    await limit_model(bench, timeout_seconds=1, retries=0)
    bench.server.script(Silence())
    kind, end = (await bench.attempt())[-1]
    assert (kind, end["reason"]) == ("failed", "timeout")
    assert "1 s" in end["message"]


async def until_asked(bench: Bench, count: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(bench.server.received) < count:
            bench.server.was_asked.clear()
            await bench.server.was_asked.wait()


async def test_concurrency_of_a_credential_and_a_queue_of_the_models_own(bench: Bench) -> None:
    """One call at a time of the credential; the model with its own limit does not wait for it."""
    await limit_credential(bench, concurrency=1)
    other = await bench.ada.post(
        f"{bench.url}/models",
        json={
            "credential_id": bench.credential,
            "provider_model": "gpt-y",
            "limits": {"concurrency": 1},
        },
    )
    assert other.status_code == 201, other.text
    bench.server.script(openai.text_stream("Paris."))
    bench.server.hold()
    before = len(bench.server.received)
    second = replace(bench, model=other.json()["id"])
    calls = [asyncio.create_task(bench.attempt(prompt=f"Question {at}?")) for at in range(3)]
    calls.append(asyncio.create_task(second.attempt(prompt="Mine?")))
    await until_asked(bench, before + 2)
    asked = sorted(each.body["model"] for each in bench.server.received[before:])
    bench.server.release()
    await asyncio.gather(*calls)
    assert asked == ["gpt-x", "gpt-y"]
    assert len(bench.server.received) == before + 4
