"""Error responses that any layer of the server can send."""

from typing import Any

import orjson
from starlette.responses import Response

from edison.kit import clock, origin


class ErrorResponse(Response):
    media_type = "application/json"

    def __init__(
        self,
        status: int,
        *,
        code: str,
        message: str,
        details: Any = None,
        path: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        body = {
            "error": {
                "code": code,
                "message": message,
                "details": details,
                "path": path,
                "timestamp": clock.now(),
                "traceId": origin.current().trace_id,
            }
        }
        content = orjson.dumps(body, default=str, option=orjson.OPT_UTC_Z)
        super().__init__(content, status_code=status, headers=headers)
