"""Readers of event streams without sockets, so that a test can have a thousand of them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from tests.support.asgi import scope_of
from tests.support.browser import Browser


class Listener:
    """One open stream. `numbers` are the numbers of all events received, over all connections."""

    def __init__(self, browser: Browser, path: str) -> None:
        self._browser = browser
        self._path = path
        self._changed = asyncio.Event()
        self._gone = asyncio.Event()
        self._call: asyncio.Task[None] | None = None
        self.last_id: int | None = None
        self.numbers: list[int] = []
        self.kinds: list[str] = []
        self.closed: str | None = None
        self.status: int | None = None
        self.headers: dict[str, str] = {}
        self.is_connected = False
        self.has_ended = False

    def open(self, app: FastAPI) -> None:
        """Connect, after the last event received if there was one."""
        scope = scope_of("GET", self._path, self._browser)
        if self.last_id is not None:
            scope["headers"].append((b"last-event-id", str(self.last_id).encode()))
        self._gone = asyncio.Event()
        self.is_connected = self.has_ended = False
        self._call = asyncio.create_task(app(scope, self._receive, self._send))

    async def close(self) -> None:
        self._gone.set()
        if self._call is not None:
            await self._call

    async def until(self, is_so: Any) -> None:
        while not is_so(self):
            self._changed.clear()
            await self._changed.wait()

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            for block in message["body"].decode().split("\n\n"):
                self._take(block)
            self.has_ended = not message.get("more_body", False)
        self._changed.set()

    def _take(self, block: str) -> None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        self.is_connected |= "retry" in fields
        if "id" in fields:
            self.last_id = int(fields["id"])
        kind = fields.get("event")
        if kind == "closed":
            self.closed = json.loads(fields["data"])["reason"]
        elif kind is not None and self.last_id is not None:
            self.kinds.append(kind)
            self.numbers.append(self.last_id)


@asynccontextmanager
async def listening(app: FastAPI, *listeners: Listener) -> AsyncIterator[None]:
    """All connect at once; leaves when all have disconnected."""
    for listener in listeners:
        listener.open(app)
    try:
        yield
    finally:
        await asyncio.gather(*(listener.close() for listener in listeners))
