"""Sends the requests of vendor libraries through Edison's guarded HTTP client.

Imports a vendor library, so import this module on use. Vendor libraries never see a secret: the
authentication headers are added here, just before sending.
"""

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2

from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.hosted.exchange import Exchange, current
from edison.pipeline.generate.outbound import OutboundClient
from edison.pipeline.generate.outbound_session import OutboundResponse

Authorize = Callable[[float], Awaitable[dict[str, str]]]
AUTHENTICATION_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "x-goog-api-key"})
# Set by the guarded client and by HTTP itself.
HOP_HEADERS = frozenset({"host", "content-length", "connection", "accept-encoding"})


class GuardedTransport(httpx2.AsyncBaseTransport):
    def __init__(self, client: Callable[[], OutboundClient], authorize: Authorize) -> None:
        self._client = client
        self._authorize = authorize

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        exchange = current.get()
        exchange.sent = await request.aread()
        headers = {
            name: value
            for name, value in request.headers.items()
            if name not in AUTHENTICATION_HEADERS | HOP_HEADERS
        }
        try:
            headers.update(await self._authorize(exchange.remaining_seconds()))
            response = await self._client().send(
                request.method,
                str(request.url),
                headers=headers,
                body=exchange.sent,
                timeout_seconds=exchange.remaining_seconds(),
            )
        except UnusableCredential as refused:
            exchange.refused = refused
            raise httpx2.ConnectError("unusable credential", request=request) from None
        except OutboundFailed as fault:
            exchange.fault = fault
            raise _translated(fault, request) from fault
        exchange.status, exchange.headers = response.status, response.headers
        kept = [(k, v) for k, v in response.raw_headers if k.lower() != b"content-encoding"]
        return httpx2.Response(
            response.status, headers=kept, stream=_Body(response, exchange, request)
        )


class _Body(httpx2.AsyncByteStream):
    def __init__(
        self, response: OutboundResponse, exchange: Exchange, request: httpx2.Request
    ) -> None:
        self._response = response
        self._exchange = exchange
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.chunks():
                self._exchange.note_body(chunk)
                yield chunk
        except OutboundFailed as fault:
            self._exchange.fault = fault
            raise _translated(fault, self._request) from fault

    async def aclose(self) -> None:
        self._response.close()


def _translated(fault: OutboundFailed, request: httpx2.Request) -> httpx2.TransportError:
    """The exception that the library expects. The exchange keeps Edison's own error."""
    if fault.fault is OutboundFault.TIMEOUT:
        return httpx2.ReadTimeout(fault.fault.value, request=request)
    if fault.fault in {OutboundFault.BROKEN, OutboundFault.TOO_LARGE}:
        return httpx2.ReadError(fault.fault.value, request=request)
    return httpx2.ConnectError(fault.fault.value, request=request)


def guarded_http_client(
    client: Callable[[], OutboundClient], authorize: Authorize
) -> httpx2.AsyncClient:
    # The exchange enforces the timeout. The number is here because libraries warn without one.
    return httpx2.AsyncClient(
        transport=GuardedTransport(client, authorize),
        timeout=httpx2.Timeout(3600),
        follow_redirects=False,
        trust_env=False,
    )
