"""Translates Edison's calls and outcomes to and from pydantic-ai.

Imports a vendor library, so import this module on use.
"""

from collections.abc import Sequence
from dataclasses import replace

from pydantic_ai import exceptions, messages
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.hosted.exchange import Exchange
from edison.pipeline.generate.outcome import (
    Billed,
    CallFailed,
    FailureReason,
    FinishReason,
    Usage,
)
from edison.pipeline.generate.wire.failures import (
    RequestContext,
    failed,
    failure_of_answer,
    failure_of_error,
    failure_of_fault,
    malformed,
    request_id,
    sentence,
)
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.openai_chat import SCHEMA_NAME
from edison.pipeline.generate.wire.reply import PartialToolCall, Reply, credible
from edison.pipeline.generate.wire.retry_after import retry_after_seconds

FINISH_REASONS = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "tool_call": FinishReason.TOOL_CALLS,
}
REASONS: tuple[tuple[type[Exception], FailureReason], ...] = (
    (exceptions.ModelQuotaExceededError, FailureReason.QUOTA),
    (exceptions.ModelRateLimitError, FailureReason.RATE_LIMIT),
    (exceptions.ModelAuthenticationError, FailureReason.INVALID_KEY),
    (exceptions.ModelNotFoundError, FailureReason.MODEL_NOT_FOUND),
    (exceptions.ModelContextWindowExceededError, FailureReason.CONTEXT_LENGTH),
    (exceptions.ContentFilterError, FailureReason.CONTENT_FILTER),
    (exceptions.ModelTimeoutError, FailureReason.TIMEOUT),
    (exceptions.ModelConnectionError, FailureReason.NETWORK),
)


def to_messages(call: Call) -> list[messages.ModelMessage]:
    *earlier, last = call.prompt.messages
    conversation: list[messages.ModelMessage] = [
        messages.ModelRequest(parts=[messages.UserPromptPart(content=message.text)])
        if message.role == "user"
        else messages.ModelResponse(parts=[messages.TextPart(content=message.text)])
        for message in earlier
    ]
    question = messages.UserPromptPart(content=last.text)
    request = messages.ModelRequest(parts=[question], instructions=call.prompt.system or None)
    return [*conversation, request]


def to_settings(parameters: Parameters) -> ModelSettings:
    settings = ModelSettings()
    if parameters.temperature is not None:
        settings["temperature"] = parameters.temperature
    if parameters.max_tokens is not None:
        settings["max_tokens"] = parameters.max_tokens
    if parameters.top_p is not None:
        settings["top_p"] = parameters.top_p
    if parameters.frequency_penalty is not None:
        settings["frequency_penalty"] = parameters.frequency_penalty
    if parameters.presence_penalty is not None:
        settings["presence_penalty"] = parameters.presence_penalty
    if parameters.stop is not None:
        settings["stop_sequences"] = list(parameters.stop)
    if parameters.seed is not None:
        settings["seed"] = parameters.seed
    return settings


def to_request_parameters(call: Call) -> ModelRequestParameters:
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.parameters,
            # Strict mode rewrites the schema; the prompt's schema is sent as written.
            strict=False,
        )
        for tool in (call.prompt.tools if call.sends_tools else ())
    ]
    if not call.sends_json:
        return ModelRequestParameters(function_tools=tools)
    if call.sends_schema:
        schema = OutputObjectDefinition(
            json_schema=call.prompt.json_schema or {}, name=SCHEMA_NAME, strict=True
        )
        return ModelRequestParameters(
            function_tools=tools, output_mode="native", output_object=schema
        )
    return ModelRequestParameters(
        function_tools=tools,
        output_mode="prompted",
        output_object=OutputObjectDefinition(json_schema={"type": "object"}),
        # Nothing is added to the user's prompt.
        prompted_output_template=False,
    )


def fill(reply: Reply, response: messages.ModelResponse, exchange: Exchange) -> None:
    """Fills `reply` from a response, except for text that was already streamed."""
    if not reply.pieces:
        text = "".join(p.content for p in response.parts if isinstance(p, messages.TextPart))
        if text:
            reply.add_text(text)
    reply.tool_calls = [
        PartialToolCall(
            id=part.tool_call_id, name=part.tool_name, arguments=part.args_as_json_str()
        )
        for part in response.parts
        if isinstance(part, messages.ToolCallPart)
    ]
    refusal = (response.provider_details or {}).get("refusal")
    reply.refusal = refusal if isinstance(refusal, str) else ""
    reply.finish_reason = FINISH_REASONS.get(response.finish_reason or "", FinishReason.OTHER)
    reply.usage = to_usage(response.usage)
    reply.model = response.model_name or reply.model
    reply.request_id = request_id(exchange.headers)
    reply.response_id = response.provider_response_id


def to_usage(usage: RequestUsage) -> Usage | None:
    if not usage.has_values():
        return None
    cached = min(usage.cache_read_tokens, usage.input_tokens)
    counted = Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_input_tokens=cached,
        cache_write_tokens=min(usage.cache_write_tokens, usage.input_tokens - cached),
        reasoning_tokens=usage.output_reasoning_tokens,
    )
    return credible(counted)


def is_whole(response: messages.ModelResponse) -> bool:
    """Whether the vendor reported a finish reason. The library treats the end of a stream as a
    stop.
    """
    details = response.provider_details or {}
    return bool(details.get("finish_reason") or details.get("refusal"))


def new_text(event: messages.ModelResponseStreamEvent) -> str:
    """Returns the text that a stream event adds."""
    if isinstance(event, messages.PartStartEvent) and isinstance(event.part, messages.TextPart):
        return event.part.content
    if isinstance(event, messages.PartDeltaEvent) and isinstance(
        event.delta, messages.TextPartDelta
    ):
        return event.delta.content_delta
    return ""


def to_failure(asked: RequestContext, error: Exception, exchange: Exchange) -> CallFailed:
    if exchange.refused is not None:
        return exchange.refused.failure(asked)
    if exchange.fault is not None:
        return _failure_of_fault(asked, exchange.fault, exchange)
    if not exchange.is_sent:
        return replace(failed(asked, FailureReason.PROVIDER, is_retryable=False), is_unsent=True)
    failure = _failure_of_answer(asked, error, exchange)
    # After a success status, the content was an answer, whatever error the library raises.
    is_unknown = exchange.is_accepted or exchange.is_lost_by_gateway
    return replace(failure, billed=Billed.UNKNOWN) if is_unknown else failure


def _failure_of_fault(
    asked: RequestContext, fault: OutboundFailed, exchange: Exchange
) -> CallFailed:
    if exchange.status is None or exchange.is_accepted:
        return failure_of_fault(asked, fault)
    return failure_of_answer(asked, exchange.status, exchange.headers, None)


def _failure_of_answer(asked: RequestContext, error: Exception, exchange: Exchange) -> CallFailed:
    status = exchange.status or 200
    body = error.body if isinstance(error, exceptions.ModelAPIError) else None
    if isinstance(error, exceptions.ModelHTTPError):
        status = error.status_code
    is_told = body is not None or any(isinstance(error, kind) for kind, _ in REASONS)
    if not is_told:
        # The libraries fail in many ways on unexpected documents.
        if 200 <= status < 300:
            return malformed(asked, "it does not have the documented form")
        return failure_of_error(asked, Json(None), status=status, headers=exchange.headers)
    failure = failure_of_error(asked, Json(body), status=status, headers=exchange.headers)
    reason = _reason(error, failure.reason)
    if reason is failure.reason:
        return failure
    return CallFailed(
        reason=reason,
        message=sentence(asked, reason),
        is_retryable=failed(asked, reason).is_retryable,
        retry_after_seconds=retry_after_seconds(exchange.headers),
        request_id=request_id(exchange.headers),
        billed=Billed.PROMPT if reason is FailureReason.CONTENT_FILTER else failure.billed,
        provider_text=failure.provider_text,
    )


def _reason(error: Exception, own: FailureReason) -> FailureReason:
    """The library maps vendor-specific codes; Edison's own classification covers the rest."""
    if own is FailureReason.CONTENT_FILTER:
        return own
    found: Sequence[FailureReason] = [reason for kind, reason in REASONS if isinstance(error, kind)]
    return found[0] if found else own
