"""Response bodies as documented for Bedrock's Converse API, and its binary event stream."""

import json
import struct
import zlib
from typing import Any

from tests.fake_providers.scripted_server import Answer, Stream

REQUEST_ID = "aws-request-1"
USAGE = {
    "inputTokens": 8,
    "outputTokens": 9,
    "totalTokens": 29,
    "cacheReadInputTokens": 12,
    "cacheWriteInputTokens": 0,
}


def answer(*content: Any, stop_reason: str = "end_turn", usage: Any = USAGE) -> Answer:
    blocks = list(content) or [{"text": "Paris."}]
    body = {
        "output": {"message": {"role": "assistant", "content": blocks}},
        "stopReason": stop_reason,
        "usage": usage,
        "metrics": {"latencyMs": 12},
    }
    return Answer(body=body, headers={"x-amzn-RequestId": REQUEST_ID})


def event(kind: str, payload: Any, *, message_type: str = "event") -> bytes:
    """One message of the event stream: lengths, checksum, headers, payload, checksum."""
    names = {
        ":event-type" if message_type == "event" else ":exception-type": kind,
        ":content-type": "application/json",
        ":message-type": message_type,
    }
    headers = b"".join(
        bytes([len(name)])
        + name.encode()
        + b"\x07"
        + struct.pack(">H", len(value))
        + value.encode()
        for name, value in names.items()
    )
    body = json.dumps(payload).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(body), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + body
    return message + struct.pack(">I", zlib.crc32(message))


def begun(*texts: str) -> list[bytes]:
    deltas = [{"contentBlockIndex": 0, "delta": {"text": text}} for text in texts]
    return [
        event("messageStart", {"role": "assistant"}),
        *[event("contentBlockDelta", delta) for delta in deltas],
    ]


def stream(pieces: list[bytes], **rest: Any) -> Stream:
    return Stream(
        pieces=pieces,
        content_type="application/vnd.amazon.eventstream",
        headers={"x-amzn-RequestId": REQUEST_ID},
        **rest,
    )


def text_stream(*texts: str) -> Stream:
    return stream(
        [
            *begun(*texts),
            event("contentBlockStop", {"contentBlockIndex": 0}),
            event("messageStop", {"stopReason": "end_turn"}),
            event("metadata", {"usage": USAGE, "metrics": {"latencyMs": 12}}),
        ]
    )


def error(status: int, kind: str, message: str = "Something.", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(
        status=status,
        body={"message": message},
        headers={"x-amzn-ErrorType": kind, "x-amzn-RequestId": REQUEST_ID, **named},
    )


MODELS = Answer(
    body={
        "modelSummaries": [
            {"modelId": "anthropic.claude-x-v1:0", "modelName": "Claude X", "modelArn": "arn:x"}
        ]
    }
)
