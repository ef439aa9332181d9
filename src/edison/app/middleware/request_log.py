"""The outermost edge of a request: its trace id, its log line, its metrics, and the last resort
for errors nobody foresaw.
"""

import re
import secrets
import time

import structlog
from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.responses import ErrorResponse
from edison.kit import origin

log = structlog.get_logger("edison.http")

REQUESTS = Counter("edison_http_requests", "Requests", ["method", "route", "status"])
SECONDS = Histogram("edison_http_request_seconds", "Time to answer", ["method", "route"])

_TRACEPARENT = re.compile(r"^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$")


class RequestLog:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        client = scope.get("client")
        source = origin.Origin(
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
            await self._app(scope, receive, send_noting)
        except Exception:
            log.exception("unexpected error", path=scope["path"], method=scope["method"])
            if status:
                raise
            await _apologise(scope, receive, send_noting)
        finally:
            _report(scope, status=status, seconds=time.perf_counter() - started)


def _trace_id(headers: Headers) -> str:
    """The caller's W3C trace id if it sent one, so that traces join up; else a new one."""
    sent = _TRACEPARENT.match(headers.get("traceparent", ""))
    return sent.group(1) if sent else secrets.token_hex(16)


async def _apologise(scope: Scope, receive: Receive, send: Send) -> None:
    response = ErrorResponse(
        500,
        code="INTERNAL_SERVER_ERROR",
        message="Something went wrong on our side. The trace id helps to find out what.",
    )
    await response(scope, receive, send)


def _report(scope: Scope, *, status: int, seconds: float) -> None:
    # The route's pattern, not the path: ids in labels would grow without bound.
    route = getattr(scope.get("route"), "path", "other")
    REQUESTS.labels(scope["method"], route, str(status)).inc()
    SECONDS.labels(scope["method"], route).observe(seconds)
    quiet = scope["path"].startswith(("/assets/", "/api/health", "/api/readiness", "/metrics"))
    write = log.debug if quiet else log.info
    write(
        "request",
        method=scope["method"],
        path=scope["path"],
        status=status,
        milliseconds=round(seconds * 1000, 1),
    )
