"""Schemas of the credential endpoints. Secrets are write-only."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, SecretStr, StringConstraints, model_validator

from edison.api.schema import Line, Schema

Label = Annotated[Line, StringConstraints(min_length=1, max_length=100)]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,199}$")]


class CallLimitValues(Schema):
    """Limits of calls; null uses the next wider limit: that of the credential, then of the
    provider.
    """

    timeout_seconds: Annotated[
        float | None,
        Field(ge=1, le=3600, allow_inf_nan=False, description="How long one attempt may take"),
    ] = None
    concurrency: Annotated[
        int | None, Field(ge=1, le=1000, description="Concurrent calls, in all processes together")
    ] = None
    retries: Annotated[
        int | None, Field(ge=0, le=10, description="Attempts after the first one that fails")
    ] = None


class CredentialLimits(CallLimitValues):
    """`max_tokens` applies to models that set none themselves."""

    max_tokens: Annotated[int | None, Field(ge=1, le=100_000)] = None


class AllowedVariableRead(Schema):
    """An environment variable of the server from which a secret may be read, and the hosts it may
    be sent to. In a host name, `*` stands for one label.
    """

    name: str
    hosts: list[str]


class ProviderRead(Schema):
    """A provider. `form` is a JSON Schema of the fields of its credentials, `variables` are the
    environment variables that its secrets may name, and `limits` apply where a credential sets
    none.
    """

    key: str
    title: str
    is_simulated: bool
    form: dict[str, Any]
    secret_fields: list[str]
    variables: list[AllowedVariableRead]
    limits: CredentialLimits


class SecretInput(Schema):
    """The secret itself, or the name of the server's environment variable that holds it: one of the
    provider's `variables`.
    """

    value: Annotated[SecretStr | None, Field(max_length=20_000)] = None
    env: VariableName | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "SecretInput":
        if (self.value is None) == (self.env is None):
            raise ValueError("Give either the secret itself or the name of a variable.")
        return self


class CredentialRequest(Schema):
    provider: Annotated[str, Field(max_length=40, examples=["openai"])]
    label: Annotated[Label, Field(examples=["Team key"])]
    settings: dict[str, Any] = Field(default_factory=dict)
    secrets: dict[str, SecretInput] = Field(default_factory=dict)
    limits: CredentialLimits = Field(default_factory=CredentialLimits)
    is_default: bool = False


class CredentialChange(Schema):
    """Fields left out are not changed. New settings or secrets are tested before they are saved;
    settings that point to another host require the secrets to be entered again. Limits are replaced
    as a whole.
    """

    label: Label | None = None
    is_default: Literal[True] | None = None
    settings: dict[str, Any] | None = None
    secrets: dict[str, SecretInput] | None = None
    limits: CredentialLimits | None = None


class SecretRead(Schema):
    """How a secret is stored: `last_four` of a sealed secret, or the variable's name."""

    # The stored value also contains the sealed text, which is not returned.
    model_config = ConfigDict(extra="ignore")

    last_four: str | None = None
    env: str | None = None


class CredentialRead(Schema):
    id: UUID
    provider: str
    label: str
    settings: dict[str, Any]
    secrets: dict[str, SecretRead]
    limits: CredentialLimits
    is_default: bool
    tested_at: datetime | None
    failure: str | None
    created_at: datetime
    updated_at: datetime


class TestResult(Schema):
    __test__ = False

    ok: bool
    code: str | None = None
    message: str | None = None


class AvailableModelRead(Schema):
    id: str
    display_name: str | None
    context_window: int | None
