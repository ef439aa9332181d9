"""Models on AWS Bedrock (Converse API)."""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import Field, PrivateAttr, model_validator

from edison.pipeline.generate.call import Call, Capabilities
from edison.pipeline.generate.families import (
    claude_capabilities,
    claude_name,
    claude_rules,
    claude_tokens,
)
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret, UnusableCredential, sendable
from edison.pipeline.generate.hosted.exchange import Exchange, current
from edison.pipeline.generate.hosted_provider import HostedProvider, silence_vendor_loggers
from edison.pipeline.generate.http_provider import CHECK_TIMEOUT_SECONDS
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.parameter_rules import ParameterRange, ParameterRules
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.tokens.scheme import OTHER_VENDORS, TokenScheme
from edison.pipeline.generate.wire.failures import (
    RequestContext,
    failure_of_error,
    failure_of_fault,
    malformed,
)
from edison.pipeline.generate.wire.json_value import Json

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


class Bedrock(HostedProvider):
    """Models of several vendors on Amazon Web Services."""

    title: ClassVar[str] = "AWS Bedrock"
    price_seller: ClassVar[str | None] = "aws"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ("AWS_BEARER_TOKEN_BEDROCK",)

    region: str = Field(
        default="us-east-1",
        pattern=r"^[a-z0-9-]+$",
        max_length=40,
        title="Region",
        description="Where the models are enabled.",
    )
    access_key_id: str | None = Field(
        default=None,
        pattern=r"^\w{16,128}$",
        title="Access key ID",
        description="Of a user or role that may call Bedrock.",
    )
    secret_access_key: Secret | None = Field(
        default=None, title="Secret access key", description="Belongs to the access key ID."
    )
    session_token: Secret | None = Field(
        default=None,
        title="Session token",
        description="Only with temporary keys.",
        json_schema_extra=ADVANCED,
    )
    api_key: Secret | None = Field(
        default=None, title="Bedrock API key", description="Instead of an access key."
    )
    endpoint_url: BaseUrl | None = Field(
        default=None,
        title="Endpoint",
        description="Only for a private endpoint in your network.",
        json_schema_extra=ADVANCED,
    )

    # Set before the first request is sent.
    _loop: asyncio.AbstractEventLoop = PrivateAttr()
    _is_prepared: bool = PrivateAttr(default=False)
    _runtime: Any = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _has_one_kind_of_key(self) -> Self:
        has_pair = bool(self.access_key_id and self.secret_access_key)
        if has_pair == bool(self.api_key):
            raise ValueError("Enter an access key with its secret, or an API key.")
        return self

    def destination(self) -> str | None:
        return self.endpoint_url

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        if claude_name(model) is not None:
            return claude_capabilities(model)
        # The Converse API has no such fields.
        return Capabilities(
            frequency_penalty=False, presence_penalty=False, seed=False, json_output=False
        )

    @classmethod
    def parameter_rules(cls, model: str) -> ParameterRules:
        if claude_name(model) is not None:
            return claude_rules(model)
        return ParameterRules(temperature=ParameterRange(low=0, high=1))

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return OTHER_VENDORS if claude_name(model) is None else claude_tokens(model)

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        """Empty: the library signs its requests itself."""
        return {}

    async def _model(self, name: str) -> "Model[Any]":
        self._prepare()
        model = await super()._model(name)
        from edison.pipeline.generate.hosted import boto

        boto.widen_threads()
        return model

    def _prepare(self) -> None:
        if not self._is_prepared:
            self._keys()
            silence_vendor_loggers()
            self._loop = asyncio.get_running_loop()
            self._is_prepared = True

    def _make_model(self, name: str) -> "Model[Any]":
        from pydantic_ai.models.bedrock import BedrockConverseModel
        from pydantic_ai.providers.bedrock import BedrockProvider

        if self._runtime is None:
            self._runtime = self._make_client("bedrock-runtime")
        return BedrockConverseModel(name, provider=BedrockProvider(bedrock_client=self._runtime))

    def _make_client(self, service: str) -> Any:
        from edison.pipeline.generate.hosted import boto

        keys, bearer = self._keys()
        sender = boto.GuardedSender(self._client, self._loop, bearer)
        return boto.make_client(
            service,
            region=self.region,
            endpoint_url=self.endpoint_url,
            keys=keys,
            bearer=bearer,
            sender=sender,
        )

    def _keys(self) -> tuple[dict[str, str], str | None]:
        """Returns the signing keys or the bearer token. Raises UnusableCredential."""
        if self.api_key is not None:
            return {}, sendable(self.api_key)
        if self.access_key_id is None or self.secret_access_key is None:
            raise UnusableCredential("The credential holds neither an access key nor an API key.")
        keys = {
            "aws_access_key_id": self.access_key_id,
            "aws_secret_access_key": sendable(self.secret_access_key),
        }
        if self.session_token is not None:
            keys["aws_session_token"] = sendable(self.session_token)
        return keys, None

    def _settings(self, call: Call) -> "ModelSettings":
        settings = super()._settings(call)
        # The Converse API has none of these, and the library warns about some.
        for name in ("timeout", "seed", "frequency_penalty", "presence_penalty"):
            settings.pop(name, None)  # type: ignore[misc]  # a TypedDict requires literal keys
        return settings

    def _vendor_errors(self) -> tuple[type[Exception], ...]:
        from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]  # no type stubs
        from botocore.parsers import ResponseParserError  # type: ignore[import-untyped]  # no type stubs

        return (BotoCoreError, ClientError, ResponseParserError)

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        asked = RequestContext(
            service=self.title,
            timeout_seconds=CHECK_TIMEOUT_SECONDS,
            hide_secrets=self.hide_secrets,
        )
        exchange = Exchange(deadline=monotonic() + CHECK_TIMEOUT_SECONDS)
        token = current.set(exchange)
        try:
            self._prepare()
            document = Json(await asyncio.to_thread(self._ask_for_models))
        except UnusableCredential as unusable:
            return unusable.failure(asked)
        except self._asking_errors() as error:
            return _failure(asked, error, exchange)
        finally:
            current.reset(token)
        return [
            AvailableModel(id=id, display_name=model.text_of("modelName"))
            for model in document["modelSummaries"]
            if (id := model.text_of("modelId"))
        ]

    def _asking_errors(self) -> tuple[type[Exception], ...]:
        return (OutboundFailed, ValueError, *self._vendor_errors())

    def _ask_for_models(self) -> Any:
        return self._make_client("bedrock").list_foundation_models(byOutputModality="TEXT")


def _failure(asked: RequestContext, error: Exception, exchange: Exchange) -> CallFailed:
    if exchange.fault is not None:
        return failure_of_fault(asked, exchange.fault)
    status = exchange.status or 200
    if status < 300:
        return malformed(asked, "it does not have the documented form")
    code = Json(getattr(error, "response", None))["Error"]["Code"].value
    body = Json({"code": code})
    return failure_of_error(asked, body, status=status, headers=exchange.headers)
