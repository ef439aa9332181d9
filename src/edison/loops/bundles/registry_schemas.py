"""A registry of models as a file: names, addresses, names of environment variables, prices."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from edison.api.schema import CleanText, Schema
from edison.library.models.schemas import ContextWindow, DisplayName, ProviderModel
from edison.workspace.credentials.schemas import VariableName

MOST_MODELS = 200
LONGEST_FILE = 1_000_000

PriceUnit = Literal["per_1000_tokens", "per_million_tokens"]
TOKENS: dict[PriceUnit, int] = {"per_1000_tokens": 1_000, "per_million_tokens": 1_000_000}
Amount = Annotated[Decimal, Field(ge=0, le=10_000, allow_inf_nan=False)]


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
