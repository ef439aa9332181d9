"""Size limits for the URL, the headers and the body of a request. The body is counted as it
arrives, independent of its Content-Length.
"""

import re
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.responses import ErrorResponse

LONGEST_PATH = 2_000
LONGEST_QUERY = 16_000
MOST_HEADERS = 100
MOST_HEADER_BYTES = 32_000
# More digits than any valid Content-Length.
LONGEST_LENGTH = 15


class BodyLimit:
    def __init__(
        self,
        app: ASGIApp,
        *,
        max_bytes: int,
        exceptions: Mapping[re.Pattern[str], int] | None = None,
    ) -> None:
        """`exceptions` maps path patterns to limits of their own."""
        self._app = app
        self._max_bytes = max_bytes
        self._exceptions = exceptions or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if (refusal := _refusal_of_head(scope)) is not None:
            await refusal(scope, receive, send)
            return
        limit = self._limit_of(scope["path"])
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        is_long = len(declared) > LONGEST_LENGTH
        if declared.isdigit() and (is_long or int(declared) > limit):
            await self._refuse(scope, receive, send, limit=limit)
            return
        received = 0

        async def receive_counting() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                # The only exception that FastAPI does not convert while it reads a body.
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
            message=f"The request exceeds the limit of {limit:,} bytes.",
            headers={"Connection": "close"},
        )
        await response(scope, receive, send)


def _refusal_of_head(scope: Scope) -> ErrorResponse | None:
    """The error response when the URL or the headers are too large, else None."""
    headers = scope["headers"]
    if len(scope["path"]) > LONGEST_PATH or len(scope["query_string"]) > LONGEST_QUERY:
        return ErrorResponse(
            414,
            code="ADDRESS_TOO_LONG",
            message=f"The address exceeds {LONGEST_PATH:,} characters, "
            f"or its query {LONGEST_QUERY:,}.",
            headers={"Connection": "close"},
        )
    size = sum(len(name) + len(value) for name, value in headers)
    if len(headers) > MOST_HEADERS or size > MOST_HEADER_BYTES:
        return ErrorResponse(
            431,
            code="HEADERS_TOO_LARGE",
            message=f"The headers exceed {MOST_HEADERS} entries or {MOST_HEADER_BYTES:,} bytes.",
            headers={"Connection": "close"},
        )
    return None
