"""The one small protocol behind which every provider lives.

A provider is one file in `providers/`. The file's name is its stored key, and the class *is* its
settings: its fields draw the form in which a credential is entered, and secret ones are sealed.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr

from edison.pipeline.generate import price_table
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Call, Capabilities
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.outcome import CallFailed, Outcome, Streamed
from edison.pipeline.generate.parameter_rules import ParameterRules
from edison.pipeline.generate.tokens.scheme import OTHER_VENDORS, TokenScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailableModel:
    """A model the provider says it has."""

    id: str
    display_name: str | None = None
    context_window: int | None = None


class Provider(BaseModel, ABC):
    """One way to reach models. Instances are shared by concurrent calls and closed when done.

    Providers never retry, never wait longer than the call's timeout in total, and turn everything
    that goes wrong into a CallFailed. Vendor libraries are imported inside methods.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    is_simulated: ClassVar[bool] = False
    is_hidden: ClassVar[bool] = False
    """Never offered in forms."""
    price_seller: ClassVar[str | None] = None
    """Under which name the price table lists the provider; None: not at all."""
    vendor_variables: ClassVar[tuple[str, ...] | None] = None
    """The vendor's usual environment variables; None: any vendor may be behind the address."""

    _network: NetworkPolicy = PrivateAttr(default=NetworkPolicy())

    @classmethod
    def open(cls, settings: Mapping[str, Any], *, network: NetworkPolicy) -> Self:
        """A provider from a credential's fields, which calls only what `network` allows."""
        provider = cls.model_validate(settings)
        provider._network = network
        return provider

    def destination(self) -> str | None:
        """A URL of the server that gets the credential's secret; None: it is sent nowhere, or the
        guarded client alone knows.
        """
        return None

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        """What the model accepts, as far as its name tells."""
        return Capabilities()

    @classmethod
    def parameter_rules(cls, model: str) -> ParameterRules:
        return ParameterRules()

    @classmethod
    def facts_of(cls, model: str) -> ModelFacts:
        """What is known about the model without asking the provider."""
        if cls.price_seller is None:
            return ModelFacts()
        return price_table.facts_of(cls.price_seller, model)

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return OTHER_VENDORS

    @abstractmethod
    async def complete(self, call: Call) -> Outcome: ...

    @abstractmethod
    def stream(self, call: Call) -> AsyncIterator[Streamed]:
        """Pieces of text, then exactly one Completion or CallFailed as the last item."""

    @abstractmethod
    async def list_models(self) -> list[AvailableModel] | CallFailed: ...

    @abstractmethod
    async def check(self) -> CallFailed | None:
        """Whether the credential works, at no or the least possible cost. None means it does."""

    async def close(self) -> None:
        """Give back connections."""
        return None
