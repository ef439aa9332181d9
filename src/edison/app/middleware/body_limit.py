"""No request body may grow beyond the limit, whatever its headers claim."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.responses import ErrorResponse


class BodyLimit:
    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._max_bytes:
            await self._refuse(scope, receive, send)
            return
        received = 0

        async def receive_counting() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                # The one exception that FastAPI lets through while it reads a body.
                raise HTTPException(413)
            return message

        await self._app(scope, receive_counting, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = ErrorResponse(
            413,
            code="PAYLOAD_TOO_LARGE",
            message=f"The request is larger than the limit of {self._max_bytes:,} bytes.",
            headers={"Connection": "close"},
        )
        await response(scope, receive, send)
