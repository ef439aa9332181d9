"""Schemas of the model endpoints. Prices are in US dollars per million tokens."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import (
    Field,
    PlainSerializer,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from edison.api.json_values import AnyJson
from edison.api.schema import CleanText, Line, Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.credentials.schemas import CallLimitValues

DisplayName = Annotated[
    Line, StringConstraints(min_length=1, max_length=100), Field(examples=["GPT-4o"])
]
ProviderModel = Annotated[
    Line, StringConstraints(min_length=1, max_length=300), Field(examples=["gpt-4o"])
]
ContextWindow = Annotated[int, Field(ge=1, le=100_000_000, examples=[128_000])]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Price = Annotated[
    Decimal,
    Field(ge=0, le=10_000, decimal_places=6, allow_inf_nan=False),
    PlainSerializer(lambda amount: format(amount, "f"), return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^\d{1,5}(\.\d{1,6})?$",
            "description": "US dollars per million tokens, 0 to 10000, at most 6 decimals",
            "examples": ["2.50"],
        }
    ),
]


class ParameterValues(Schema):
    """Sampling parameters; null uses the provider's default. `known-models` lists the values that a
    model accepts.
    """

    temperature: Finite | None = None
    max_tokens: int | None = None
    top_p: Finite | None = None
    frequency_penalty: Finite | None = None
    presence_penalty: Finite | None = None
    stop: Annotated[list[CleanText], Field(max_length=100)] | None = None
    seed: int | None = None


class CapabilityValues(Schema):
    """Parameters that the model accepts. Others are never sent."""

    temperature: bool = True
    top_p: bool = True
    frequency_penalty: bool = True
    presence_penalty: bool = True
    stop: bool = True
    seed: bool = True
    json_output: bool = True
    tools: bool = True
    json_schema: Annotated[bool, Field(description="Answers can follow a JSON Schema")] = False


class OwnPrices(Schema):
    """The project's own prices; cached input costs the same as input unless given."""

    input_usd_per_million: Price
    output_usd_per_million: Price
    cached_input_usd_per_million: Price | None = None

    @field_validator("cached_input_usd_per_million")
    @classmethod
    def _is_not_dearer(cls, value: Decimal | None, given: ValidationInfo) -> Decimal | None:
        # The worst case of a call assumes that no input is cached.
        uncached: Decimal | None = given.data.get("input_usd_per_million")
        if value is not None and uncached is not None and value > uncached:
            raise ValueError("Cached input cannot cost more than other input.")
        return value


class ModelRequest(Schema):
    """Fields left out are filled in from what is known about the model."""

    credential_id: UUID
    provider_model: ProviderModel
    display_name: DisplayName | None = None
    context_window: ContextWindow | None = None
    capabilities: CapabilityValues | None = None
    parameters: ParameterValues = Field(default_factory=ParameterValues)
    prices: OwnPrices | None = None
    limits: CallLimitValues = Field(default_factory=CallLimitValues)
    is_enabled: bool = True
    is_default: bool = False


class ModelChange(Schema):
    """Fields left out are not changed. `prices: null` restores the price table's prices, and
    `context_window: null` means unknown. Parameters, capabilities and limits are replaced as a
    whole.
    """

    display_name: DisplayName | None = None
    context_window: ContextWindow | None = None
    capabilities: CapabilityValues | None = None
    parameters: ParameterValues | None = None
    prices: OwnPrices | None = None
    limits: CallLimitValues | None = None
    is_enabled: bool | None = None
    is_default: Literal[True] | None = None


class ModelsChange(Schema):
    """Enables or disables several models together."""

    model_ids: Annotated[list[UUID], Field(min_length=1, max_length=200)]
    is_enabled: bool


class ModelImport(Schema):
    credential_id: UUID
    provider_models: Annotated[list[ProviderModel], Field(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFilter:
    """Filters of a project's models."""

    provider: Annotated[CleanText | None, Field(max_length=40)] = None
    credential_id: UUID | None = None
    is_enabled: bool | None = None


class PriceTier(Schema):
    """Prices that apply to whole calls with more than this many input tokens."""

    above_input_tokens: int
    input_usd_per_million: Usd
    output_usd_per_million: Usd
    cached_input_usd_per_million: Usd | None


class PricesRead(Schema):
    """Null where unknown. `source`: the price table, the project's own prices, or the fictional
    prices of simulated models. `version` is stored with every charge.
    """

    input_usd_per_million: Usd | None
    output_usd_per_million: Usd | None
    cached_input_usd_per_million: Usd | None
    source: Literal["table", "own", "simulated", "unknown"]
    version: str | None
    tiers: list[PriceTier]


class ModelRead(Schema):
    """`parameters` are those that were set; calls use `call_parameters` unless overridden.
    `ignored_parameters` are set but not sent, because the model does not accept them. A model with
    a `concurrency` of its own has a queue of its own: its calls do not count towards that of the
    credential.
    """

    id: UUID
    credential_id: UUID
    credential_label: Annotated[str, Field(examples=["Team key"])]
    provider: Annotated[str, Field(examples=["openai"])]
    provider_title: Annotated[str, Field(examples=["OpenAI"])]
    is_simulated: bool
    provider_model: str
    display_name: str
    context_window: int | None
    capabilities: CapabilityValues
    parameters: ParameterValues
    call_parameters: ParameterValues
    ignored_parameters: list[str]
    prices: PricesRead
    limits: CallLimitValues
    is_enabled: bool
    is_default: bool
    is_retired: Annotated[bool, Field(description="The provider retires it, by the price table")]
    successor: Annotated[str | None, Field(description="The provider's name of a newer model")]
    created_at: datetime
    updated_at: datetime


class ModelAvailabilityRead(Schema):
    """Whether the provider lists the model. `successor` is the provider's name of a newer one;
    `message` says why the state is unknown.
    """

    model_id: UUID
    state: Literal["offered", "missing", "unknown"]
    successor: str | None
    message: str | None


class ModelImportResult(Schema):
    """`skipped`: the provider's names of models that the project already had."""

    created: list[ModelRead]
    skipped: list[str]


class RangeRead(Schema):
    low: int | float
    high: int | float


class RulesRead(Schema):
    """The values that parameters may have; ranges are inclusive."""

    temperature: RangeRead
    max_tokens: RangeRead
    top_p: RangeRead
    frequency_penalty: RangeRead
    presence_penalty: RangeRead
    seed: RangeRead
    max_stops: int
    max_stop_characters: int
    allows_both_samplings: bool
    allows_blank_stop: bool


class KnownModelRead(Schema):
    """What is known about a model before it is added."""

    provider: str
    provider_model: str
    display_name: str
    context_window: int | None
    capabilities: CapabilityValues
    parameter_rules: RulesRead
    prices: PricesRead


class Advised(Schema):
    """A member of a balanced set. A higher price is taken as higher capability."""

    role: Literal["fast", "balanced", "smart"]
    model: ModelRead
    reason: str


class Costly(Schema):
    model: ModelRead
    usd_per_thousand: Usd
    reason: str


class ModelAdviceRead(Schema):
    """`unpriced` models are not rated. `limit_usd_per_thousand` is compared with the mean of a
    model's input and output price.
    """

    balanced_set: list[Advised]
    costly: list[Costly]
    unpriced: list[ModelRead]
    limit_usd_per_thousand: Usd


class CountedMessage(Schema):
    role: Literal["user", "assistant"] = "user"
    text: Annotated[str, Field(max_length=1_000_000)]


class CountedTool(Schema):
    name: Annotated[str, Field(max_length=100)]
    description: Annotated[str, Field(max_length=10_000)] = ""
    parameters: dict[str, AnyJson] = Field(default_factory=lambda: {"type": "object"})


class CountRequest(Schema):
    """A conversation, or a plain text, which is counted as it is. Tokens of `tools` are estimated
    from their JSON, because providers rewrite them in unpublished forms.
    """

    system: Annotated[str | None, Field(max_length=1_000_000)] = None
    messages: Annotated[list[CountedMessage] | None, Field(min_length=1, max_length=200)] = None
    tools: Annotated[list[CountedTool], Field(max_length=100)] = Field(default_factory=list)
    text: Annotated[str | None, Field(max_length=1_000_000)] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.messages is None) == (self.text is None):
            raise ValueError("Give either messages or a text.")
        if self.text is not None and (self.system is not None or self.tools):
            raise ValueError("A system text and tools go with messages.")
        return self


class CountRead(Schema):
    """`fits_context` is null while the context window is unknown."""

    tokens: int
    characters: int
    method: Literal["exact", "estimate"]
    encoding: str
    fits_context: bool | None
