"""Response bodies as documented for Anthropic's messages API."""

import json
from typing import Any

from tests.fake_providers.scripted_server import Answer, Stream

REQUEST_ID = "req_018EeWyXxfu5pfWkrYcMdjWG"
USAGE = {
    "input_tokens": 8,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 12,
    "output_tokens": 9,
}


def message(*content: Any, stop_reason: str | None = "end_turn", usage: Any = USAGE) -> Answer:
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-20260101",
        "content": list(content) or [{"type": "text", "text": "Paris."}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }
    return Answer(body=body, headers={"request-id": REQUEST_ID})


def event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


START = event(
    "message_start",
    message={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x-20260101",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**USAGE, "output_tokens": 1},
    },
)
TEXT_START = event("content_block_start", index=0, content_block={"type": "text", "text": ""})


def text_delta(text: str) -> bytes:
    return event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


def text_stream(*texts: str) -> Stream:
    return Stream(
        pieces=[
            START,
            TEXT_START,
            event("ping"),
            *[text_delta(text) for text in texts],
            event("content_block_stop", index=0),
            event(
                "message_delta",
                delta={"stop_reason": "end_turn", "stop_sequence": None},
                usage=USAGE,
            ),
            event("message_stop"),
        ],
        headers={"request-id": REQUEST_ID},
    )


def error(status: int, kind: str, message: str = "Something.", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(
        status=status,
        body={"type": "error", "error": {"type": kind, "message": message}},
        headers={"request-id": REQUEST_ID, **named},
    )


MODELS = Answer(
    body={
        "data": [
            {"type": "model", "id": "claude-x", "display_name": "Claude X", "created_at": "2026"}
        ],
        "has_more": False,
        "first_id": "claude-x",
        "last_id": "claude-x",
    }
)
