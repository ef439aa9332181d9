"""Requests whose answers are read piece by piece, through aiohttp."""

import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from edison.pipeline.generate.addresses import (
    AddressRefused,
    NetworkPolicy,
    UrlTarget,
    check_address,
)
from edison.pipeline.generate.connection_pool import CONNECT_TIMEOUT_SECONDS, KEEPALIVE_SECONDS
from edison.pipeline.generate.fault import (
    OutboundFailed,
    OutboundFault,
    outbound_failure,
    too_large,
)
from edison.pipeline.generate.resolver import CheckedResolver, Resolver

if TYPE_CHECKING:
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import AddrInfoType, Connection
    from aiohttp.tracing import Trace

# A small compressed answer can expand enormously; an uncompressed one is easy to limit.
UNCOMPRESSED = {"Accept-Encoding": "identity"}


class _AsAiohttpResolver(AbstractResolver):
    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return await self._resolver.resolve(host, port, family)

    async def close(self) -> None:
        await self._resolver.close()


class GuardedConnector(aiohttp.TCPConnector):
    """Opens sockets only to allowed addresses, resolved or literal, and returns connections only to
    allowed peers.
    """

    def __init__(
        self,
        resolver: Resolver,
        policy: NetworkPolicy,
        *,
        is_encrypted: bool,
        tls: ssl.SSLContext | None,
    ) -> None:
        checked = CheckedResolver(resolver, policy, is_encrypted=is_encrypted)
        super().__init__(
            resolver=_AsAiohttpResolver(checked),
            socket_factory=self._open_socket,
            # The callers limit the number of concurrent calls.
            limit=0,
            keepalive_timeout=KEEPALIVE_SECONDS,
            ssl=tls or True,
        )
        self._policy = policy
        self._is_encrypted = is_encrypted

    def _open_socket(self, address: "AddrInfoType") -> socket.socket:
        family, kind, protocol, _, place = address
        check_address(str(place[0]), self._policy, is_encrypted=self._is_encrypted)
        return socket.socket(family, kind, protocol)

    async def connect(
        self,
        req: "ClientRequest",
        traces: "list[Trace]",
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - the base class names it so
    ) -> "Connection":
        connection = await super().connect(req, traces, timeout)
        transport = connection.transport
        peer = None if transport is None else transport.get_extra_info("peername")
        if peer is not None:
            try:
                check_address(peer[0], self._policy, is_encrypted=self._is_encrypted)
            except AddressRefused:
                connection.close()
                raise
        return connection


class OutboundResponse:
    """An answer with an unread body. Read it once, with `read` or `chunks`."""

    def __init__(self, response: aiohttp.ClientResponse, *, host: str, max_bytes: int) -> None:
        self._response = response
        self._host = host
        self._max_bytes = max_bytes
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers

    @property
    def is_redirect(self) -> bool:
        return 300 <= self.status < 400

    @property
    def raw_headers(self) -> tuple[tuple[bytes, bytes], ...]:
        return self._response.raw_headers

    async def read(self) -> bytes:
        length = self._response.content_length
        if length is not None and length <= self._max_bytes and not self._is_encoded():
            try:
                return await self._response.read()
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise _failure_of_body(error, self._host) from error
        return b"".join([chunk async for chunk in self.chunks()])

    async def chunks(self) -> AsyncIterator[bytes]:
        size = 0
        content = self._response.content
        try:
            while chunk := await content.readany():
                size += len(chunk)
                if size > self._max_bytes:
                    raise too_large(self._host, self._max_bytes)
                yield chunk
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _failure_of_body(error, self._host) from error

    def _is_encoded(self) -> bool:
        return "Content-Encoding" in self._response.headers

    def close(self) -> None:
        """Returns the connection to the pool if the body was read to its end; otherwise
        closes it.
        """
        self._response.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class OutboundSession:
    """Sends requests, either all encrypted or none: a plain connection may reach fewer addresses,
    and the resolver is not passed the scheme.
    """

    def __init__(self, connector: GuardedConnector, *, max_response_bytes: int) -> None:
        self.connector = connector
        self._max_response_bytes = max_response_bytes
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=UNCOMPRESSED,
            auto_decompress=True,
        )

    async def send(
        self,
        method: str,
        target: tuple[UrlTarget, URL],
        *,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: float,
    ) -> OutboundResponse:
        """Returns once the headers have arrived. Raises OutboundFailed."""
        host, address = target[0].host, target[1]
        try:
            response = await self._session.request(
                method,
                address,
                data=body,
                headers=headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(
                    total=timeout_seconds, sock_connect=CONNECT_TIMEOUT_SECONDS
                ),
            )
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise failure_of(error, host) from error
        return OutboundResponse(response, host=host, max_bytes=self._max_response_bytes)

    async def close(self) -> None:
        await self._session.close()


def _failure_of_body(error: Exception, host: str) -> OutboundFailed:
    """Once the headers have arrived, even a TLS error means that the answer was cut off."""
    if isinstance(error, TimeoutError):
        return failure_of(error, host)
    return outbound_failure(OutboundFault.BROKEN, host)


def failure_of(error: Exception, host: str) -> OutboundFailed:
    """Translates aiohttp's exceptions to OutboundFailed."""
    for reason in (error, error.__cause__, getattr(error, "os_error", None)):
        if isinstance(reason, AddressRefused):
            return OutboundFailed(OutboundFault.REFUSED, str(reason))
    for kinds, fault in (
        (aiohttp.ConnectionTimeoutError, OutboundFault.CONNECT_TIMEOUT),
        (TimeoutError, OutboundFault.TIMEOUT),
        (aiohttp.ClientConnectorDNSError, OutboundFault.DNS),
        ((aiohttp.ClientSSLError, ssl.SSLError), OutboundFault.TLS),
        (aiohttp.ClientConnectorError, OutboundFault.CONNECT),
        ((aiohttp.InvalidURL, ValueError), OutboundFault.REFUSED),
    ):
        if isinstance(error, kinds):
            return outbound_failure(fault, host)
    return outbound_failure(OutboundFault.BROKEN, host)
