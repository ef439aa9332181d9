"""OpenAI's chat completions protocol, as documented and as compatible servers implement it."""

from functools import lru_cache
from typing import Any

from edison.pipeline.generate.call import Call, Parameters
from edison.pipeline.generate.outcome import FinishReason, Usage
from edison.pipeline.generate.wire.json_value import Json, count_in, items_in, text_in, value_in
from edison.pipeline.generate.wire.reply import PartialToolCall, Reply, credible

FINISH_REASONS = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.CONTENT_FILTER,
}
# A higher index of a tool call is an error, and must not make the list grow.
MAX_TOOL_CALLS = 128
SCHEMA_NAME = "answer"


def chat_request(call: Call, *, is_streamed: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Returns the request body, and the names of requested parameters that are not sent."""
    prompt = call.prompt
    parameters, ignored = call.sendable()
    messages = [{"role": message.role, "content": message.text} for message in prompt.messages]
    if prompt.system:
        messages.insert(0, {"role": "system", "content": prompt.system})
    body = {"model": call.model, "messages": messages, **_fields(parameters)}
    if call.sends_tools:
        body["tools"] = tool_definitions(call)
    if prompt.wants_json or prompt.json_schema is not None:
        body.update(_response_format(call))
    if is_streamed:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return body, ignored


@lru_cache(maxsize=256)
def _fields(parameters: Parameters) -> dict[str, Any]:
    """The parameters that are set, as fields of the request. Calls share the result."""
    names = (
        "temperature",
        "max_tokens",
        "top_p",
        "frequency_penalty",
        "presence_penalty",
        "stop",
        "seed",
    )
    values = {name: getattr(parameters, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _response_format(call: Call) -> dict[str, Any]:
    """The field of the request that asks for JSON, if the model follows it."""
    if call.sends_schema:
        schema = {"name": SCHEMA_NAME, "schema": call.prompt.json_schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {"response_format": {"type": "json_object"}} if call.sends_json else {}


def tool_definitions(call: Call) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in call.prompt.tools
    ]


def read_usage(usage: object) -> Usage | None:
    sent, received = count_in(usage, "prompt_tokens"), count_in(usage, "completion_tokens")
    if sent is None or received is None:
        return None
    # DeepSeek has a name of its own for cached tokens.
    cached, written = count_in(usage, "prompt_cache_hit_tokens") or 0, 0
    if (details := value_in(usage, "prompt_tokens_details")) is not None:
        read = count_in(details, "cached_tokens")
        cached = cached if read is None else read
        written = count_in(details, "cache_write_tokens") or 0
    cached = min(cached, sent)
    reasoning = 0
    if (details := value_in(usage, "completion_tokens_details")) is not None:
        reasoning = count_in(details, "reasoning_tokens") or 0
    counted = Usage(
        input_tokens=sent,
        output_tokens=received,
        cached_input_tokens=cached,
        cache_write_tokens=min(written, sent - cached),
        reasoning_tokens=reasoning,
    )
    return credible(counted)


def read_answer(document: Json, reply: Reply) -> str | None:
    """Fills `reply` from a complete answer. Returns what is wrong with the answer, or None."""
    choice = _read_envelope(document.value, reply)
    if choice is None:
        return "it holds no choices"
    message = value_in(choice, "message")
    if not isinstance(message, dict):
        return "its choice holds no message"
    text = read_content(message.get("content"))
    if text is None:
        return "its content is not text"
    if text:
        reply.add_text(text)
    _read_choice(choice, message, reply)
    reply.is_complete = reply.is_counted = True
    return None


def read_chunk(document: Json, reply: Reply) -> str:
    """Fills `reply` from a piece of a stream. Returns the text it adds."""
    choice = _read_envelope(document.value, reply)
    if choice is None:
        return ""
    delta = value_in(choice, "delta")
    text = read_content(value_in(delta, "content")) or ""
    if text:
        reply.add_text(text)
    _read_choice(choice, delta, reply)
    return text


def read_content(content: object) -> str | None:
    """Returns the text of a string, of a list of parts or of no content; None for anything else."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    return "".join(text_in(part, "text") or "" for part in content)


def _read_envelope(document: object, reply: Reply) -> object:
    """Returns the first choice, or None."""
    choices = items_in(document, "choices")
    choice = choices[0] if choices else None
    reply.model = text_in(document, "model") or reply.model
    reply.response_id = text_in(document, "id") or reply.response_id
    usage = read_usage(value_in(document, "usage"))
    if usage is not None:
        reply.usage = usage
        # Servers that report intermediate counts do so in pieces with text.
        reply.is_counted = choice is None or reply.finish_reason is not None
    return choice


def _read_choice(choice: object, message: object, reply: Reply) -> None:
    refusal = text_in(message, "refusal")
    if refusal:
        reply.refusal += refusal
    for position, piece in enumerate(items_in(message, "tool_calls")):
        _add_tool_call(piece, position, reply)
    reason = text_in(choice, "finish_reason")
    if reason:
        reply.finish_reason = FINISH_REASONS.get(reason, FinishReason.OTHER)


def _add_tool_call(piece: object, position: int, reply: Reply) -> None:
    """Pieces of one tool call share an index, and only the first has the name."""
    index = count_in(piece, "index")
    if index is None:
        index = position
    if index >= MAX_TOOL_CALLS:
        return
    while len(reply.tool_calls) <= index:
        reply.tool_calls.append(PartialToolCall())
    call = reply.tool_calls[index]
    function = value_in(piece, "function")
    call.id = call.id or text_in(piece, "id") or ""
    call.name += text_in(function, "name") or ""
    call.arguments += text_in(function, "arguments") or ""
