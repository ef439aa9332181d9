"""A local HTTP server in place of a provider: gives scripted answers and records requests."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web
from aiohttp.test_utils import TestServer

from tests.support.patience import PATIENCE_SECONDS


@dataclass(kw_only=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]
    query: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


@dataclass(kw_only=True)
class Answer:
    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(kw_only=True)
class Stream:
    pieces: list[bytes]
    content_type: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)
    then: Literal["end", "reset", "drip"] = "end"


@dataclass(kw_only=True)
class Silence:
    """No answer within any reasonable time."""


Reply = Answer | Stream | Silence


def _everything(_: Received) -> bool:
    return True


def _nothing(_: Received) -> bool:
    return False


class ScriptedServer:
    """The last reply is repeated; or `choose` decides by the request."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.choose: Callable[[Received], Reply] | None = None
        self.received: list[Received] = []
        self.was_asked = asyncio.Event()
        self._holds: Callable[[Received], bool] = _nothing
        self._holds_changed = asyncio.Event()
        self._is_held = asyncio.Event()
        self.url = ""

    @property
    def last(self) -> Received:
        return self.received[-1]

    def script(self, *replies: Reply) -> None:
        self.replies = list(replies)

    def hold(self, holds: Callable[[Received], bool] | None = None) -> None:
        """Holds all answers, or only those to these requests, until `release`."""
        self._change_holds(holds or _everything)
        self._is_held.set()

    async def until_held(self) -> None:
        """For a script that holds answers at some request."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._is_held.wait()

    def release(self) -> None:
        self._change_holds(_nothing)
        self._is_held.clear()

    def _change_holds(self, holds: Callable[[Received], bool]) -> None:
        self._holds = holds
        self._holds_changed.set()
        self._holds_changed = asyncio.Event()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        received = Received(
            method=request.method,
            path=request.raw_path.partition("?")[0],
            headers={name.lower(): value for name, value in request.headers.items()},
            query=dict(request.query),
            raw=await request.read(),
        )
        self.received.append(received)
        self.was_asked.set()
        while self._holds(received):
            await self._holds_changed.wait()
        if self.choose is not None:
            reply = self.choose(received)
        else:
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Silence):
            await asyncio.sleep(30)
            return web.Response()
        if isinstance(reply, Answer):
            headers = {"Content-Type": reply.content_type, **reply.headers}
            return web.Response(status=reply.status, body=reply.content(), headers=headers)
        return await self._stream(request, reply)

    async def _stream(self, request: web.Request, reply: Stream) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": reply.content_type, **reply.headers})
        await response.prepare(request)
        for piece in reply.pieces:
            await response.write(piece)
            await asyncio.sleep(0)
        while reply.then == "drip":
            await response.write(reply.pieces[-1])
            await asyncio.sleep(0.02)
        if reply.then == "reset":
            # Written bytes must arrive before the connection closes.
            await asyncio.sleep(0.05)
            assert request.transport
            request.transport.abort()
        return response


@asynccontextmanager
async def running() -> AsyncIterator[ScriptedServer]:
    scripted = ScriptedServer()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", scripted.handle)
    server = TestServer(application)
    await server.start_server(shutdown_timeout=0)
    scripted.url = str(server.make_url("/")).rstrip("/")
    try:
        yield scripted
    finally:
        await server.close()
