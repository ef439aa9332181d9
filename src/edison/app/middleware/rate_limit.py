"""Requests per minute, limited in memory by each server process.

Anonymous callers share a limit per address. An authenticated session or token has a larger limit of
its own, so that an office behind one address is not throttled as one user. Password guessing has a
stricter, stored limit (`workspace/accounts/attempts`).
"""

import hashlib
import time
from collections import OrderedDict
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edison.app.responses import ErrorResponse
from edison.workspace.accounts.cookies import SESSION_COOKIE

WINDOW_SECONDS = 60
MOST_KEYS = 10_000


class RateLimit:
    """Counts per fixed minute. The number of keys is bounded; the least recently used are evicted
    first.
    """

    def __init__(self, app: ASGIApp, *, strangers: int, signed_in: int) -> None:
        self._app = app
        self._strangers = strangers
        self._signed_in = signed_in
        self._windows: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._proven: OrderedDict[str, None] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/v1/"):
            await self._app(scope, receive, send)
            return
        proof = _proof(Headers(scope=scope))
        is_proven = proof is not None and proof in self._proven
        limit = self._signed_in if is_proven else self._strangers
        client = scope.get("client")
        key = proof if is_proven and proof else f"address:{client[0] if client else ''}"
        minute = int(time.time()) // WINDOW_SECONDS
        remaining = limit - self._count(key, minute)
        reset = (minute + 1) * WINDOW_SECONDS
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, remaining)),
            "X-RateLimit-Reset": datetime.fromtimestamp(reset, UTC).isoformat(),
        }
        if remaining < 0:
            await self._refuse(scope, receive, send, headers=headers, reset=reset)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                for name, value in headers.items():
                    MutableHeaders(scope=message).setdefault(name, value)
                if proof is not None and scope.get("state", {}).get("is_recognised"):
                    _remember(self._proven, proof)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _count(self, key: str, minute: int) -> int:
        started, count = self._windows.get(key, (minute, 0))
        count = count + 1 if started == minute else 1
        self._windows[key] = (minute, count)
        self._windows.move_to_end(key)
        if len(self._windows) > MOST_KEYS:
            self._windows.popitem(last=False)
        return count

    @staticmethod
    async def _refuse(
        scope: Scope, receive: Receive, send: Send, *, headers: dict[str, str], reset: int
    ) -> None:
        wait = max(1, reset - int(time.time()))
        response = ErrorResponse(
            429,
            code="TOO_MANY_REQUESTS",
            message=f"Too many requests. Retry in {wait} seconds.",
            details={"retry_after_seconds": wait},
            headers=headers | {"Retry-After": str(wait)},
        )
        await response(scope, receive, send)


def _proof(headers: Headers) -> str | None:
    presented = headers.get("authorization") or cookie_parser(headers.get("cookie", "")).get(
        SESSION_COOKIE
    )
    return None if not presented else hashlib.sha256(presented.encode()).hexdigest()


def _remember(known: OrderedDict[str, None], proof: str) -> None:
    known[proof] = None
    known.move_to_end(proof)
    if len(known) > MOST_KEYS:
        known.popitem(last=False)
