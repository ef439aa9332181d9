"""Moderation models, against a server that speaks OpenAI's documented protocol."""

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.http_provider import HttpProvider
from edison.pipeline.generate.moderation import is_moderation_model
from edison.pipeline.generate.outcome import FailureReason, TextDelta, Usage
from edison.pipeline.generate.path.question import Answer as PathAnswer
from edison.pipeline.generate.providers.openai import OpenAI
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.scorer import Flag, Subject
from tests.fake_providers.scripted_server import Answer, ScriptedServer, running
from tests.pipeline.generate.asking import answer_of, failure_of, make_call
from tests.pipeline.score.scoring import score

MODEL = "omni-moderation-latest"
CATEGORIES = ("harassment", "hate", "hate/threatening", "sexual/minors", "violence")


def moderated(**scores: float) -> Answer:
    """A result that flags every score above a half."""
    named = {name.replace("_", "/"): value for name, value in scores.items()}
    all_scores = dict.fromkeys(CATEGORIES, 0.0001) | named
    result = {
        "flagged": any(value > 0.5 for value in all_scores.values()),
        "categories": {name: value > 0.5 for name, value in all_scores.items()},
        "category_scores": all_scores,
        "category_applied_input_types": {name: ["text"] for name in all_scores},
    }
    body = {"id": "modr-1", "model": "omni-moderation-2024-09-26", "results": [result]}
    return Answer(body=body, headers={"x-request-id": "req_m"})


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        server.script(moderated())
        yield server


@pytest.fixture(params=[OpenAI, OpenAICompatible])
async def provider(
    request: pytest.FixtureRequest, server: ScriptedServer
) -> AsyncIterator[HttpProvider]:
    provider: HttpProvider = request.param.open(
        {"api_key": "sk-planted", "base_url": f"{server.url}/v1"},
        network=NetworkPolicy(allow_loopback=True),
    )
    yield provider
    await provider.close()


async def test_a_moderation_model_is_asked_at_its_own_address(
    server: ScriptedServer, provider: HttpProvider
) -> None:
    server.script(moderated(violence=0.9))
    answer = await answer_of(provider, model=MODEL, parameters=Parameters(temperature=0.3))
    assert (server.last.method, server.last.path) == ("POST", "/v1/moderations")
    assert server.last.headers["authorization"] == "Bearer sk-planted"
    assert server.last.headers["content-type"] == "application/json"
    assert server.last.body == {"model": MODEL, "input": "Capital of France?"}
    assert answer.model == "omni-moderation-2024-09-26"
    assert answer.request_id == "req_m"
    assert answer.usage == Usage(input_tokens=0, output_tokens=0)
    result = json.loads(answer.text)
    assert (result["flagged"], result["categories"]["violence"]) == (True, True)
    *pieces, whole = [item async for item in provider.stream(make_call(model=MODEL))]
    assert pieces == [TextDelta(text=answer.text)]
    assert getattr(whole, "text", "") == answer.text


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Answer(body={"error": {"message": "Bad key."}}, status=401), FailureReason.INVALID_KEY),
        (Answer(body={"error": {"message": "Slow down."}}, status=429), FailureReason.RATE_LIMIT),
        (Answer(body={"results": []}), FailureReason.MALFORMED_RESPONSE),
        (Answer(body={"results": [{"flagged": "yes"}]}), FailureReason.MALFORMED_RESPONSE),
        (Answer(body=b"<html>"), FailureReason.MALFORMED_RESPONSE),
    ],
)
async def test_moderation_failures_have_the_usual_reasons(
    server: ScriptedServer, provider: HttpProvider, reply: Answer, reason: FailureReason
) -> None:
    server.script(reply)
    failure = await failure_of(provider, model=MODEL)
    assert failure.reason is reason
    assert "sk-planted" not in failure.message


def test_moderation_models_are_recognised_by_name_and_free() -> None:
    assert is_moderation_model("openai/omni-moderation-2024-09-26")
    assert not is_moderation_model("gpt-4o")
    prices = OpenAI.facts_of("text-moderation-007").prices
    assert prices is not None
    assert prices.worst_case_nanos(input_tokens=10_000, max_tokens=10_000) == 0


class AskingTools:
    """Lets a scorer call the provider."""

    def __init__(self, provider: HttpProvider) -> None:
        self._provider = provider

    async def ask(
        self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters
    ) -> PathAnswer:
        outcome = await self._provider.complete(
            make_call(model=MODEL, messages=prompt.messages, parameters=parameters)
        )
        return PathAnswer(
            outcome=outcome,
            attempts=1,
            cost_nanos=0,
            is_cached=False,
            waited_seconds=0,
            price_version=None,
            cache_key="",
        )


SUBJECT = Subject(text="I will hurt you.", inputs={"question": "Hello?", "again": ["Hi"]})


@pytest.mark.parametrize(
    ("options", "value", "rationale"),
    [
        ({}, 0.0, "Found violence."),
        ({"categories": ["hate"]}, 1.0, "Nothing found."),
        ({"categories": ["hate"], "limit": 0.2}, 0.0, "Found hate/threatening."),
        ({"limit": 0.95}, 1.0, "Nothing found."),
        ({"looks_at": "both"}, 0.0, "Found violence, harassment."),
    ],
)
async def test_the_scorer_reads_flags_or_scores(
    server: ScriptedServer,
    provider: HttpProvider,
    options: dict[str, Any],
    value: float,
    rationale: str,
) -> None:
    server.script(moderated(violence=0.9, hate_threatening=0.3), moderated(harassment=0.8))
    options = {"model_id": str(UUID(int=1)), **options}
    scored = await score("moderation", SUBJECT, options=options, tools=AskingTools(provider))
    assert (scored.value, scored.rationale) == (value, rationale)
    asked = [received.body["input"] for received in server.received]
    both = options.get("looks_at") == "both"
    assert asked == ["I will hurt you.", *(["Hello?\n\nHi"] if both else [])]


async def test_without_a_verdict_there_is_no_value(
    server: ScriptedServer, provider: HttpProvider
) -> None:
    options = {"model_id": str(UUID(int=1)), "mode": "block"}
    server.script(Answer(body={"error": {"message": "Down."}}, status=503))
    scored = await score("moderation", SUBJECT, options=options, tools=AskingTools(provider))
    assert (scored.value, scored.flag) == (None, Flag.JUDGE_FAILED)
    empty = await score("moderation", " ", options=options, tools=AskingTools(provider))
    assert empty.value == 1.0
    assert len(server.received) == 1
