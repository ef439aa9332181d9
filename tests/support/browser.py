"""An HTTP client that behaves like Edison's own pages: keeps cookies, sends the CSRF header.

It also checks two rules in every test: each change has an audit entry, and the OpenAPI document
declares the status of each response for its route.
"""

from typing import Any

import httpx
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.workspace.accounts.cookies import CSRF_COOKIE, CSRF_HEADER
from edison.workspace.audit.models import AuditEntry
from tests.support.declared import check_status

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# POST routes that only read (texts too long for a URL), and turns in a queue.
ASKING_PATHS = ("/count-tokens", "/estimate", "/check", "/preview", "/scorers/try", "/next")


class Browser(httpx.AsyncClient):
    def __init__(self, app: FastAPI, *, address: str = "127.0.0.1", **options: Any) -> None:
        transport = httpx.ASGITransport(app, client=(address, 50000))
        super().__init__(transport=transport, base_url="http://edison.localhost", **options)
        self._app = app

    def set_cookie(self, name: str, value: str) -> None:
        """Replace a cookie as if the server had set it."""
        self.cookies.set(name, value, domain="edison.localhost", path="/")

    async def request(self, method: str, url: Any, **options: Any) -> httpx.Response:
        headers = dict(options.pop("headers", None) or {})
        if method not in SAFE_METHODS and (csrf := self.cookies.get(CSRF_COOKIE)):
            headers.setdefault(CSRF_HEADER, csrf)
        is_asking = method in SAFE_METHODS or str(url).endswith(ASKING_PATHS)
        before = 0 if is_asking else await self._count_audit_entries()
        response = await super().request(method, url, headers=headers, **options)
        check_status(method, str(response.request.url), response.status_code)
        if not is_asking and response.is_success:
            after = await self._count_audit_entries()
            assert after > before, f"{method} {url} changed something without an audit entry"
        return response

    async def _count_audit_entries(self) -> int:
        async with self._app.state.background_database.read() as session:
            return await session.scalar(select(func.count()).select_from(AuditEntry)) or 0


def error_of(response: httpx.Response) -> dict[str, Any]:
    """The error of a refused request, in the one shape every error has."""
    error = response.json()["error"]
    assert set(error) == {"code", "message", "details", "path", "timestamp", "traceId"}
    return dict(error)


def fields_of(response: httpx.Response) -> set[str]:
    assert response.status_code == 400, response.text
    return {detail["field"] for detail in error_of(response)["details"]}
