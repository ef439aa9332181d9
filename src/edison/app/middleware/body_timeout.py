"""Request body timeout: a client that sends too slowly gets 408.

Measures progress instead of total time, so that large uploads over slow links succeed.
"""

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Each window must bring the rest of the body or at least this many bytes: about 270 bytes a second.
WINDOW_SECONDS = 15.0
WINDOW_BYTES = 4_096


class BodyTimeout:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        body = _TimedBody(receive)

        async def send_noting(message: Message) -> None:
            body.is_answered = True
            await send(message)

        await self._app(scope, body.receive, send_noting)


class _TimedBody:
    """Receives with a deadline that is extended whenever a window's bytes have arrived.

    Counts only the time spent waiting for the client, not the application's own.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_complete = False
        self._missing = WINDOW_BYTES
        self._left = WINDOW_SECONDS
        self.is_answered = False

    async def receive(self) -> Message:
        if self._is_complete:
            return await self._receive()
        clock = asyncio.get_running_loop()
        started = clock.time()
        try:
            async with asyncio.timeout(max(self._left, 0)):
                message = await self._receive()
        except TimeoutError:
            self._is_complete = True
            if self.is_answered:
                return {"type": "http.disconnect"}
            # The only exception that FastAPI does not convert while it reads a body.
            raise HTTPException(
                408, "The request took too long to arrive.", {"Connection": "close"}
            ) from None
        self._note(message, clock.time() - started)
        return message

    def _note(self, message: Message, waited: float) -> None:
        self._is_complete = not message.get("more_body", False)
        self._left -= waited
        self._missing -= len(message.get("body", b""))
        if self._missing <= 0:
            self._missing, self._left = WINDOW_BYTES, WINDOW_SECONDS


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
