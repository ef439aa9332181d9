"""A model server in a separate process that records every request.

It answers as OpenAI does, after a delay, and on demand fails in all the ways that services fail.
`GET /record` returns the recorded requests, so that a test can compare them with Edison's data.
"""

import asyncio
import random
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import httpx
from aiohttp import web

from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Answer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.zygote import ZYGOTE, Child

INPUT_TOKENS = 5
OUTPUT_TOKENS = 10
USAGE = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}
HANGING_SECONDS = 600
# Of answers and of questions.
JUDGE_REQUEST = "against each criterion of the rubric"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerBehaviour:
    """How the server behaves. `failing` is the share of calls that fail without hanging; `hanging`
    the share that is never answered; keys in `revoked` are refused. `verdict` is the answer to
    judges.
    """

    least_seconds: float = 0.0
    most_seconds: float = 0.0
    failing: float = 0.0
    hanging: float = 0.0
    revoked: tuple[str, ...] = ()
    verdict: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How often each question was asked, by model and text, and how often it was billed, including
    answers that were lost.
    """

    received: Counter[str]
    billed: Counter[str]
    most_under_way: int

    @property
    def calls(self) -> int:
        return self.received.total()


@dataclass(slots=True)
class _Server:
    behaviour: ServerBehaviour = field(default_factory=ServerBehaviour)
    received: Counter[str] = field(default_factory=Counter)
    billed: Counter[str] = field(default_factory=Counter)
    under_way: int = 0
    most_under_way: int = 0
    luck: random.Random = field(default_factory=random.Random)

    async def complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        question = f"{body['model']}: {body['messages'][-1]['content']}"
        self.received[question] += 1
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self._reply(request, question, is_streamed=body.get("stream", False))
        finally:
            self.under_way -= 1

    async def _reply(
        self, request: web.Request, question: str, *, is_streamed: bool
    ) -> web.StreamResponse:
        behaviour = self.behaviour
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if key in behaviour.revoked:
            return _sent(openai.error(401))
        if self.luck.random() < behaviour.hanging:
            await asyncio.sleep(HANGING_SECONDS)
        await asyncio.sleep(self.luck.uniform(behaviour.least_seconds, behaviour.most_seconds))
        if self.luck.random() < behaviour.failing:
            return await self._fail(request, question)
        self.billed[question] += 1
        answer = f"Answer to {question}"
        if behaviour.verdict is not None and JUDGE_REQUEST in question:
            answer = behaviour.verdict
        if is_streamed:
            return await self._stream(request, answer)
        return _sent(openai.completion(answer, usage=USAGE))

    async def _stream(self, request: web.Request, answer: str) -> web.StreamResponse:
        """Word by word, at the configured speed."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in openai.text_stream(*answer.split(), usage=USAGE).pieces:
            await response.write(piece)
            await asyncio.sleep(self.behaviour.most_seconds / 4)
        return response

    async def _fail(self, request: web.Request, question: str) -> web.StreamResponse:
        way = self.luck.choice((*FAILURES, "reset", "half"))
        if isinstance(way, Answer):
            return _sent(way)
        self.billed[question] += 1
        response = web.StreamResponse(headers={"Content-Length": "500"})
        if way == "half":
            await response.prepare(request)
            await response.write(b'{"id": "chatcmpl-1", "choices": [')
        if request.transport is not None:
            request.transport.abort()
        return response

    async def record(self, request: web.Request) -> web.Response:
        return web.json_response(
            {
                "received": self.received,
                "billed": self.billed,
                "most_under_way": self.most_under_way,
            }
        )

    async def turn(self, request: web.Request) -> web.Response:
        self.behaviour = ServerBehaviour(**await request.json())
        return web.json_response({})


FAILURES = (
    openai.error(429),
    openai.error(429, retry_after_ms="20"),
    openai.error(500),
    openai.error(503),
    openai.error(400, code="content_filter"),
    openai.error(400, code="context_length_exceeded"),
    Answer(body=b"<html>", content_type="text/html"),
    Answer(body={"choices": []}),
    Answer(body={"error": {"message": "Overloaded.", "type": "server_error", "code": None}}),
)


def _sent(answer: Answer) -> web.Response:
    return web.Response(
        status=answer.status,
        body=answer.content(),
        headers={"Content-Type": answer.content_type, **answer.headers},
    )


async def _list_models(request: web.Request) -> web.Response:
    return _sent(openai.MODELS)


class FakeProvider:
    """The server as seen by a test."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.behaviour = ServerBehaviour()

    def turn(self, **changes: Any) -> None:
        """Changes the behaviour of the server."""
        self.behaviour = replace(self.behaviour, **changes)
        body = asdict(self.behaviour)
        httpx.put(f"{self.url}/behaviour", json=body, timeout=PATIENCE_SECONDS).raise_for_status()

    def record(self) -> Record:
        told = httpx.get(f"{self.url}/record", timeout=PATIENCE_SECONDS).json()
        return Record(
            received=Counter(told["received"]),
            billed=Counter(told["billed"]),
            most_under_way=told["most_under_way"],
        )


@contextmanager
def fake_provider() -> Iterator[FakeProvider]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1024)
        child = Child(ZYGOTE.Process(target=_serve, args=(listening,), daemon=True))
        try:
            yield FakeProvider(f"http://127.0.0.1:{listening.getsockname()[1]}")
        finally:
            child.kill()


def _serve(listening: socket.socket) -> None:
    server = _Server()
    application = web.Application()
    application.router.add_get("/record", server.record)
    application.router.add_put("/behaviour", server.turn)
    application.router.add_get("/models", _list_models)
    application.router.add_post("/chat/completions", server.complete)
    web.run_app(application, sock=listening, print=None, access_log=None, handler_cancellation=True)
