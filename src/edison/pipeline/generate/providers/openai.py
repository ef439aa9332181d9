"""OpenAI's API (Chat Completions)."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from edison.pipeline.generate.call import Call, Capabilities
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.families import openai_capabilities, openai_tokens
from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret, sendable
from edison.pipeline.generate.hosted_provider import HostedProvider
from edison.pipeline.generate.moderation import FACTS, is_moderation_model
from edison.pipeline.generate.outcome import CallFailed, Outcome, Streamed
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.tokens.scheme import TokenScheme
from edison.pipeline.generate.wire.failures import RequestContext, malformed

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class OpenAI(HostedProvider):
    """GPT and o models from OpenAI."""

    title: ClassVar[str] = "OpenAI"
    price_seller: ClassVar[str | None] = "openai"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ("OPENAI_API_KEY",)

    api_key: Secret = Field(
        title="API key", description="From platform.openai.com, begins with sk-."
    )
    organization: str | None = Field(
        default=None,
        max_length=200,
        pattern=r"^[\w-]+$",
        title="Organization",
        description="Only when the key belongs to several; begins with org-.",
        json_schema_extra=ADVANCED,
    )
    base_url: BaseUrl = Field(
        default="https://api.openai.com/v1",
        title="Base URL",
        description="Change it only for a regional address such as https://eu.api.openai.com/v1.",
        json_schema_extra=ADVANCED,
    )

    def destination(self) -> str:
        return self.base_url

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        return openai_capabilities(model)

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return openai_tokens(model)

    @classmethod
    def facts_of(cls, model: str) -> ModelFacts:
        return FACTS if is_moderation_model(model) else super().facts_of(model)

    async def complete(self, call: Call) -> Outcome:
        if is_moderation_model(call.model):
            return await self._moderate(call, self.base_url)
        return await super().complete(call)

    def stream(self, call: Call) -> AsyncIterator[Streamed]:
        if is_moderation_model(call.model):
            return self._moderated(call, self.base_url)
        return super().stream(call)

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {sendable(self.api_key)}"}
        if self.organization:
            headers["OpenAI-Organization"] = self.organization
        return headers

    def _make_model(self, name: str) -> "Model[Any]":
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from edison.pipeline.generate.hosted.transport import guarded_http_client

        client = AsyncOpenAI(
            api_key="set-by-transport",
            base_url=self.base_url,
            max_retries=0,
            http_client=guarded_http_client(self._client, self._headers),
        )
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client))

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        document = await self._get(f"{self.base_url}/models")
        if isinstance(document, CallFailed):
            return document
        if not isinstance(document["data"].value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [AvailableModel(id=id) for model in document["data"] if (id := model.text_of("id"))]
