"""Ollama through its native API, which reports more than its OpenAI-compatible one: the finish
reason, token counts and, on request, prompts that exceed the context.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar

import orjson
from pydantic import Field, SecretStr

from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.generate.call_limits import CallLimits
from edison.pipeline.generate.direct_http_provider import DirectHttpProvider
from edison.pipeline.generate.fields import ADVANCED, BaseUrl, Secret
from edison.pipeline.generate.outcome import CallFailed, FinishReason, Usage
from edison.pipeline.generate.provider import AvailableModel
from edison.pipeline.generate.wire.events import json_lines
from edison.pipeline.generate.wire.failures import RequestContext, malformed
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.openai_chat import tool_definitions
from edison.pipeline.generate.wire.reply import PartialToolCall, Reply, credible

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound_session import OutboundResponse

FINISH_REASONS = {"stop": FinishReason.STOP, "length": FinishReason.LENGTH}


class Ollama(DirectHttpProvider):
    """Models that run on your own machine under Ollama."""

    title: ClassVar[str] = "Ollama"
    vendor_variables: ClassVar[tuple[str, ...] | None] = ("OLLAMA_API_KEY",)
    # A server of one's own loads models on demand, and answers few calls at a time.
    call_limits: ClassVar[CallLimits] = CallLimits(timeout_seconds=600, concurrency=2)

    base_url: BaseUrl = Field(
        default="http://localhost:11434",
        title="Address",
        description="Where Ollama listens.",
    )
    api_key: Secret | None = Field(
        default=None,
        title="API key",
        description="Only for Ollama's cloud, or behind a proxy that asks for one.",
    )
    context_length: int | None = Field(
        default=None,
        ge=256,
        le=10_000_000,
        title="Context length",
        description="Tokens that prompt and answer share. Empty: what Ollama is set to.",
        json_schema_extra=ADVANCED,
    )

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        # The server constrains the answer of any model to a schema.
        return Capabilities(json_schema=True)

    def destination(self) -> str:
        return self.base_url

    def _chat_url(self) -> str:
        return f"{self.base_url}/api/chat"

    def _secret(self) -> SecretStr | None:
        return self.api_key

    def _request(self, call: Call, *, is_streamed: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
        prompt = call.prompt
        parameters, ignored = call.sendable()
        messages = [{"role": message.role, "content": message.text} for message in prompt.messages]
        if prompt.system:
            messages.insert(0, {"role": "system", "content": prompt.system})
        body: dict[str, Any] = {
            "model": call.model,
            "messages": messages,
            "stream": is_streamed,
            # Otherwise Ollama silently drops the beginning of a prompt that does not fit.
            "truncate": False,
        }
        if options := self._options(parameters):
            body["options"] = options
        if call.sends_tools:
            body["tools"] = tool_definitions(call)
        if call.sends_json:
            body["format"] = call.prompt.json_schema if call.sends_schema else "json"
        return body, ignored

    def _options(self, parameters: Parameters) -> dict[str, Any]:
        options = {
            "temperature": parameters.temperature,
            "num_predict": parameters.max_tokens,
            "top_p": parameters.top_p,
            "frequency_penalty": parameters.frequency_penalty,
            "presence_penalty": parameters.presence_penalty,
            "stop": parameters.stop,
            "seed": parameters.seed,
            "num_ctx": self.context_length,
        }
        return {name: value for name, value in options.items() if value is not None}

    def _read_answer(self, document: Json, reply: Reply) -> str | None:
        message = document["message"]
        if not message.is_object:
            return "it holds no message"
        if message["content"] and message.text_of("content") is None:
            return "its content is not text"
        self._read_piece(document, reply)
        return None

    def _read_piece(self, document: Json, reply: Reply) -> str:
        reply.model = document.text_of("model") or reply.model
        message = document["message"]
        text = message.text_of("content") or ""
        if text:
            reply.add_text(text)
        for call in message["tool_calls"]:
            _add_tool_call(call, reply)
        if document["done"].value is True:
            _read_end(document, reply)
        return text

    async def _pieces(self, response: "OutboundResponse") -> AsyncIterator[Json | None]:
        async for document in json_lines(response.chunks()):
            yield document

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        document = await self._get(f"{self.base_url}/api/tags")
        if isinstance(document, CallFailed):
            return document
        models = document["models"]
        if not isinstance(models.value, list):
            return malformed(RequestContext(service=self.title), "it holds no list of models")
        return [
            AvailableModel(id=id)
            for model in models
            if (id := model.text_of("model") or model.text_of("name"))
        ]


def _read_end(document: Json, reply: Reply) -> None:
    reply.is_complete = True
    reason = document.text_of("done_reason") or "stop"
    reply.finish_reason = FINISH_REASONS.get(reason, FinishReason.OTHER)
    sent, received = document.count_of("prompt_eval_count"), document.count_of("eval_count")
    if sent is not None and received is not None:
        reply.usage = credible(Usage(input_tokens=sent, output_tokens=received))
        reply.is_counted = True


def _add_tool_call(call: Json, reply: Reply) -> None:
    function = call["function"]
    arguments = function["arguments"]
    reply.tool_calls.append(
        PartialToolCall(
            id=call.text_of("id") or "",
            name=function.text_of("name") or "",
            arguments=arguments.text or orjson.dumps(arguments.value or {}).decode(),
        )
    )
