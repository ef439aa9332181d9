"""Requests only the head of a response, so that endless streams end too."""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI

from tests.support.browser import SAFE_METHODS, Browser
from tests.support.declared import check_status
from tests.support.patience import PATIENCE_SECONDS


async def status_of(
    app: FastAPI,
    method: str,
    path: str,
    *,
    browser: Browser | None = None,
    token: str | None = None,
    body: Any = None,
) -> int:
    """The status of the response; disconnects once it is known."""
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    gone = asyncio.Event()
    requests = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]

    async def receive() -> dict[str, Any]:
        if requests:
            return requests.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start" and not started.done():
            started.set_result(message["status"])

    call = asyncio.create_task(app(scope_of(method, path, browser, token), receive, send))
    await asyncio.wait({call, started}, return_when=asyncio.FIRST_COMPLETED)
    gone.set()
    await asyncio.wait_for(call, PATIENCE_SECONDS)
    check_status(method, path, started.result())
    return started.result()


def scope_of(
    method: str, path: str, browser: Browser | None, token: str | None = None
) -> dict[str, Any]:
    headers = [(b"host", b"edison.localhost"), (b"content-type", b"application/json")]
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    if browser is not None:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)
        headers.append((b"cookie", cookies.encode()))
        if token := browser.headers.get("Authorization"):
            headers.append((b"authorization", token.encode()))
        if method not in SAFE_METHODS:
            headers.append((b"x-csrf-token", browser.cookies["edison_csrf"].encode()))
    parts = urlsplit(path)
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 50000),
        "server": ("edison.localhost", 80),
        "state": {},
    }
