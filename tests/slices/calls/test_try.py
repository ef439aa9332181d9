"""Trying a model: the streamed answer, its cost, and failures."""

import pytest

from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer
from tests.slices.calls.conftest import SECRET, Bench
from tests.support.browser import fields_of

# 8 tokens at $2, 12 cached at $1, 9 at $8 per million.
COST = "0.0001"


async def test_an_answer_arrives_in_pieces_with_its_figures(bench: Bench) -> None:
    bench.server.script(openai.text_stream("Par", "is."))
    *pieces, (kind, end) = await bench.attempt(system="Be brief.")
    assert pieces == [("delta", {"text": "Par"}), ("delta", {"text": "is."})]
    assert kind == "answered"
    assert end["text"] == "Paris."
    assert end["usage"] == {
        "input_tokens": 20,
        "output_tokens": 9,
        "cached_input_tokens": 12,
        "reasoning_tokens": 4,
        "is_estimated": False,
    }
    assert end["cost_usd"] == COST
    assert end["price_version"] == "own"
    assert (end["attempts"], end["is_cached"], end["is_simulated"]) == (1, False, False)
    assert end["finish_reason"] == "stop"
    assert end["request_id"] == openai.REQUEST_ID
    asked = bench.server.last
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Capital of France?"},
    ]
    assert asked.body["max_tokens"] == 4096


async def test_the_same_question_is_answered_from_the_cache_for_free(bench: Bench) -> None:
    bench.server.script(openai.text_stream("Paris."))
    await bench.attempt()
    asked = len(bench.server.received)
    *pieces, (kind, end) = await bench.attempt()
    assert (kind, end["is_cached"], end["cost_usd"], end["attempts"]) == (
        "answered",
        True,
        "0.00",
        0,
    )
    assert pieces == [("delta", {"text": "Paris."})]
    assert len(bench.server.received) == asked
    assert len(await bench.ledger()) == 1


async def test_bypassing_the_cache_replaces_the_cached_answer(bench: Bench) -> None:
    bench.server.script(openai.text_stream("Paris."), openai.text_stream("It is Paris."))
    await bench.attempt()
    _, end = (await bench.attempt(is_cache_bypassed=True))[-1]
    assert (end["text"], end["is_cached"]) == ("It is Paris.", False)
    _, kept = (await bench.attempt())[-1]
    assert (kept["text"], kept["is_cached"]) == ("It is Paris.", True)


@pytest.mark.parametrize(
    "change",
    [{"prompt": "Capital of Spain?"}, {"system": "Shout."}, {"parameters": {"temperature": 0.5}}],
)
async def test_a_changed_question_bypasses_the_cache(
    bench: Bench, change: dict[str, object]
) -> None:
    bench.server.script(openai.text_stream("Paris."))
    await bench.attempt()
    _, end = (await bench.attempt(**change))[-1]
    assert end["is_cached"] is False


async def test_the_ledger_holds_every_attempt(bench: Bench) -> None:
    bench.server.script(openai.error(503), openai.text_stream("Paris."))
    events = await bench.attempt()
    waiting = [data for kind, data in events if kind == "waiting"]
    assert waiting[0]["reason"] == "retry"
    assert events[-1][1]["attempts"] == 2
    answered, failed = await bench.ledger()
    assert (failed["attempt"], failed["failure"], failed["cost_usd"]) == (1, "provider", "0.00")
    assert (answered["attempt"], answered["failure"], answered["cost_usd"]) == (2, None, COST)
    assert {entry["state"] for entry in (answered, failed)} == {"settled"}
    assert answered["purpose"] == "try"
    assert answered["price_version"] == "own"
    assert (answered["input_tokens"], answered["cached_input_tokens"]) == (20, 12)


async def test_a_refused_key_is_reported_and_marks_the_credential(bench: Bench) -> None:
    bench.server.script(openai.error(401, code="invalid_api_key"))
    ((kind, end),) = await bench.attempt()
    assert (kind, end["reason"], end["cost_usd"]) == ("failed", "invalid_key", "0.00")
    assert SECRET not in str(end)
    (credential,) = (await bench.ada.get(f"{bench.url}/credentials")).json()["items"]
    assert credential["failure"] == "invalid_key"


async def test_an_unknown_price_stays_unknown(bench: Bench) -> None:
    await bench.ada.patch(f"{bench.url}/models/{bench.model}", json={"prices": None})
    bench.server.script(openai.text_stream("Paris."))
    _, end = (await bench.attempt())[-1]
    assert (end["cost_usd"], end["price_version"]) == (None, None)
    (entry,) = await bench.ledger()
    assert (entry["reserved_usd"], entry["cost_usd"], entry["output_tokens"]) == (None, None, 9)


async def test_a_changed_key_is_used_at_once(bench: Bench) -> None:
    bench.server.script(openai.text_stream("Paris."))
    await bench.attempt()
    bench.server.script(openai.MODELS, openai.text_stream("Paris."))
    changed = await bench.ada.patch(
        f"{bench.url}/credentials/{bench.credential}",
        json={"secrets": {"api_key": {"value": "sk-another-secret-of-theirs"}}},
    )
    assert changed.status_code == 200
    await bench.attempt(is_cache_bypassed=True)
    assert bench.server.last.headers["authorization"] == "Bearer sk-another-secret-of-theirs"


async def test_a_missing_variable_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    bench.server.script(openai.MODELS)
    await bench.ada.patch(
        f"{bench.url}/credentials/{bench.credential}",
        json={"secrets": {"api_key": {"env": "PLANTED_KEY"}}},
    )
    monkeypatch.delenv("PLANTED_KEY")
    ((kind, end),) = await bench.attempt()
    assert (kind, end["reason"], end["attempts"]) == ("failed", "invalid_key", 0)
    assert "PLANTED_KEY" in end["message"]
    assert await bench.ledger() == []


async def test_answers_are_cached_unchanged(bench: Bench) -> None:
    odd = 'NUL \x00, "quotes", <script>alert(1)</script>, \N{GRINNING FACE}, \u2028'
    bench.server.script(openai.text_stream(odd))
    await bench.attempt()
    _, end = (await bench.attempt())[-1]
    assert (end["text"], end["is_cached"]) == (odd, True)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"prompt": ""}, "prompt"),
        ({"prompt": "x" * 400_001}, "prompt"),
        ({"parameters": {"temperature": 3}}, "parameters.temperature"),
        ({"parameters": {"max_tokens": 0}}, "parameters.max_tokens"),
        ({"parameters": {"stop": ["a", "b", "c", "d", "e"]}}, "parameters.stop"),
        ({"parameters": {"wit": 1}}, "parameters.wit"),
        ({"stream": False}, "stream"),
    ],
)
async def test_a_bad_question_names_its_field_and_is_not_asked(
    bench: Bench, body: dict[str, object], field: str
) -> None:
    asked = len(bench.server.received)
    response = await bench.ada.post(
        f"{bench.url}/models/{bench.model}/try", json={"prompt": "Hello", **body}
    )
    assert fields_of(response) == {field}
    assert len(bench.server.received) == asked
    assert await bench.ledger() == []


async def test_a_deleted_model_is_not_found(bench: Bench) -> None:
    await bench.ada.delete(f"{bench.url}/models/{bench.model}")
    response = await bench.ada.post(
        f"{bench.url}/models/{bench.model}/try", json={"prompt": "Hello"}
    )
    assert response.status_code == 404


async def test_a_web_page_instead_of_an_answer_is_explained(bench: Bench) -> None:
    bench.server.script(Answer(body=b"<html>Welcome</html>", content_type="text/html"))
    kind, end = (await bench.attempt())[-1]
    assert (kind, end["reason"]) == ("failed", "malformed_response")
