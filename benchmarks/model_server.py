"""A model server with a constant answer and minimal overhead, in a separate process.

Implements just enough HTTP for clients with keep-alive. Its CPU time is not measured.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import cast

import httpx
import orjson
import uvloop

TEXT = "Paris is the capital of France. " * 8
CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1_760_000_000,
    "model": "gpt-x",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": TEXT, "refusal": None},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 200, "completion_tokens": 60, "total_tokens": 260},
}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-x",
    "content": [{"type": "text", "text": TEXT}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 200, "output_tokens": 60},
}


JUDGE = "/judge"
WINDOW = b"/window"
VERDICT = '{"rationales": {"Quality": "It names the city."}, "scores": {"Quality": 4}}'
JUDGED = {
    **CHAT,
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": VERDICT, "refusal": None},
            "finish_reason": "stop",
        }
    ],
}


def _response(document: object) -> bytes:
    body = orjson.dumps(document)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return f"{head}\r\n\r\n".encode() + body


# By suffix of the path; the first match wins.
ANSWERS = {
    f"{JUDGE}/chat/completions".encode(): _response(JUDGED),
    b"/chat/completions": _response(CHAT),
    b"/v1/messages": _response(MESSAGE),
    # Requested when a credential is created.
    b"/models": _response({"object": "list", "data": [{"id": "gpt-x", "object": "model"}]}),
}


class Window:
    """The time from the first request to the last answer."""

    def __init__(self) -> None:
        self._begun_at: float | None = None
        self._ended_at = 0.0

    def request_came(self) -> None:
        if self._begun_at is None:
            self._begun_at = time.monotonic()

    def answer_left(self) -> None:
        self._ended_at = time.monotonic()

    def close(self) -> float:
        """Returns its seconds. The next request opens another."""
        begun_at, self._begun_at = self._begun_at, None
        return 0.0 if begun_at is None else self._ended_at - begun_at


class Connection(asyncio.Protocol):
    def __init__(self, delay_seconds: float, window: Window) -> None:
        self._delay_seconds = delay_seconds
        self._window = window
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end:
            return
        _, _, length = head.lower().partition(b"content-length:")
        if len(body) < int(length.split(b"\r\n")[0] or 0):
            return
        self._received = b""
        path = head.split(b" ", 2)[1]
        if path == WINDOW:
            self._transport.write(_response(self._window.close()))
            return
        self._window.request_came()
        answer = next(answer for end, answer in ANSWERS.items() if path.endswith(end))
        if self._delay_seconds:
            asyncio.get_running_loop().call_later(self._delay_seconds, self._answer, answer)
        else:
            self._answer(answer)

    def _answer(self, answer: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(answer)
            self._window.answer_left()


def close_window(url: str) -> float:
    """Seconds from the first request since the last call of this, to the last answer."""
    return float(httpx.get(f"{url}{WINDOW.decode()}").json())


@contextmanager
def running_model(delay_seconds: float) -> Iterator[str]:
    """Yields the address of the server."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.model_server", str(delay_seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


async def _serve(delay_seconds: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        partial(Connection, delay_seconds, Window()), "127.0.0.1", 0, backlog=1024
    )
    port = server.sockets[0].getsockname()[1]
    sys.stdout.write(f"http://127.0.0.1:{port}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(float(sys.argv[1])))
