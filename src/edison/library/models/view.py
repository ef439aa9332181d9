"""Conversion of models and prices to API schemas."""

from dataclasses import asdict
from typing import Literal

from edison.kit.money import usd_from_nanos
from edison.library.models.schemas import (
    CapabilityValues,
    KnownModelRead,
    ModelRead,
    ParameterValues,
    PricesRead,
    PriceTier,
    RulesRead,
)
from edison.library.models.stored import OWN_VERSION, Registration
from edison.pipeline.generate import catalog
from edison.pipeline.generate.prices import Prices
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials.schemas import CallLimitValues

LONGEST_NAME = 100


def read_model(registration: Registration) -> ModelRead:
    row, provider = registration.model, registration.provider
    parameters, capabilities = registration.parameters, registration.capabilities
    facts = provider.facts_of(row.provider_model)
    return ModelRead(
        id=row.id,
        credential_id=row.credential_id,
        credential_label=registration.credential.label,
        provider=registration.credential.provider,
        provider_title=provider.title,
        is_simulated=provider.is_simulated,
        provider_model=row.provider_model,
        display_name=row.display_name,
        context_window=row.context_window,
        capabilities=CapabilityValues(**asdict(capabilities)),
        parameters=ParameterValues(**asdict(parameters)),
        call_parameters=ParameterValues(**asdict(registration.call_parameters)),
        ignored_parameters=list(capabilities.refused(parameters)),
        prices=read_prices(registration.prices, provider),
        limits=CallLimitValues(**row.limits),
        is_enabled=row.is_enabled,
        is_default=row.is_default,
        is_retired=facts.is_retired,
        successor=facts.successor,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def read_known(provider_key: str, provider_model: str) -> KnownModelRead:
    provider = catalog.load_provider(provider_key)
    facts = provider.facts_of(provider_model)
    return KnownModelRead(
        provider=provider_key,
        provider_model=provider_model,
        display_name=default_name(provider, provider_model),
        context_window=facts.context_window,
        capabilities=CapabilityValues(**asdict(provider.capabilities_of(provider_model))),
        parameter_rules=RulesRead(**asdict(provider.parameter_rules(provider_model))),
        prices=read_prices(facts.prices, provider),
    )


def default_name(provider: type[Provider], provider_model: str) -> str:
    return (provider.facts_of(provider_model).display_name or provider_model)[:LONGEST_NAME]


def read_prices(prices: Prices | None, provider: type[Provider]) -> PricesRead:
    if prices is None:
        return PricesRead(
            input_usd_per_million=None,
            output_usd_per_million=None,
            cached_input_usd_per_million=None,
            source="unknown",
            version=None,
            tiers=[],
        )
    cached = prices.cached_input
    return PricesRead(
        input_usd_per_million=usd_from_nanos(prices.input.nanos_per_million),
        output_usd_per_million=usd_from_nanos(prices.output.nanos_per_million),
        cached_input_usd_per_million=(
            None if cached is None else usd_from_nanos(cached.nanos_per_million)
        ),
        source=_source(prices, provider),
        version=prices.version,
        tiers=_tiers(prices),
    )


def _source(prices: Prices, provider: type[Provider]) -> Literal["table", "own", "simulated"]:
    if prices.version == OWN_VERSION:
        return "own"
    return "simulated" if provider.is_simulated else "table"


def _tiers(prices: Prices) -> list[PriceTier]:
    """Every input size from which on a price differs, with all prices from there on."""
    rates = [rate for rate in (prices.input, prices.output, prices.cached_input) if rate]
    starts = sorted({tier.above_input_tokens for rate in rates for tier in rate.tiers})
    cached = prices.cached_input
    return [
        PriceTier(
            above_input_tokens=start,
            input_usd_per_million=usd_from_nanos(prices.input.at(start + 1)),
            output_usd_per_million=usd_from_nanos(prices.output.at(start + 1)),
            cached_input_usd_per_million=(
                None if cached is None else usd_from_nanos(cached.at(start + 1))
            ),
        )
        for start in starts
    ]
