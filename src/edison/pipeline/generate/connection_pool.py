"""Opens connections to allowed addresses and keeps them for the next request.

As in `outbound`: a name is resolved once, every address is checked before its socket is opened, and
the peer of a connection before anything is written to it.
"""

import asyncio
import socket
import ssl
from collections import defaultdict, deque
from dataclasses import field
from functools import cache, partial
from ipaddress import ip_address
from typing import NamedTuple

import aiohappyeyeballs

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.addresses import AddressRefused, NetworkPolicy, check_address
from edison.pipeline.generate.deadlines import Deadlines
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault, outbound_failure
from edison.pipeline.generate.http_connection import (
    Ending,
    HttpConnection,
    OnEnding,
    WholeAnswer,
)
from edison.pipeline.generate.resolver import CheckedResolver

CONNECT_TIMEOUT_SECONDS = 10
KEEPALIVE_SECONDS = 30
# Many connections are opened at once, and one lookup serves them all, also one that failed.
RESOLVED_SECONDS = 10.0
NOT_RESOLVED_SECONDS = 1.0
# After this, the next address of a name is tried beside the first (RFC 8305).
NEXT_ADDRESS_SECONDS = 0.25


class Endpoint(NamedTuple):
    """Where a connection leads. `host` is in lower case, IPv6 addresses without brackets."""

    host: str
    port: int
    is_encrypted: bool


AddressInfo = tuple[int, int, int, str, tuple[str, int]]


@dataclass(slots=True)
class _KeptConnection:
    """What is known of an endpoint: connections without a request, the addresses of its name."""

    idle: deque[HttpConnection] = field(default_factory=deque)
    resolving: asyncio.Lock = field(default_factory=asyncio.Lock)
    resolved: list[AddressInfo] | OutboundFailed | None = None
    resolved_until: float = 0.0


class Exchange:
    """A request and its answer on a connection of the pool, which it returns at its end."""

    __slots__ = ("_connection", "_endpoint", "_on_ending", "_pool")

    def __init__(
        self,
        pool: "ConnectionPool",
        endpoint: Endpoint,
        connection: HttpConnection,
        on_ending: OnEnding,
    ) -> None:
        self._pool = pool
        self._endpoint = endpoint
        self._connection = connection
        self._on_ending: OnEnding | None = on_ending

    def start(self, request: bytes, deadline: float) -> None:
        self._pool.deadlines.set(self, deadline)
        self._connection.ask(request, self._end)

    def expire(self) -> None:
        self._connection.expire()

    def abort(self) -> bool:
        """Breaks off the request, and does not call back. False if it has just ended."""
        if self._on_ending is None:
            return False
        self._connection.abort()
        self._close()
        return True

    def _end(self, ending: Ending) -> None:
        on_ending = self._on_ending
        if on_ending is not None:
            self._close()
            on_ending(ending)

    def _close(self) -> None:
        self._on_ending = None
        self._pool.deadlines.clear(self)
        self._pool.give_back(self._endpoint, self._connection)


class ConnectionPool:
    """Close it after use. The number of connections is up to the callers."""

    def __init__(
        self,
        policy: NetworkPolicy,
        resolvers: dict[bool, CheckedResolver],
        *,
        max_response_bytes: int,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._policy = policy
        self._resolvers = resolvers
        self._max_response_bytes = max_response_bytes
        self._tls = tls
        self.deadlines = Deadlines()
        self._kept: defaultdict[Endpoint, _KeptConnection] = defaultdict(_KeptConnection)
        self._open: set[HttpConnection] = set()
        self._sweeper: asyncio.TimerHandle | None = None

    async def exchange(
        self, endpoint: Endpoint, request: bytes, *, timeout_seconds: float
    ) -> WholeAnswer:
        """Sends a request and waits for the whole answer. Raises OutboundFailed."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_seconds
        connection = self._take(endpoint, loop.time())
        if connection is None:
            connection = await self._connect(endpoint, deadline)
        ended: asyncio.Future[Ending] = loop.create_future()
        exchange = Exchange(self, endpoint, connection, partial(_resolve, ended))
        exchange.start(request, deadline)
        try:
            ending = await ended
        except asyncio.CancelledError:
            exchange.abort()
            raise
        if isinstance(ending, OutboundFailed):
            raise ending
        return ending

    def begin(
        self, endpoint: Endpoint, request: bytes, on_ending: OnEnding, *, timeout_seconds: float
    ) -> "Exchange | None":
        """Sends a request if a connection is open that is not in use."""
        now = asyncio.get_running_loop().time()
        connection = self._take(endpoint, now)
        if connection is None:
            return None
        exchange = Exchange(self, endpoint, connection, on_ending)
        exchange.start(request, now + timeout_seconds)
        return exchange

    async def close(self) -> None:
        for connection in self._open:
            connection.abort()
        self._open.clear()
        self._kept.clear()
        self.deadlines.close()
        if self._sweeper is not None:
            self._sweeper.cancel()
            self._sweeper = None
        # Transports tell their protocols in the next step of the loop.
        await asyncio.sleep(0)

    def _take(self, endpoint: Endpoint, now: float) -> HttpConnection | None:
        """The connection that was used last: the others may expire."""
        kept = self._kept[endpoint]
        while kept.idle:
            connection = kept.idle.pop()
            if connection.is_open and now - connection.idle_since < KEEPALIVE_SECONDS:
                return connection
            self._drop(connection)
        return None

    def give_back(self, endpoint: Endpoint, connection: HttpConnection) -> None:
        kept = self._kept.get(endpoint)
        if not connection.is_open or kept is None:
            self._drop(connection)
            return
        connection.idle_since = asyncio.get_running_loop().time()
        kept.idle.append(connection)
        if self._sweeper is None:
            self._sweep_later()

    def _sweep_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeper = loop.call_later(KEEPALIVE_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """Closes connections that have waited long enough."""
        oldest = asyncio.get_running_loop().time() - KEEPALIVE_SECONDS
        for kept in self._kept.values():
            while kept.idle and (kept.idle[0].idle_since <= oldest or not kept.idle[0].is_open):
                self._drop(kept.idle.popleft())
        self._sweeper = None
        if any(kept.idle for kept in self._kept.values()):
            self._sweep_later()

    def _drop(self, connection: HttpConnection) -> None:
        connection.abort()
        self._open.discard(connection)

    async def _connect(self, endpoint: Endpoint, deadline: float) -> HttpConnection:
        """Raises OutboundFailed. Nothing was sent then, whatever the reason."""
        loop = asyncio.get_running_loop()
        until = min(deadline, loop.time() + CONNECT_TIMEOUT_SECONDS)
        host = endpoint.host
        try:
            async with asyncio.timeout_at(until):
                addresses = await self._resolve(endpoint)
                connection = await self._open_one(endpoint, addresses)
        except AddressRefused as refused:
            raise OutboundFailed(OutboundFault.REFUSED, str(refused)) from refused
        except TimeoutError as error:
            raise outbound_failure(OutboundFault.CONNECT_TIMEOUT, host) from error
        except ssl.SSLError as error:
            raise outbound_failure(OutboundFault.TLS, host) from error
        except OSError as error:
            raise outbound_failure(OutboundFault.CONNECT, host) from error
        self._open.add(connection)
        return connection

    async def _open_one(self, endpoint: Endpoint, addresses: list[AddressInfo]) -> HttpConnection:
        loop = asyncio.get_running_loop()

        def open_socket(address: AddressInfo) -> socket.socket:
            self._check(address[4][0], endpoint)
            return socket.socket(address[0], address[1], address[2])

        opened = await aiohappyeyeballs.start_connection(
            addr_infos=addresses,
            happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
            interleave=1,
            loop=loop,
            socket_factory=open_socket,
        )
        try:
            self._check(opened.getpeername()[0], endpoint)
            _, connection = await loop.create_connection(
                lambda: HttpConnection(endpoint.host, max_bytes=self._max_response_bytes),
                sock=opened,
                ssl=(self._tls or _verifying()) if endpoint.is_encrypted else None,
                server_hostname=endpoint.host.rstrip(".") if endpoint.is_encrypted else None,
            )
        except BaseException:
            opened.close()
            raise
        return connection

    def _check(self, address: str, endpoint: Endpoint) -> None:
        check_address(address, self._policy, is_encrypted=endpoint.is_encrypted)

    async def _resolve(self, endpoint: Endpoint) -> list[AddressInfo]:
        kept = self._kept[endpoint]
        now = asyncio.get_running_loop().time
        async with kept.resolving:
            if kept.resolved is None or now() >= kept.resolved_until:
                try:
                    kept.resolved = await self._look_up(endpoint)
                    kept.resolved_until = now() + RESOLVED_SECONDS
                except OutboundFailed as failed:
                    kept.resolved = failed
                    kept.resolved_until = now() + NOT_RESOLVED_SECONDS
        if isinstance(kept.resolved, OutboundFailed):
            raise OutboundFailed(kept.resolved.fault, str(kept.resolved))
        return kept.resolved

    async def _look_up(self, endpoint: Endpoint) -> list[AddressInfo]:
        literal = _literal(endpoint.host)
        if literal is not None:
            return [(literal, socket.SOCK_STREAM, 0, "", (endpoint.host, endpoint.port))]
        resolver = self._resolvers[endpoint.is_encrypted]
        try:
            found = await resolver.resolve(endpoint.host, endpoint.port, socket.AF_UNSPEC)
        except AddressRefused as refused:
            raise OutboundFailed(OutboundFault.REFUSED, str(refused)) from refused
        except OSError as error:
            raise outbound_failure(OutboundFault.DNS, endpoint.host) from error
        return [
            (each["family"], socket.SOCK_STREAM, each["proto"], "", (each["host"], each["port"]))
            for each in found
        ]


def _resolve(ended: "asyncio.Future[Ending]", ending: Ending) -> None:
    """Nothing to do for a caller that was cancelled at this moment."""
    if not ended.done():
        ended.set_result(ending)


def _literal(host: str) -> int | None:
    """The family of an address that needs no lookup."""
    try:
        parsed = ip_address(host)
    except ValueError:
        return None
    return socket.AF_INET if parsed.version == 4 else socket.AF_INET6


@cache
def _verifying() -> ssl.SSLContext:
    return ssl.create_default_context()
