"""OpenAI models in an Azure resource."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from edison.pipeline.generate import price_table
from edison.pipeline.generate.call import Capabilities
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.families import openai_capabilities, openai_tokens
from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret, sendable
from edison.pipeline.generate.hosted_provider import HostedProvider
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.tokens.scheme import TokenScheme
from edison.pipeline.generate.wire.failures import RequestContext, malformed

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class Azure(HostedProvider):
    """OpenAI models deployed on Azure. A model's name is the name of its deployment."""

    title: ClassVar[str] = "Azure OpenAI"
    price_seller: ClassVar[str | None] = "azure"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ("AZURE_OPENAI_API_KEY",)

    endpoint: BaseUrl = Field(
        title="Endpoint",
        description="The address of the resource.",
        examples=["https://my-resource.openai.azure.com"],
    )
    api_key: Secret = Field(title="API key", description="One of the two keys of the resource.")
    api_version: str = Field(
        default="2024-10-21",
        pattern=r"^\d{4}-\d{2}-\d{2}(-preview)?$",
        title="API version",
        description="The version of Azure's interface that the deployments support.",
        json_schema_extra=ADVANCED,
    )

    def destination(self) -> str:
        return self.endpoint

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        return openai_capabilities(model)

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return openai_tokens(model)

    @classmethod
    def facts_of(cls, model: str) -> ModelFacts:
        """Only for deployments named exactly like a model: users choose deployment names."""
        return price_table.facts_of("azure", model, exactly=True)

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        return {"api-key": sendable(self.api_key)}

    def _make_model(self, name: str) -> "Model[Any]":
        from openai import AsyncAzureOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.azure import AzureProvider

        from edison.pipeline.generate.hosted.transport import guarded_http_client

        client = AsyncAzureOpenAI(
            azure_endpoint=self.endpoint,
            api_version=self.api_version,
            api_key="set-by-transport",
            max_retries=0,
            http_client=guarded_http_client(self._client, self._headers),
        )
        return OpenAIChatModel(name, provider=AzureProvider(openai_client=client))

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        """Lists the models the resource may use; Azure does not disclose deployments to an
        API key.
        """
        document = await self._get(f"{self.endpoint}/openai/models?api-version={self.api_version}")
        if isinstance(document, CallFailed):
            return document
        if not isinstance(document["data"].value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [AvailableModel(id=id) for model in document["data"] if (id := model.text_of("id"))]
