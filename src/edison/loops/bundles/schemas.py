"""Options and results of imports and exports."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from edison.api.schema import CleanText, Schema
from edison.library.models.schemas import ContextWindow, DisplayName, ProviderModel
from edison.loops.bundles.manifest import BundleKind
from edison.workspace.credentials.schemas import VariableName

# What to do with names that the project already has.
OnExisting = Literal["refuse", "skip", "rename"]


class ImportedNames(Schema):
    """What an import made of one kind, by name."""

    kind: Annotated[str, Field(examples=["prompt"])]
    names: list[str]


class BundleImportRead(Schema):
    """The result of an import."""

    kind: BundleKind
    name: str
    created: list[ImportedNames]
    skipped: Annotated[
        list[ImportedNames], Field(description="Existed already and were used as they are")
    ]
    runs: Annotated[int, Field(description="How many runs were imported with their results")]
    needs_credential: Annotated[
        list[str], Field(description="Models that cannot be called before a secret is entered")
    ]


MOST_MODELS = 200
LONGEST_FILE = 1_000_000

PriceUnit = Literal["per_1000_tokens", "per_million_tokens"]
TOKENS: dict[PriceUnit, int] = {"per_1000_tokens": 1_000, "per_million_tokens": 1_000_000}
Amount = Annotated[Decimal, Field(ge=0, le=10_000, decimal_places=9, allow_inf_nan=False)]


class RegistryPrices(Schema):
    """US dollars. The unit must be stated: files use both, and a mistake is a factor of 1,000."""

    model_config = ConfigDict(hide_input_in_errors=True)

    input: Amount
    output: Amount
    cached_input: Amount | None = None
    unit: PriceUnit


class RegistryModel(Schema):
    """A model of a registry. `model` is the provider's name; without it, `name` is. `api_key_env`
    names the server's environment variable that holds the key; keys themselves are refused.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    name: DisplayName
    model: ProviderModel | None = None
    provider: Annotated[str, Field(max_length=40)] = "openai_compatible"
    base_url: Annotated[CleanText, Field(max_length=2000)] | None = None
    api_key_env: VariableName | None = None
    context_window: ContextWindow | None = None
    prices: RegistryPrices | None = None


class RegistryFile(Schema):
    model_config = ConfigDict(hide_input_in_errors=True)

    models: Annotated[list[RegistryModel], Field(min_length=1, max_length=MOST_MODELS)]


class RegistryImport(Schema):
    """`content` is YAML or JSON."""

    content: Annotated[str, Field(min_length=1, max_length=LONGEST_FILE)]


class RegistryImportRead(Schema):
    """Names of the models. `skipped` ones exist already and are left as they are; `credentials` are
    the labels of new credentials, which are tested by their first call.
    """

    created: list[str]
    skipped: list[str]
    credentials: list[str]
