"""`/mcp`: the MCP server over streamable HTTP, with Edison's access tokens.

Each tool calls the HTTP API of this process in the name of the caller, through all middleware, so
roles, scopes, limits and the audit log are those of any other request. Requests are independent of
each other, so any number of server processes can share an address.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from edison.app.responses import ErrorResponse

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
_REFUSED = 400
_SCHEME = "bearer "
# Any host name that HostCheck accepts: it has checked the one of the caller already.
_BASE = "http://localhost"


class McpEndpoint:
    """Loads the MCP library on the first request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._is_ready = asyncio.Event()
        self._is_stopping = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = _check_method(scope) or await self._check_token(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        if self._manager is None:
            self._manager = self._make_manager()
            self._running = asyncio.create_task(self._run(self._manager))
        await self._is_ready.wait()
        await self._manager.handle_request(scope, receive, send)

    async def aclose(self) -> None:
        """Ends calls in progress."""
        self._is_stopping.set()
        if self._running is not None:
            await self._running

    async def _check_token(self, scope: Scope) -> ErrorResponse | None:
        """Only tokens are accepted: a cookie would let other sites call tools."""
        if not Headers(scope=scope).get("authorization", "").lower().startswith(_SCHEME):
            message = "Send a personal access token: `Authorization: Bearer edn_…`."
            return _unauthenticated(message)
        status, answer = await _InProcessApi(self._app, scope).send(
            "GET", "/api/v1/projects", query={"limit": 1}
        )
        if status < _REFUSED:
            return None
        error = answer["error"]
        if status == 401:
            return _unauthenticated(error["message"])
        return ErrorResponse(status, code=error["code"], message=error["message"])

    def _make_manager(self) -> "StreamableHTTPSessionManager":
        from mcp.server.transport_security import (
            TransportSecuritySettings,
        )

        from edison.mcp.server import make_server

        server = make_server(self._api_of)
        server.streamable_http_app(
            stateless_http=True,
            # HostCheck does this for all paths.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        return server.session_manager

    async def _run(self, manager: "StreamableHTTPSessionManager") -> None:
        """In one task from start to end, as the task group of the manager requires."""
        async with manager.run():
            self._is_ready.set()
            await self._is_stopping.wait()

    def _api_of(self, context: "Context[Any, Any]") -> "_InProcessApi":
        request = context.request_context.request
        assert request is not None  # noqa: S101 - every call comes by HTTP
        return _InProcessApi(self._app, request.scope)


class _InProcessApi:
    """Calls this application with the token and the address of a request."""

    def __init__(self, app: ASGIApp, scope: Scope) -> None:
        self._app = app
        self._token = Headers(scope=scope)["authorization"]
        self._client = scope.get("client") or ("", 0)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        """Raises ToolError."""
        status, answer = await self.send(method, path, query=query, body=body)
        if status >= _REFUSED:
            from edison.mcp.api import refusal

            raise refusal(answer["error"]["message"], answer["error"]["details"])
        return answer

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> tuple[int, Any]:
        """The status and the response as JSON."""
        import httpx2

        transport = httpx2.ASGITransport(self._app, raise_app_exceptions=False, client=self._client)
        async with httpx2.AsyncClient(transport=transport, base_url=_BASE) as client:
            response = await client.request(
                method,
                path,
                params=dict(query or {}),
                headers={"Authorization": self._token},
                **({} if body is None else {"json": body}),
            )
        return response.status_code, response.json()


def _check_method(scope: Scope) -> ErrorResponse | None:
    """A client asks by GET for a stream of messages; the protocol declines with this status."""
    if scope["method"] == "POST":
        return None
    return ErrorResponse(
        405,
        code="METHOD_NOT_ALLOWED",
        message="Send messages by POST: this server opens no streams and keeps no sessions.",
        headers={"Allow": "POST"},
    )


def _unauthenticated(message: str) -> ErrorResponse:
    return ErrorResponse(
        401, code="UNAUTHORIZED", message=message, headers={"WWW-Authenticate": "Bearer"}
    )
