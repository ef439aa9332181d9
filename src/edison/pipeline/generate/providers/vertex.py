"""Google's models on Vertex AI, with a service account."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, PrivateAttr

from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret, UnusableCredential
from edison.pipeline.generate.hosted.google_token import TokenSource, service_account
from edison.pipeline.generate.hosted_provider import HostedProvider
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.parameter_rules import ParameterRange, ParameterRules
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.wire.failures import RequestContext, malformed

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class Vertex(HostedProvider):
    """Gemini models on Google Cloud."""

    title: ClassVar[str] = "Google Vertex AI"
    price_seller: ClassVar[str | None] = "google"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ()

    service_account: Secret = Field(
        title="Service account key",
        description="The whole JSON file that Google Cloud offers for download.",
    )
    location: str = Field(
        default="global",
        pattern=r"^[a-z0-9-]+$",
        max_length=60,
        title="Location",
        description="A region such as europe-west1, or global.",
    )
    project: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9:.-]+$",
        max_length=100,
        title="Project",
        description="Empty: the project of the service account.",
    )
    base_url: BaseUrl | None = Field(
        default=None,
        title="Base URL",
        description="Only for a private endpoint; empty: Google's address for the location.",
        json_schema_extra=ADVANCED,
    )

    _tokens: TokenSource | None = PrivateAttr(default=None)

    def destination(self) -> str:
        return self._base_url()

    @classmethod
    def parameter_rules(cls, model: str) -> ParameterRules:
        return ParameterRules(seed=ParameterRange(low=-(2**31), high=2**31 - 1))

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        if self._tokens is None:
            self._tokens = TokenSource(self.service_account)
        token = await self._tokens.token(self._client(), timeout_seconds)
        return {"Authorization": f"Bearer {token}", "x-goog-user-project": self._project()}

    def _make_model(self, name: str) -> "Model[Any]":
        from google.genai.client import Client
        from google.genai.types import HttpOptions, HttpRetryOptions
        from google.oauth2.credentials import Credentials
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google_cloud import GoogleCloudProvider

        from edison.pipeline.generate.hosted.transport import guarded_http_client

        client = Client(
            vertexai=True,
            project=self._project(),
            location=self.location,
            credentials=Credentials(token="set-by-transport"),  # type: ignore[no-untyped-call]  # noqa: S106  # untyped library; not a real token
            http_options=HttpOptions(
                base_url=self._base_url(),
                httpx_async_client=guarded_http_client(self._client, self._headers),
                retry_options=HttpRetryOptions(attempts=1),
            ),
        )
        return GoogleModel(name, provider=GoogleCloudProvider(client=client))

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        document = await self._get(f"{self._base_url()}/v1beta1/publishers/google/models")
        if isinstance(document, CallFailed):
            return document
        models = document["publisherModels"]
        if not isinstance(models.value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [
            AvailableModel(id=name.rsplit("/", 1)[-1])
            for model in models
            if (name := model.text_of("name"))
        ]

    def _project(self) -> str:
        if self.project:
            return self.project
        try:
            found = service_account(self.service_account).text_of("project_id")
        except UnusableCredential:
            # Reported when the key is used.
            found = None
        return found or "unknown"

    def _base_url(self) -> str:
        if self.base_url:
            return self.base_url
        prefix = "" if self.location == "global" else f"{self.location}-"
        return f"https://{prefix}aiplatform.googleapis.com"
