"""Base class of providers.

A provider is one module in `providers/`. The module's name is its stored key, and the class *is*
its settings: its fields define the form of a credential, and secret fields are encrypted.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, ClassVar, Protocol, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr, SecretStr

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.redaction import MASK, redact_text
from edison.pipeline.generate import price_table
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.call import Call, Capabilities
from edison.pipeline.generate.call_limits import CallLimits
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.outcome import CallFailed, Outcome, Streamed
from edison.pipeline.generate.parameter_rules import ParameterRules
from edison.pipeline.generate.tokens.scheme import OTHER_VENDORS, TokenScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailableModel:
    """A model in the provider's list of models."""

    id: str
    display_name: str | None = None
    context_window: int | None = None


class SentCall(Protocol):
    """A call in flight."""

    def abort(self) -> None:
        """Breaks it off, unless it has just ended."""


# Receives the outcome, the exception of a bug, or None if the call was broken off.
CallEnd = Outcome | BaseException | None
OnEnd = Callable[[CallEnd], None]


class Provider(BaseModel, ABC):
    """Access to the models of one service. Instances are shared by concurrent calls and closed
    after use.

    Providers never retry, never exceed the call's timeout in total, and return every error as a
    CallFailed. Vendor libraries are imported inside methods.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    is_simulated: ClassVar[bool] = False
    is_hidden: ClassVar[bool] = False
    """Not offered in forms."""
    price_seller: ClassVar[str | None] = None
    """The provider's name in the price table; None if it is not listed."""
    vendor_variables: ClassVar[tuple[str, ...] | None] = None
    """The vendor's usual environment variables; None: the address can belong to any vendor."""

    call_limits: ClassVar[CallLimits] = CallLimits()
    """Defaults that suit the provider better than those of the installation."""

    _network: NetworkPolicy = PrivateAttr(default=NetworkPolicy())

    @classmethod
    def open(cls, settings: Mapping[str, Any], *, network: NetworkPolicy) -> Self:
        """Creates a provider from a credential's fields. It connects only where `network`
        allows.
        """
        provider = cls.model_validate(settings)
        provider._network = network
        return provider

    def destination(self) -> str | None:
        """URL of the server that receives the credential's secret. None: the secret is not sent, or
        only the guarded client determines where.
        """
        return None

    def hide_secrets(self, text: str) -> str:
        """The text without this credential's secrets, or anything that looks like a secret."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, SecretStr) and (secret := value.get_secret_value().strip()):
                text = text.replace(secret, MASK)
        return redact_text(text)

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        """Capabilities that can be derived from the model's name."""
        return Capabilities()

    @classmethod
    def parameter_rules(cls, model: str) -> ParameterRules:
        return ParameterRules()

    @classmethod
    def facts_of(cls, model: str) -> ModelFacts:
        """Facts that are known without calling the provider."""
        if cls.price_seller is None:
            return ModelFacts()
        return price_table.facts_of(cls.price_seller, model)

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return OTHER_VENDORS

    @abstractmethod
    async def complete(self, call: Call) -> Outcome: ...

    def begin(self, call: Call, on_end: OnEnd) -> SentCall | None:
        """`complete` without a task: sends the call at once, and calls back exactly once, in a
        later step of the event loop. None, with nothing sent, if this call needs `complete`.
        """
        return None

    @abstractmethod
    def stream(self, call: Call) -> AsyncIterator[Streamed]:
        """Yields pieces of text, then exactly one Completion or CallFailed as the last item."""

    @abstractmethod
    async def list_models(self) -> list[AvailableModel] | CallFailed: ...

    @abstractmethod
    async def check(self) -> CallFailed | None:
        """Tests the credential at the lowest possible cost. Returns None when it works."""

    async def close(self) -> None:
        """Closes connections."""
        return None
