"""Reservations against providers that count more tokens than Edison does."""

from decimal import Decimal
from typing import Any

from edison.pipeline.generate.tokens.bound import ENOUGH_BILLS
from tests.fake_providers import openai
from tests.slices.calls.conftest import Bench

MAX_TOKENS = 10
IN_NANOS, OUT_NANOS = 2_000, 8_000


def billed(input_tokens: int) -> Any:
    usage = {"prompt_tokens": input_tokens, "completion_tokens": MAX_TOKENS, "total_tokens": 0}
    return openai.text_stream("Yes.", usage=usage)


async def ask(bench: Bench, prompt: str) -> dict[str, Any]:
    """One call; returns its entry in the ledger."""
    events = await bench.attempt(
        prompt=prompt, parameters={"max_tokens": MAX_TOKENS}, is_cache_bypassed=True
    )
    assert events[-1][0] == "answered", events
    return (await bench.ledger())[0]


def input_tokens_in(amount: str) -> Decimal:
    """Input tokens that the amount pays for, beside the longest answer."""
    return (Decimal(amount) * 10**9 - MAX_TOKENS * OUT_NANOS) / IN_NANOS


async def test_a_chat_template_longer_than_the_prompt_is_reserved(bench: Bench) -> None:
    bench.server.script(billed(37))
    entry = await ask(bench, "Hi")
    assert input_tokens_in(entry["reserved_usd"]) == 64 + 8 + 2
    assert input_tokens_in(entry["cost_usd"]) == 37
    notes = (await bench.ada.get("/api/v1/notifications")).json()
    assert notes["items"] == []


async def test_a_bill_above_its_reservation_raises_the_next_and_is_reported(bench: Bench) -> None:
    bench.server.script(billed(3 * 74))
    first = await ask(bench, "Hi")
    assert Decimal(first["cost_usd"]) > Decimal(first["reserved_usd"])
    second = await ask(bench, "Hi")
    assert input_tokens_in(second["reserved_usd"]) == 3 * 74
    (note,) = (await bench.ada.get("/api/v1/notifications")).json()["items"]
    assert note["title"] == "Local X billed more than was reserved"
    assert note["body"] == (
        "A prompt was billed 222 input tokens; 74 were reserved. "
        "From now on Edison reserves more for this model."
    )


async def test_nothing_is_reserved_or_reported_without_a_price(bench: Bench) -> None:
    unpriced = await bench.ada.patch(f"{bench.url}/models/{bench.model}", json={"prices": None})
    assert unpriced.json()["prices"]["source"] == "unknown"
    bench.server.script(billed(3 * 74))
    entry = await ask(bench, "Hi")
    assert (Decimal(entry["reserved_usd"] or 0), entry["input_tokens"]) == (0, 3 * 74)
    assert (await bench.ada.get("/api/v1/notifications")).json()["items"] == []


async def test_a_budget_is_passed_by_no_more_than_the_first_bill(bench: Bench) -> None:
    limit = {"period": "total", "limit_usd": "0.01"}
    assert (await bench.ada.post(f"{bench.url}/budgets", json=limit)).status_code == 201
    bench.server.script(billed(3 * 74))
    first = await ask(bench, "Hi")
    over = Decimal(first["cost_usd"]) - Decimal(first["reserved_usd"])
    body = {"prompt": "Hi", "parameters": {"max_tokens": MAX_TOKENS}, "is_cache_bypassed": True}
    statuses = {
        (await bench.ada.post(f"{bench.url}/models/{bench.model}/try", json=body)).status_code
        for _ in range(30)
    }
    # Refused before it starts, once what is left is less than one call.
    assert statuses == {200, 402}
    spent = sum(Decimal(entry["cost_usd"]) for entry in await bench.ledger())
    assert Decimal("0.009") < spent <= Decimal("0.01") + over


async def test_enough_bills_tighten_reservations(bench: Bench) -> None:
    bench.server.script(billed(20))
    reserved = [
        input_tokens_in((await ask(bench, "Hi"))["reserved_usd"]) for _ in range(ENOUGH_BILLS + 1)
    ]
    assert set(reserved[:-1]) == {74}
    assert 20 <= reserved[-1] < 74
