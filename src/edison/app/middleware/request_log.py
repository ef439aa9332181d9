"""The outermost middleware: trace id, access log, metrics, and the response to unexpected
errors.
"""

import re
import secrets
import time
from collections.abc import Mapping

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.observability import IN_PROGRESS, count_request
from edison.app.responses import ErrorResponse
from edison.kit import origin

log = structlog.get_logger("edison.http")

_TRACEPARENT = re.compile(r"^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$")


# Requested so often that they would flood the log.
_QUIET_PATHS = ("/assets/", "/theme.js", "/favicon", "/api/health", "/api/readiness", "/metrics")


class RequestLog:
    def __init__(self, app: ASGIApp, *, routes: Mapping[str, str]) -> None:
        """`routes` maps handler names to paths, for metric labels."""
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        client = scope.get("client")
        source = origin.RequestOrigin(
            trace_id=_trace_id(headers),
            address=client[0] if client else None,
            user_agent=(headers.get("user-agent") or "")[:400] or None,
        )
        origin.begin(source)
        started = time.perf_counter()
        status = 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Trace-Id"] = source.trace_id or ""
            await send(message)

        try:
            with IN_PROGRESS.track_inprogress():
                await self._app(scope, receive, send_noting)
        except Exception:
            log.exception("unexpected error", path=scope["path"], method=scope["method"])
            if status:
                raise
            await _internal_error(scope, receive, send_noting)
        finally:
            seconds = time.perf_counter() - started
            count_request(scope, routes=self._routes, status=status, seconds=seconds)
            _write_line(scope, status=status, seconds=seconds)


def _trace_id(headers: Headers) -> str:
    """The trace id of the open span, else the caller's W3C trace id, else a new one."""
    from opentelemetry import trace

    span = trace.get_current_span().get_span_context()
    if span.is_valid:
        return trace.format_trace_id(span.trace_id)
    sent = _TRACEPARENT.match(headers.get("traceparent", ""))
    return sent.group(1) if sent else secrets.token_hex(16)


async def _internal_error(scope: Scope, receive: Receive, send: Send) -> None:
    response = ErrorResponse(
        500,
        code="INTERNAL_SERVER_ERROR",
        message="Internal error. Find it in the server log by its trace id.",
    )
    await response(scope, receive, send)


def _write_line(scope: Scope, *, status: int, seconds: float) -> None:
    quiet = scope["path"].startswith(_QUIET_PATHS)
    write = log.debug if quiet else log.info
    write(
        "request",
        method=scope["method"],
        path=scope["path"],
        status=status,
        milliseconds=round(seconds * 1000, 1),
    )
