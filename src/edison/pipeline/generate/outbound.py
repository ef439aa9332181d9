"""Guarded HTTP client for addresses that users enter.

A host name is resolved once, all its addresses are checked, and the connection goes to exactly
those addresses, so DNS rebinding has no effect. Each address is checked again when its socket is
opened, and the peer of a connection before a request is written to it. Redirects are not followed,
answers are limited in size, and one total deadline covers everything from DNS to the last byte.
"""

import re
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
    check_name,
    check_url,
)
from edison.pipeline.generate.connection_pool import (
    CONNECT_TIMEOUT_SECONDS,
    KEEPALIVE_SECONDS,
    ConnectionPool,
    Endpoint,
)
from edison.pipeline.generate.fault import (
    OutboundFailed,
    OutboundFault,
    outbound_failure,
    too_large,
)
from edison.pipeline.generate.http_connection import WholeAnswer

if TYPE_CHECKING:
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import AddrInfoType, Connection
    from aiohttp.tracing import Trace

MAX_RESPONSE_BYTES = 32 * 1024 * 1024
PRINTABLE = re.compile(r"[!-~]+")
ONE_LINE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
# A small compressed answer can expand enormously; an uncompressed one is easy to limit.
UNCOMPRESSED = {"Accept-Encoding": "identity"}
ALWAYS_SENT = ("Accept: */*", "Accept-Encoding: identity", "User-Agent: edison")
# Requests to the same addresses differ in their keys, if at all.
MAX_HEADS = 64


class CheckedResolver(AbstractResolver):
    """Resolves only to allowed addresses; a single forbidden address rejects the whole name."""

    def __init__(
        self, inner: AbstractResolver, policy: NetworkPolicy, *, is_encrypted: bool
    ) -> None:
        self._inner = inner
        self._policy = policy
        self._is_encrypted = is_encrypted

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        check_name(host)
        found = await self._inner.resolve(host, port, family)  # type: ignore[arg-type]  # aiohttp declares an enum, but its connector passes an int
        for each in found:
            check_address(each["host"], self._policy, is_encrypted=self._is_encrypted)
        return found

    async def close(self) -> None:
        await self._inner.close()


class GuardedConnector(aiohttp.TCPConnector):
    """Opens sockets only to allowed addresses, resolved or literal, and returns connections only to
    allowed peers.
    """

    def __init__(
        self,
        resolver: AbstractResolver,
        policy: NetworkPolicy,
        *,
        is_encrypted: bool,
        tls: ssl.SSLContext | None,
    ) -> None:
        super().__init__(
            resolver=CheckedResolver(resolver, policy, is_encrypted=is_encrypted),
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


class OutboundClient:
    """Sends requests within a network policy. Pools connections; close it after use."""

    def __init__(
        self,
        policy: NetworkPolicy,
        *,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._max_response_bytes = max_response_bytes
        self._resolver = resolver
        self._tls = tls
        # Two sessions, because a plain connection may reach fewer addresses than an encrypted one,
        # and the resolver is not passed the scheme.
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        self._pool: ConnectionPool | None = None
        self._heads: dict[tuple[str, str, tuple[tuple[str, str], ...]], tuple[Endpoint, bytes]] = {}

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout_seconds: float,
    ) -> OutboundResponse:
        """Sends a request and returns once the headers have arrived, whatever the status. Raises
        OutboundFailed when there is no answer.
        """
        target, address = self._read_address(url)
        try:
            response = await self._session(target.is_encrypted).request(
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
            raise failure_of(error, target.host) from error
        return OutboundResponse(response, host=target.host, max_bytes=self._max_response_bytes)

    async def fetch(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout_seconds: float,
    ) -> WholeAnswer:
        """Sends a request and waits for the whole answer, whatever the status. Raises
        OutboundFailed when there is none. Takes about a sixth of the CPU of `send`.
        """
        endpoint, head = self._write_head(method, url, tuple(headers.items()))
        rest = b"\r\n" if body is None else b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        if self._pool is None:
            inner = self._resolver or aiohttp.ThreadedResolver()
            self._pool = ConnectionPool(
                self._policy,
                {
                    is_encrypted: CheckedResolver(inner, self._policy, is_encrypted=is_encrypted)
                    for is_encrypted in (False, True)
                },
                max_response_bytes=self._max_response_bytes,
                tls=self._tls,
            )
        return await self._pool.exchange(endpoint, head + rest, timeout_seconds=timeout_seconds)

    def _write_head(
        self, method: str, url: str, headers: tuple[tuple[str, str], ...]
    ) -> tuple[Endpoint, bytes]:
        """The request up to its length, which the same few requests share."""
        known = self._heads.get((method, url, headers))
        if known is not None:
            return known
        target, address = self._read_address(url)
        lines = [f"{method} {address.raw_path_qs} HTTP/1.1"]
        lines += [f"Host: {address.host_port_subcomponent}", *ALWAYS_SENT]
        lines += [f"{name}: {value}" for name, value in headers]
        if not all(map(ONE_LINE.fullmatch, lines)):
            raise outbound_failure(OutboundFault.REFUSED, target.host)
        port = address.port or (443 if target.is_encrypted else 80)
        endpoint = Endpoint(target.host, port, target.is_encrypted)
        if len(self._heads) >= MAX_HEADS:
            self._heads.clear()
        written = endpoint, "".join(f"{line}\r\n" for line in lines).encode()
        self._heads[method, url, headers] = written
        return written

    def _read_address(self, url: str) -> tuple[UrlTarget, URL]:
        try:
            target = check_url(url, self._policy)
            # Sent unchanged where that is safe: signatures cover the exact path.
            address = URL(url, encoded=bool(PRINTABLE.fullmatch(url)))
        except AddressRefused as refused:
            raise OutboundFailed(OutboundFault.REFUSED, str(refused)) from refused
        except ValueError as error:
            raise OutboundFailed(
                OutboundFault.REFUSED, "The address is not a valid URL."
            ) from error
        if (address.raw_host or "").lower() != target.host:
            raise OutboundFailed(OutboundFault.REFUSED, "The address can be read in two ways.")
        return target, address

    def _session(self, is_encrypted: bool) -> aiohttp.ClientSession:
        session = self._sessions.get(is_encrypted)
        if session is None:
            connector = GuardedConnector(
                self._resolver or aiohttp.ThreadedResolver(),
                self._policy,
                is_encrypted=is_encrypted,
                tls=self._tls,
            )
            session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=UNCOMPRESSED,
                auto_decompress=True,
            )
            self._sessions[is_encrypted] = session
        return session

    async def close(self) -> None:
        sessions = list(self._sessions.values())
        self._sessions.clear()
        for session in sessions:
            await session.close()
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()


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
