"""Prices: exact integers from the bundled table, and unknown where they would be guesses."""

from datetime import UTC, datetime
from decimal import Decimal
from importlib.metadata import version
from typing import Any

import pytest

from edison.kit import clock
from edison.kit.money import NANOS_PER_USD
from edison.pipeline.generate import catalog, price_table
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.generate.prices import Prices, Rate, RateTier

SELLERS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "bedrock": "aws",
    "vertex": "google",
}
USAGES = [
    Usage(input_tokens=1, output_tokens=1),
    Usage(input_tokens=1234, output_tokens=567),
    Usage(input_tokens=10_007, output_tokens=3, cached_input_tokens=9_999),
    Usage(input_tokens=128_001, output_tokens=11, cached_input_tokens=1),
    Usage(input_tokens=200_000, output_tokens=1),
    Usage(input_tokens=200_001, output_tokens=1, cached_input_tokens=200_001),
    Usage(input_tokens=999_999, output_tokens=77_777, cached_input_tokens=123),
    Usage(input_tokens=10_007, output_tokens=3, cache_write_tokens=10_007),
    Usage(input_tokens=200_001, output_tokens=3, cached_input_tokens=7, cache_write_tokens=99_991),
]


def prices_of(provider: str, model: str) -> Prices | None:
    return catalog.load_provider(provider).facts_of(model).prices


def dollars(prices: Prices | None) -> tuple[Decimal, Decimal] | None:
    if prices is None:
        return None
    both = (prices.input.nanos_per_million, prices.output.nanos_per_million)
    return Decimal(both[0]) / NANOS_PER_USD, Decimal(both[1]) / NANOS_PER_USD


def test_a_cost_is_exact_and_rounded_up_once() -> None:
    prices = Prices(
        input=Rate(nanos_per_million=150_000_000),
        output=Rate(nanos_per_million=600_000_000),
        cached_input=Rate(nanos_per_million=75_000_000),
        version="test",
    )
    usage = Usage(input_tokens=3, output_tokens=1, cached_input_tokens=1)
    assert prices.cost_nanos(usage) == 2 * 150 + 75 + 600
    tiny = Prices(input=Rate(nanos_per_million=1), output=Rate(nanos_per_million=1), version="test")
    assert tiny.cost_nanos(Usage(input_tokens=1, output_tokens=1)) == 1


def test_cache_writes_have_their_own_rate() -> None:
    usage = Usage(input_tokens=9, output_tokens=0, cached_input_tokens=4, cache_write_tokens=3)
    plain, dear = Rate(nanos_per_million=1_000_000), Rate(nanos_per_million=5_000_000)
    prices = Prices(input=plain, output=plain, cache_write=dear, version="test")
    assert prices.cost_nanos(usage) == 2 + 4 + 3 * 5
    assert prices.worst_case_nanos(input_tokens=9, max_tokens=1) == 9 * 5 + 1
    without = Prices(input=plain, output=plain, version="test")
    assert without.cost_nanos(usage) == 9


def test_a_tier_prices_the_whole_call() -> None:
    tiers = (RateTier(above_input_tokens=10, nanos_per_million=7_000_000),)
    prices = Prices(
        input=Rate(nanos_per_million=1_000_000, tiers=tiers),
        output=Rate(nanos_per_million=0),
        version="test",
    )
    assert prices.cost_nanos(Usage(input_tokens=10, output_tokens=0)) == 10
    assert prices.cost_nanos(Usage(input_tokens=11, output_tokens=0)) == 77


def test_nothing_costs_more_than_the_worst_case() -> None:
    for provider, seller in SELLERS.items():
        for model in price_table.load_table()[seller].models:
            prices = prices_of(provider, model.id)
            for usage in USAGES if prices is not None else ():
                assert prices is not None
                most = prices.worst_case_nanos(
                    input_tokens=usage.input_tokens, max_tokens=usage.output_tokens
                )
                assert prices.cost_nanos(usage) <= most, model.id


@pytest.mark.parametrize("provider", SELLERS)
def test_costs_equal_those_of_the_price_library(provider: str) -> None:
    """Up to our rounding, for every token-priced model of the table."""
    from genai_prices import Usage as TheirUsage
    from genai_prices import calc_price

    compared = 0
    for model in price_table.load_table()[SELLERS[provider]].models:
        prices = prices_of(provider, model.id)
        if prices is None:
            continue
        for usage in USAGES:
            theirs = calc_price(
                TheirUsage(
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                    cache_read_tokens=usage.cached_input_tokens,
                    cache_write_tokens=usage.cache_write_tokens,
                ),
                model.id,
                provider_id=SELLERS[provider],
                genai_request_timestamp=clock.now(),
            )
            exact = theirs.total_price * NANOS_PER_USD
            assert 0 <= prices.cost_nanos(usage) - exact < 1, (model.id, usage)
            compared += 1
    assert compared >= 20 * len(USAGES)


@pytest.mark.parametrize(
    ("provider", "model", "usd"),
    [
        ("openai", "gpt-4o-mini", ("0.15", "0.6")),
        ("openai", "gpt-4o-2024-08-06", ("2.5", "10")),
        ("openai", "GPT-4o", ("2.5", "10")),
        ("anthropic", "claude-3-haiku-20240307", ("0.25", "1.25")),
        ("bedrock", "anthropic.claude-3-haiku-20240307-v1:0", ("0.25", "1.25")),
        ("bedrock", "us.anthropic.claude-3-haiku-20240307-v1:0", ("0.25", "1.25")),
        ("vertex", "gemini-2.5-pro", ("1.25", "10")),
        ("azure", "gpt-4o", ("2.5", "10")),
        ("sim", "sim-large", ("3", "15")),
    ],
)
def test_known_models_have_known_prices(provider: str, model: str, usd: tuple[str, str]) -> None:
    assert dollars(prices_of(provider, model)) == tuple(map(Decimal, usd))


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "gpt-4o-of-ours"),
        ("openai", ""),
        ("openai", "text-embedding-3-small"),
        ("openai", "whisper-1"),
        ("openai", "claude-3-haiku-20240307"),
        ("azure", "gpt-4o-production"),
        ("azure", "claude-sonnet-4-5-team"),
        ("vertex", "gemma-3"),
        ("ollama", "gpt-4o"),
        ("openai_compatible", "gpt-4o"),
        ("sim", "gpt-4o"),
        ("scripted", "scripted"),
    ],
)
def test_uncertain_prices_are_unknown(provider: str, model: str) -> None:
    assert prices_of(provider, model) is None


def test_two_matches_are_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    from genai_prices.types import ClauseContains, ModelInfo, ModelPrice
    from genai_prices.types import Provider as Seller

    price = ModelPrice(input_mtok=Decimal(1), output_mtok=Decimal(1))
    models = [
        ModelInfo(id=name, match=ClauseContains(contains=name), prices=price) for name in ("x", "y")
    ]
    seller = Seller(id="shop", name="Shop", api_pattern="", models=models)
    monkeypatch.setitem(price_table.load_table(), "shop", seller)
    assert price_table.facts_of("shop", "just-x").prices is not None
    assert price_table.facts_of("shop", "x-and-y").prices is None


def test_the_price_version_names_the_table() -> None:
    found = prices_of("openai", "gpt-4o")
    assert found is not None
    assert found.version == f"genai-prices {version('genai-prices')}"


def test_a_price_that_starts_later_is_not_yet_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def at(moment: datetime) -> Any:
        monkeypatch.setattr(clock, "now", lambda: moment)
        return prices_of("anthropic", "claude-sonnet-4-6")

    assert at(datetime(2026, 3, 12, tzinfo=UTC)).input.tiers != ()
    assert at(datetime(2026, 3, 13, tzinfo=UTC)).input.tiers == ()


def test_a_price_finer_than_a_nano_dollar_is_rounded_up() -> None:
    assert price_table._rate(Decimal("0.18000000000000002")).nanos_per_million == 180_000_001


def test_context_windows_are_known() -> None:
    assert catalog.load_provider("openai").facts_of("gpt-4o").context_window == 128_000
    assert catalog.load_provider("sim").facts_of("sim-small").context_window == 32_000
    assert catalog.load_provider("ollama").facts_of("llama3").context_window is None
