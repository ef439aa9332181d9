"""Response bodies as documented for OpenAI's chat completions API."""

import json
from typing import Any

from tests.fake_providers.scripted_server import Answer, Stream

REQUEST_ID = "req_8f2a"
USAGE = {
    "prompt_tokens": 20,
    "completion_tokens": 9,
    "total_tokens": 29,
    "prompt_tokens_details": {"cached_tokens": 12, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 4, "audio_tokens": 0},
}


def completion(
    content: Any = "Paris.",
    *,
    finish_reason: str | None = "stop",
    usage: Any = USAGE,
    model: str = "gpt-x-2026-01-01",
    **message: Any,
) -> Answer:
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": None, **message},
                "logprobs": None,
                "finish_reason": finish_reason,
            }
        ],
        "usage": usage,
        "system_fingerprint": "fp_1",
    }
    return Answer(body=body, headers={"x-request-id": REQUEST_ID})


def chunk(
    delta: dict[str, Any] | None = None, *, finish_reason: str | None = None, usage: Any = None
) -> bytes:
    choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}]
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_760_000_000,
        "model": "gpt-x-2026-01-01",
        "choices": choices if delta is not None else [],
        "usage": usage,
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def text_stream(*texts: str, finish_reason: str = "stop", usage: Any = USAGE) -> Stream:
    pieces = [chunk({"role": "assistant", "content": "", "refusal": None})]
    pieces += [chunk({"content": text}) for text in texts]
    pieces += [chunk({}, finish_reason=finish_reason)]
    pieces += [chunk(usage=usage)] if usage else []
    return Stream(pieces=[*pieces, DONE], headers={"x-request-id": REQUEST_ID})


def tool_stream() -> Stream:
    """Two calls whose arguments arrive in pieces, interleaved."""
    first = {"index": 0, "id": "call_a", "type": "function"}
    second = {"index": 1, "id": "call_b", "type": "function"}
    return Stream(
        pieces=[
            chunk({"role": "assistant", "content": None}),
            chunk({"tool_calls": [{**first, "function": {"name": "weather", "arguments": ""}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city":'}}]}),
            chunk({"tool_calls": [{**second, "function": {"name": "time", "arguments": "{"}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": '"Oslo"}'}}]}),
            chunk({"tool_calls": [{"index": 1, "function": {"arguments": "}"}}]}),
            chunk({}, finish_reason="tool_calls"),
            chunk(usage=USAGE),
            DONE,
        ]
    )


def error(
    status: int,
    *,
    message: str = "Something about sk-planted.",
    kind: str = "invalid_request_error",
    code: Any = None,
    param: str | None = None,
    **headers: str,
) -> Answer:
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=body, headers={"x-request-id": REQUEST_ID, **named})


MODELS = Answer(
    body={
        "object": "list",
        "data": [
            {"id": "gpt-x", "object": "model", "created": 1, "owned_by": "openai"},
            {"id": "local", "object": "model", "max_model_len": 8192, "name": "Local one"},
        ],
    }
)
