"""OpenAI's chat completions protocol, as documented and as compatible servers implement it."""

from typing import Any

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import FinishReason, Usage
from edison.pipeline.generate.wire.json_value import Json
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
    body: dict[str, Any] = {"model": call.model, "messages": messages}
    for name in (
        "temperature",
        "max_tokens",
        "top_p",
        "frequency_penalty",
        "presence_penalty",
        "stop",
        "seed",
    ):
        value = getattr(parameters, name)
        if value is not None:
            body[name] = value
    if call.sends_tools:
        body["tools"] = tool_definitions(call)
    if call.sends_schema:
        schema = {"name": SCHEMA_NAME, "schema": call.prompt.json_schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif call.sends_json:
        body["response_format"] = {"type": "json_object"}
    if is_streamed:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return body, ignored


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


def read_usage(usage: Json) -> Usage | None:
    sent, received = usage.count_of("prompt_tokens"), usage.count_of("completion_tokens")
    if sent is None or received is None:
        return None
    details = usage["prompt_tokens_details"]
    cached = details.count_of("cached_tokens")
    if cached is None:
        # DeepSeek's name for cached tokens.
        cached = usage.count_of("prompt_cache_hit_tokens") or 0
    cached = min(cached, sent)
    counted = Usage(
        input_tokens=sent,
        output_tokens=received,
        cached_input_tokens=cached,
        cache_write_tokens=min(details.count_of("cache_write_tokens") or 0, sent - cached),
        reasoning_tokens=usage["completion_tokens_details"].count_of("reasoning_tokens") or 0,
    )
    return credible(counted)


def read_answer(document: Json, reply: Reply) -> str | None:
    """Fills `reply` from a complete answer. Returns what is wrong with the answer, or None."""
    choice = document["choices"].first
    _read_envelope(document, choice, reply)
    if not choice:
        return "it holds no choices"
    message = choice["message"]
    if not message.is_object:
        return "its choice holds no message"
    content = message["content"]
    text = read_content(content)
    if text is None:
        return "its content is not text"
    if text:
        reply.add_text(text)
    _read_choice(choice, message, reply)
    reply.is_complete = reply.is_counted = True
    return None


def read_chunk(document: Json, reply: Reply) -> str:
    """Fills `reply` from a piece of a stream. Returns the text it adds."""
    choice = document["choices"].first
    _read_envelope(document, choice, reply)
    if not choice:
        return ""
    delta = choice["delta"]
    text = read_content(delta["content"]) or ""
    if text:
        reply.add_text(text)
    _read_choice(choice, delta, reply)
    return text


def read_content(content: Json) -> str | None:
    """Returns the text of a string, of a list of parts or of no content; None for anything else."""
    value = content.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    return "".join(part.text_of("text") or "" for part in content)


def _read_envelope(document: Json, choice: Json, reply: Reply) -> None:
    reply.model = document.text_of("model") or reply.model
    reply.response_id = document.text_of("id") or reply.response_id
    usage = read_usage(document["usage"])
    if usage is not None:
        reply.usage = usage
        # Servers that report intermediate counts do so in pieces with text.
        reply.is_counted = not choice or reply.finish_reason is not None


def _read_choice(choice: Json, message: Json, reply: Reply) -> None:
    reply.refusal += message.text_of("refusal") or ""
    for position, piece in enumerate(message["tool_calls"]):
        _add_tool_call(piece, position, reply)
    reason = choice.text_of("finish_reason")
    if reason:
        reply.finish_reason = FINISH_REASONS.get(reason, FinishReason.OTHER)


def _add_tool_call(piece: Json, position: int, reply: Reply) -> None:
    """Pieces of one tool call share an index, and only the first has the name."""
    index = piece.count_of("index")
    if index is None:
        index = position
    if index >= MAX_TOOL_CALLS:
        return
    while len(reply.tool_calls) <= index:
        reply.tool_calls.append(PartialToolCall())
    call = reply.tool_calls[index]
    function = piece["function"]
    call.id = call.id or piece.text_of("id") or ""
    call.name += function.text_of("name") or ""
    call.arguments += function.text_of("arguments") or ""
