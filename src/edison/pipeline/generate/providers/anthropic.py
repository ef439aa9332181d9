"""Anthropic's API (Messages)."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from edison.pipeline.generate.call import Capabilities
from edison.pipeline.generate.families import claude_capabilities, claude_rules, claude_tokens
from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret, sendable
from edison.pipeline.generate.hosted_provider import HostedProvider
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.parameter_rules import ParameterRules
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.tokens.scheme import TokenScheme
from edison.pipeline.generate.wire.failures import RequestContext, malformed

if TYPE_CHECKING:
    from pydantic_ai.models import Model

API_VERSION = "2023-06-01"


class Anthropic(HostedProvider):
    """Claude models from Anthropic."""

    title: ClassVar[str] = "Anthropic"
    price_seller: ClassVar[str | None] = "anthropic"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ("ANTHROPIC_API_KEY",)

    api_key: Secret = Field(
        title="API key", description="From console.anthropic.com, begins with sk-ant-."
    )
    base_url: BaseUrl = Field(
        default="https://api.anthropic.com",
        title="Base URL",
        description="Change it only for a gateway that speaks Anthropic's protocol.",
        json_schema_extra=ADVANCED,
    )

    def destination(self) -> str:
        return self.base_url

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        return claude_capabilities(model)

    @classmethod
    def parameter_rules(cls, model: str) -> ParameterRules:
        return claude_rules(model)

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return claude_tokens(model)

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        return {"x-api-key": sendable(self.api_key), "anthropic-version": API_VERSION}

    def _make_model(self, name: str) -> "Model[Any]":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        from edison.pipeline.generate.hosted.transport import guarded_http_client

        client = AsyncAnthropic(
            api_key="set-by-transport",
            base_url=self.base_url,
            max_retries=0,
            http_client=guarded_http_client(self._client, self._headers),
        )
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        document = await self._get(f"{self.base_url}/v1/models?limit=1000")
        if isinstance(document, CallFailed):
            return document
        if not isinstance(document["data"].value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [
            AvailableModel(
                id=id,
                display_name=model.text_of("display_name"),
                context_window=model.count_of("max_input_tokens"),
            )
            for model in document["data"]
            if (id := model.text_of("id"))
        ]
