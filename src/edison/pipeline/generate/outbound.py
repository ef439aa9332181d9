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
    check_address,
    check_name,
    check_url,
)
from edison.pipeline.generate.fault import Fault, OutboundFailed

if TYPE_CHECKING:
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import AddrInfoType, Connection
    from aiohttp.tracing import Trace

CONNECT_TIMEOUT_SECONDS = 10
MAX_RESPONSE_BYTES = 32 * 1024 * 1024
KEEPALIVE_SECONDS = 30
PRINTABLE = re.compile(r"[!-~]+")


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
                    raise OutboundFailed(
                        Fault.TOO_LARGE,
                        f"The answer of {self._host} is larger than {self._max_bytes:,} bytes.",
                    )
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
        try:
            target = check_url(url, self._policy)
            # Sent unchanged where that is safe: signatures cover the exact path.
            address = URL(url, encoded=bool(PRINTABLE.fullmatch(url)))
        except AddressRefused as refused:
            raise OutboundFailed(Fault.REFUSED, str(refused)) from refused
        except ValueError as error:
            raise OutboundFailed(Fault.REFUSED, "The address is not a valid URL.") from error
        host = target.host
        if (address.raw_host or "").lower() != host:
            raise OutboundFailed(Fault.REFUSED, "The address can be read in two ways.")
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
            raise failure_of(error, host) from error
        return OutboundResponse(response, host=host, max_bytes=self._max_response_bytes)

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
                # A small compressed answer can expand enormously; an uncompressed one is easy to
                # limit.
                headers={"Accept-Encoding": "identity"},
                auto_decompress=True,
            )
            self._sessions[is_encrypted] = session
        return session

    async def close(self) -> None:
        sessions = list(self._sessions.values())
        self._sessions.clear()
        for session in sessions:
            await session.close()


def _failure_of_body(error: Exception, host: str) -> OutboundFailed:
    """Once the headers have arrived, even a TLS error means that the answer was cut off."""
    if isinstance(error, TimeoutError):
        return failure_of(error, host)
    return OutboundFailed(Fault.BROKEN, f"{host} broke off the connection in the middle.")


def failure_of(error: Exception, host: str) -> OutboundFailed:
    """Translates aiohttp's exceptions to OutboundFailed."""
    for reason in (error, error.__cause__, getattr(error, "os_error", None)):
        if isinstance(reason, AddressRefused):
            return OutboundFailed(Fault.REFUSED, str(reason))
    for kinds, fault, sentence in (
        (
            (aiohttp.ConnectionTimeoutError,),
            Fault.CONNECT_TIMEOUT,
            f"{host} does not accept connections in time. Check the address.",
        ),
        ((TimeoutError,), Fault.TIMEOUT, f"{host} did not answer in time."),
        (
            (aiohttp.ClientConnectorDNSError,),
            Fault.DNS,
            f"The name {host} cannot be found. Check the address.",
        ),
        (
            (aiohttp.ClientSSLError, ssl.SSLError),
            Fault.TLS,
            f"No secure connection to {host} is possible: its certificate or protocol is not "
            "accepted.",
        ),
        (
            (aiohttp.ClientConnectorError,),
            Fault.CONNECT,
            f"{host} cannot be reached. Check the address and whether the server is running.",
        ),
        (
            (aiohttp.InvalidURL, ValueError),
            Fault.REFUSED,
            f"The request to {host} cannot be sent: the address or a header is not valid.",
        ),
    ):
        if isinstance(error, kinds):
            return OutboundFailed(fault, sentence)
    return OutboundFailed(Fault.BROKEN, f"{host} broke off the connection in the middle.")
