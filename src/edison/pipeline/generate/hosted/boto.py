"""Bedrock clients whose requests go through Edison's guarded HTTP client.

Imports a vendor library, so import this module on use. That library is synchronous: a request made
in a thread is passed to the event loop, and the thread waits for its result.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

import anyio.to_thread
import boto3  # type: ignore[import-untyped]  # no type stubs
import botocore  # type: ignore[import-untyped]  # no type stubs
from botocore.awsrequest import AWSPreparedRequest, AWSResponse  # type: ignore[import-untyped]  # no type stubs
from botocore.config import Config  # type: ignore[import-untyped]  # no type stubs

from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.hosted.exchange import Exchange, current
from edison.pipeline.generate.outbound import OutboundClient
from edison.pipeline.generate.outbound_session import OutboundResponse

Result = TypeVar("Result")
# Each call in progress holds a thread; the default of 40 would be a hidden limit.
THREADS = 256


class GuardedSender:
    """Handles botocore's `before-send` event, so that botocore never opens a connection itself."""

    def __init__(
        self,
        client: Callable[[], OutboundClient],
        loop: asyncio.AbstractEventLoop,
        bearer: str | None,
    ) -> None:
        self._client = client
        self._loop = loop
        self._bearer = bearer

    def __call__(self, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        exchange = current.get()
        body = request.body
        exchange.sent = body.encode() if isinstance(body, str) else bytes(body or b"")
        headers = {
            name: value.decode() if isinstance(value, bytes) else str(value)
            for name, value in request.headers.items()
        }
        if self._bearer is not None:
            headers["Authorization"] = f"Bearer {self._bearer}"
        response = self._wait(
            exchange,
            self._client().send(
                request.method,
                request.url,
                headers=headers,
                body=exchange.sent,
                timeout_seconds=exchange.remaining_seconds(),
            ),
        )
        exchange.status, exchange.headers = response.status, response.headers
        raw = _BotoBody(self, exchange, response)
        return AWSResponse(request.url, response.status, dict(response.headers), raw)

    def _wait(self, exchange: Exchange, work: Coroutine[Any, Any, Result]) -> Result:
        pending = asyncio.run_coroutine_threadsafe(work, self._loop)
        exchange.pending = pending
        try:
            return pending.result()
        except OutboundFailed as fault:
            exchange.fault = fault
            raise


class _BotoBody:
    """The part of urllib3's response that botocore uses."""

    def __init__(
        self, sender: GuardedSender, exchange: Exchange, response: OutboundResponse
    ) -> None:
        self._sender = sender
        self._exchange = exchange
        self._response = response
        self._chunks: AsyncIterator[bytes] = response.chunks()

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        while chunk := self._sender._wait(self._exchange, self._next()):
            self._exchange.note_body(chunk)
            yield chunk

    def read(self, *_: object, **__: object) -> bytes:
        return b"".join(self.stream())

    def close(self) -> None:
        self._sender._loop.call_soon_threadsafe(self._response.close)

    async def _next(self) -> bytes:
        try:
            return await anext(self._chunks, b"")
        except BaseException:
            # botocore does not close a response that fails while it is read.
            self._response.close()
            raise


def make_client(
    service: str,
    *,
    region: str,
    endpoint_url: str | None,
    keys: dict[str, str],
    bearer: str | None,
    sender: GuardedSender,
) -> Any:
    """Creates a client of one service, without retries."""
    config = Config(
        retries={"total_max_attempts": 1, "mode": "standard"},
        signature_version=botocore.UNSIGNED if bearer else None,
        # Not used for connections, but would otherwise be read from the environment.
        ignore_configured_endpoint_urls=True,
    )
    client = boto3.Session(region_name=region, **keys).client(
        service, config=config, endpoint_url=endpoint_url
    )
    client.meta.events.register(f"before-send.{service}.*", sender)
    return client


def widen_threads() -> None:
    """Must be called in the event loop: the limit belongs to it."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = max(limiter.total_tokens, THREADS)
