"""No request body may grow beyond the limit, whatever its headers claim."""

import re
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.responses import ErrorResponse


class BodyLimit:
    def __init__(
        self,
        app: ASGIApp,
        *,
        max_bytes: int,
        exceptions: Mapping[re.Pattern[str], int] | None = None,
    ) -> None:
        """`exceptions` gives the paths that match a pattern a limit of their own."""
        self._app = app
        self._max_bytes = max_bytes
        self._exceptions = exceptions or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > limit:
            await self._refuse(scope, receive, send, limit=limit)
            return
        received = 0

        async def receive_counting() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                # The one exception that FastAPI lets through while it reads a body.
                raise HTTPException(413)
            return message

        await self._app(scope, receive_counting, send)

    def _limit_of(self, path: str) -> int:
        matching = (limit for shape, limit in self._exceptions.items() if shape.fullmatch(path))
        return next(matching, self._max_bytes)

    @staticmethod
    async def _refuse(scope: Scope, receive: Receive, send: Send, *, limit: int) -> None:
        response = ErrorResponse(
            413,
            code="PAYLOAD_TOO_LARGE",
            message=f"The request is larger than the limit of {limit:,} bytes.",
            headers={"Connection": "close"},
        )
        await response(scope, receive, send)
