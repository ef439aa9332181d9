"""Trusted proxies, and detection of any proxy."""

from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

_PEER = "edison.trusted_peer"
_FORWARDING = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-original-host",
        b"x-original-url",
        b"x-original-forwarded-for",
        b"x-envoy-external-address",
        b"true-client-ip",
        b"cf-connecting-ip",
        b"fastly-client-ip",
        b"fly-client-ip",
    }
)


class TrustedProxies:
    """Takes the client's address and scheme from the headers of trusted proxies.

    Marks the request as forwarded, because the proxy's own address is overwritten.
    """

    def __init__(self, app: ASGIApp, *, trusted: Iterable[str]) -> None:
        from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

        self._app = app
        self._proxy_headers = ProxyHeadersMiddleware(app, list(trusted))  # type: ignore[arg-type]  # uvicorn spells out ASGI's types

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and client and client[0] in self._proxy_headers.trusted_hosts:
            scope[_PEER] = True
            await self._proxy_headers(scope, receive, send)  # type: ignore[arg-type]  # as above
        else:
            await self._app(scope, receive, send)


def comes_from_trusted_proxy(scope: Scope) -> bool:
    return bool(scope.get(_PEER))


def is_forwarded(scope: Scope) -> bool:
    """Whether any header shows that a proxy forwarded the request, trusted or not."""
    return any(
        name in _FORWARDING or name.startswith(b"x-forwarded") for name, _ in scope["headers"]
    )
