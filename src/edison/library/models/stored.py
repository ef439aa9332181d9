"""Conversion between JSON columns of the registry and the pipeline's types."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd
from edison.library.models.models import Model
from edison.library.models.schemas import (
    CapabilityValues,
    OwnPrices,
    ParameterValues,
)
from edison.pipeline.generate import catalog
from edison.pipeline.generate.call import Capabilities, Parameters
from edison.pipeline.generate.call_limits import DEFAULT_MAX_TOKENS, CallLimits
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials.models import Credential

OWN_VERSION = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A model of the registry with its credential, in the pipeline's types."""

    model: Model
    credential: Credential

    @property
    def provider(self) -> type[Provider]:
        return catalog.load_provider(self.credential.provider)

    @property
    def capabilities(self) -> Capabilities:
        # Rows of earlier versions do not say whether the model follows a schema.
        known = self.provider.capabilities_of(self.model.provider_model)
        stored = _known(Capabilities, self.model.capabilities)
        return Capabilities(**{"json_schema": known.json_schema, **stored})

    @property
    def parameters(self) -> Parameters:
        return stored_parameters(self.model.parameters)

    @property
    def call_parameters(self) -> Parameters:
        """The parameters of calls that override none."""
        own = self.parameters
        if own.max_tokens is not None:
            return own
        most = self.provider.parameter_rules(self.model.provider_model).max_tokens.high
        return replace(own, max_tokens=min(self.limits.max_tokens or DEFAULT_MAX_TOKENS, int(most)))

    @property
    def limits(self) -> CallLimits:
        """The model's limits, completed by those of its credential and its provider."""
        of_credential = CallLimits.stored(self.credential.limits)
        return (
            CallLimits.stored(self.model.limits).over(of_credential).over(self.provider.call_limits)
        )

    @property
    def prices(self) -> Prices | None:
        """The project's own prices, else the known ones; None when unknown."""
        if self.model.prices is None:
            return self.provider.facts_of(self.model.provider_model).prices
        own = self.model.prices
        cached = own["cached_input_nanos_per_million"]
        return Prices(
            input=Rate(nanos_per_million=own["input_nanos_per_million"]),
            output=Rate(nanos_per_million=own["output_nanos_per_million"]),
            cached_input=None if cached is None else Rate(nanos_per_million=cached),
            version=OWN_VERSION,
        )


def stored_parameters(stored: Mapping[str, Any]) -> Parameters:
    values = _known(Parameters, stored)
    stop = values.pop("stop", None)
    return Parameters(**values, stop=None if stop is None else tuple(stop))


def parameters_of(values: ParameterValues) -> Parameters:
    given = values.model_dump(exclude={"stop"})
    return Parameters(**given, stop=None if values.stop is None else tuple(values.stop))


def capabilities_of(values: CapabilityValues) -> Capabilities:
    return Capabilities(**values.model_dump())


def column_of(values: Parameters | Capabilities) -> dict[str, Any]:
    """Unset parameters are left out."""
    return {name: value for name, value in asdict(values).items() if value is not None}


def price_column_of(own: OwnPrices | None) -> dict[str, Any] | None:
    if own is None:
        return None
    cached = own.cached_input_usd_per_million
    return {
        "input_nanos_per_million": nanos_from_usd(own.input_usd_per_million),
        "output_nanos_per_million": nanos_from_usd(own.output_usd_per_million),
        "cached_input_nanos_per_million": None if cached is None else nanos_from_usd(cached),
    }


def _known(
    kind: type[Capabilities] | type[Parameters], stored: Mapping[str, Any]
) -> dict[str, Any]:
    """Drops fields that a later version wrote."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in stored.items() if name in names}
