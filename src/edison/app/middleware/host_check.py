"""Rejects requests whose Host header is not one of this server's names.

Protects against DNS rebinding, and keeps forged names out of links and caches. Ports are ignored:
they do not matter for DNS rebinding.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from edison.app.middleware.proxies import comes_from_trusted_proxy
from edison.app.responses import ErrorResponse
from edison.settings import Settings

# Load balancers call these under any name, and they return nothing sensitive.
_EXEMPT = frozenset({"/api/health", "/api/readiness"})
_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_HOST = re.compile(
    rf"(?P<host>\[[0-9a-f:.]{{2,45}}\]|{_LABEL}(?:\.{_LABEL})*)\.?(?::(?P<port>\d{{0,5}}))?",
    re.ASCII,
)
_LONGEST_HOST = 253


def parse_host(value: str) -> str | None:
    """The normalised host of a Host header, or None when the header is malformed."""
    match = _HOST.fullmatch(value.lower())
    if match is None or int(match["port"] or 0) > 65535 or len(match["host"]) > _LONGEST_HOST:
        return None
    host = match["host"]
    is_bracketed = host.startswith("[")
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None if is_bracketed else host
    return None if is_bracketed != (address.version == 6) else str(address)


class AllowedHosts:
    """The host names that requests may use."""

    def __init__(self, settings: Settings) -> None:
        named = [*settings.allowed_hosts]
        if settings.public_url is not None:
            named.append(settings.public_url.partition("://")[2].partition("/")[0])
        if not settings.listens_everywhere:
            named.append(f"[{settings.host}]" if ":" in settings.host else settings.host)
        self._admits_own = settings.listens_everywhere and settings.public_url is None
        if self._admits_own:
            named.append(socket.gethostname())
        self._names = {host for name in named if (host := parse_host(name.removeprefix(".")))}
        self._suffixes = tuple(name.lower() for name in settings.allowed_hosts if name[:1] == ".")

    def admits(self, value: str, *, local_address: str | None) -> bool:
        """`local_address` is the local address that the request arrived at."""
        host = parse_host(value)
        if host is None:
            return False
        if host in self._names or host.endswith((".localhost", *self._suffixes)):
            return True
        return self._is_own(host, local_address)

    def _is_own(self, host: str, local_address: str | None) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return host == "localhost"
        if address.is_loopback:
            return True
        return self._admits_own and str(address) == _plain_address(local_address or "")


def _plain_address(text: str) -> str:
    """Without a zone; IPv4 addresses mapped to IPv6 by a dual-stack socket become IPv4."""
    return text.partition("%")[0].removeprefix("::ffff:")


class HostCheck:
    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._allowed = AllowedHosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _EXEMPT or self._is_for_us(scope):
            await self._app(scope, receive, send)
            return
        response = ErrorResponse(
            421,
            code="MISDIRECTED",
            message="This server does not answer to the host name in the request. Its operator "
            "can add the name with EDISON_PUBLIC_URL or EDISON_ALLOWED_HOSTS.",
            headers={"Connection": "close"},
        )
        await response(scope, receive, send)

    def _is_for_us(self, scope: Scope) -> bool:
        named = _named_hosts(scope)
        server = scope.get("server")
        local_address = server[0] if server else None
        return bool(named) and all(
            self._allowed.admits(host, local_address=local_address) for host in named
        )


def _named_hosts(scope: Scope) -> Iterable[str]:
    """The hosts named by the request; empty when there are several Host headers."""
    headers = Headers(scope=scope)
    if comes_from_trusted_proxy(scope) and (passed_on := headers.getlist("x-forwarded-host")):
        # Each proxy may append its own; all of them must be allowed.
        return [host.strip() for value in passed_on for host in value.split(",")]
    hosts = headers.getlist("host")
    return hosts if len(hosts) == 1 else []
