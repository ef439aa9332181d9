"""Guarded HTTP client for addresses that users enter.

A host name is resolved once, all its addresses are checked, and the connection goes to exactly
those addresses, so DNS rebinding has no effect. Each address is checked again when its socket is
opened, and the peer of a connection before a request is written to it. Redirects are not followed,
answers are limited in size, and one total deadline covers everything from DNS to the last byte.
"""

import re
import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from yarl import URL

from edison.pipeline.generate.addresses import (
    AddressRefused,
    NetworkPolicy,
    UrlTarget,
    check_url,
)
from edison.pipeline.generate.connection_pool import (
    ConnectionPool,
    Endpoint,
    Exchange,
)
from edison.pipeline.generate.fault import (
    OutboundFailed,
    OutboundFault,
    outbound_failure,
)
from edison.pipeline.generate.http_connection import OnEnding, WholeAnswer
from edison.pipeline.generate.resolver import CheckedResolver, Resolver, SystemResolver

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound_session import OutboundResponse, OutboundSession

MAX_RESPONSE_BYTES = 32 * 1024 * 1024
PRINTABLE = re.compile(r"[!-~]+")
ONE_LINE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
ALWAYS_SENT = ("Accept: */*", "Accept-Encoding: identity", "User-Agent: edison")


class RequestHead(NamedTuple):
    """What requests to one address have in common: where they go, and their bytes up to the
    length of the body.
    """

    endpoint: Endpoint
    text: bytes


class OutboundClient:
    """Sends requests within a network policy. Pools connections; close it after use."""

    def __init__(
        self,
        policy: NetworkPolicy,
        *,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        resolver: Resolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._max_response_bytes = max_response_bytes
        self._resolver = resolver or SystemResolver()
        self._tls = tls
        self._sessions: dict[bool, OutboundSession] = {}
        self._pool: ConnectionPool | None = None

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout_seconds: float,
    ) -> "OutboundResponse":
        """Sends a request and returns once the headers have arrived, whatever the status. Raises
        OutboundFailed when there is no answer.
        """
        target = self._read_address(url)
        session = self._session(target[0].is_encrypted)
        return await session.send(
            method, target, headers=headers, body=body, timeout_seconds=timeout_seconds
        )

    def head(self, method: str, url: str, headers: Mapping[str, str]) -> RequestHead:
        """For `fetch` and `begin` of this client, any number of times. Raises OutboundFailed when
        the address or a header is not allowed.
        """
        target, address = self._read_address(url)
        lines = [f"{method} {address.raw_path_qs} HTTP/1.1"]
        lines += [f"Host: {address.host_port_subcomponent}", *ALWAYS_SENT]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if not all(map(ONE_LINE.fullmatch, lines)):
            raise outbound_failure(OutboundFault.REFUSED, target.host)
        port = address.port or (443 if target.is_encrypted else 80)
        return RequestHead(
            Endpoint(target.host, port, target.is_encrypted),
            "".join(f"{line}\r\n" for line in lines).encode(),
        )

    async def fetch(
        self, head: RequestHead, body: bytes | None = None, *, timeout_seconds: float
    ) -> WholeAnswer:
        """Sends a request and waits for the whole answer, whatever the status. Raises
        OutboundFailed when there is none. Takes about a sixth of the CPU of `send`.
        """
        if self._pool is None:
            self._pool = ConnectionPool(
                self._policy,
                {
                    is_encrypted: CheckedResolver(
                        self._resolver, self._policy, is_encrypted=is_encrypted
                    )
                    for is_encrypted in (False, True)
                },
                max_response_bytes=self._max_response_bytes,
                tls=self._tls,
            )
        return await self._pool.exchange(
            head.endpoint, _whole_request(head, body), timeout_seconds=timeout_seconds
        )

    def begin(
        self, head: RequestHead, body: bytes, on_ending: OnEnding, *, timeout_seconds: float
    ) -> Exchange | None:
        """`fetch` without a task, if a connection is open that is not in use. Otherwise nothing was
        sent.
        """
        if self._pool is None:
            return None
        return self._pool.begin(
            head.endpoint, _whole_request(head, body), on_ending, timeout_seconds=timeout_seconds
        )

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

    def _session(self, is_encrypted: bool) -> "OutboundSession":
        # aiohttp takes a fifth of a second to import, and whole answers do without it.
        from edison.pipeline.generate.outbound_session import (  # noqa: PLC0415
            GuardedConnector,
            OutboundSession,
        )

        session = self._sessions.get(is_encrypted)
        if session is None:
            connector = GuardedConnector(
                self._resolver, self._policy, is_encrypted=is_encrypted, tls=self._tls
            )
            session = self._sessions[is_encrypted] = OutboundSession(
                connector, max_response_bytes=self._max_response_bytes
            )
        return session

    async def close(self) -> None:
        sessions = list(self._sessions.values())
        self._sessions.clear()
        for session in sessions:
            await session.close()
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()


def _whole_request(head: RequestHead, body: bytes | None) -> bytes:
    if body is None:
        return head.text + b"\r\n"
    return b"%bContent-Length: %d\r\n\r\n%b" % (head.text, len(body), body)
