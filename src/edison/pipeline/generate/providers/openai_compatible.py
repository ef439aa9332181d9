"""Any server with OpenAI's chat completions API: vLLM, llama.cpp, LM Studio, OpenRouter, ..."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import orjson
from pydantic import AfterValidator, Field, SecretStr

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.direct_http_provider import DirectHttpProvider
from edison.pipeline.generate.fields import BaseUrl, Secret
from edison.pipeline.generate.moderation import is_moderation_model
from edison.pipeline.generate.outcome import CallFailed, Outcome, Streamed
from edison.pipeline.generate.provider import AvailableModel, OnEnd, SentCall
from edison.pipeline.generate.wire.events import DONE, server_sent_data
from edison.pipeline.generate.wire.failures import RequestContext, malformed
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.openai_chat import chat_request, read_answer, read_chunk
from edison.pipeline.generate.wire.reply import Reply

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound_session import OutboundResponse

# Field names of the context window on different servers.
CONTEXT_WINDOW_NAMES = ("context_length", "max_model_len", "context_window", "max_context_length")


def _without_endpoint(url: str) -> str:
    """Users often paste the full endpoint URL."""
    return url.removesuffix("/chat/completions")


class OpenAICompatible(DirectHttpProvider):
    """A server that offers OpenAI's chat completions under its own address."""

    title: ClassVar[str] = "OpenAI-compatible server"

    base_url: Annotated[BaseUrl, AfterValidator(_without_endpoint)] = Field(
        title="Base URL",
        description="The address before /chat/completions; it usually ends in /v1.",
        examples=["http://localhost:8000/v1", "https://openrouter.ai/api/v1"],
    )
    api_key: Secret | None = Field(
        default=None, title="API key", description="Leave empty when the server asks for none."
    )

    def destination(self) -> str:
        return self.base_url

    async def complete(self, call: Call) -> Outcome:
        if is_moderation_model(call.model):
            return await self._moderate(call, self.base_url)
        return await super().complete(call)

    def begin(self, call: Call, on_end: OnEnd) -> SentCall | None:
        if is_moderation_model(call.model):
            return None
        return super().begin(call, on_end)

    def stream(self, call: Call) -> AsyncIterator[Streamed]:
        if is_moderation_model(call.model):
            return self._moderated(call, self.base_url)
        return super().stream(call)

    def _chat_url(self) -> str:
        return f"{self.base_url}/chat/completions"

    def _secret(self) -> SecretStr | None:
        return self.api_key

    def _request(self, call: Call, *, is_streamed: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
        return chat_request(call, is_streamed=is_streamed)

    def _read_answer(self, document: Json, reply: Reply) -> str | None:
        return read_answer(document, reply)

    def _read_piece(self, document: Json, reply: Reply) -> str:
        return read_chunk(document, reply)

    async def _pieces(self, response: "OutboundResponse") -> AsyncIterator[Json | None]:
        async for data in server_sent_data(response.chunks()):
            yield None if data == DONE else Json(orjson.loads(data))

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        document = await self._get(f"{self.base_url}/models")
        if isinstance(document, CallFailed):
            return document
        data = document["data"]
        if not isinstance(data.value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [
            AvailableModel(
                id=id,
                display_name=model.text_of("name"),
                context_window=next(
                    filter(None, (model.count_of(n) for n in CONTEXT_WINDOW_NAMES)), None
                ),
            )
            for model in data
            if (id := model.text_of("id"))
        ]
