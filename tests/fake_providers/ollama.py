"""Response bodies as documented for Ollama's API."""

import json
from typing import Any

from tests.fake_providers.scripted_server import Answer, Stream

END = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 4_883_583_458,
    "load_duration": 1_334_875,
    "prompt_eval_count": 26,
    "prompt_eval_duration": 342_546_000,
    "eval_count": 8,
    "eval_duration": 4_535_599_000,
}


def document(content: Any = "Paris.", *, message: Any = None, **rest: Any) -> dict[str, Any]:
    return {
        "model": "llama3.2",
        "created_at": "2026-01-01T00:00:00.000000Z",
        "message": {"role": "assistant", "content": content, **(message or {})},
        **rest,
    }


def answer(content: Any = "Paris.", *, message: Any = None, **rest: Any) -> Answer:
    body = document(content, message=message, **{**END, **rest})
    return Answer(body=body, content_type="application/json; charset=utf-8")


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def stream(*texts: str, end: Any = END) -> Stream:
    pieces = [line(document(text, done=False)) for text in texts]
    pieces += [line(document("", **end))] if end else []
    return Stream(pieces=pieces, content_type="application/x-ndjson")


def error(status: int, message: str) -> Answer:
    return Answer(status=status, body={"error": message})


TAGS = Answer(
    body={
        "models": [
            {"name": "llama3.2:latest", "model": "llama3.2:latest", "size": 2_019_393_189},
            {"name": "qwen3:8b", "model": "qwen3:8b", "details": {"parameter_size": "8.2B"}},
        ]
    }
)
