"""A provider that bills: an HTTP server that speaks a provider's protocol, fails as configured, and
counts what it would put on the invoice.

Every accepted request is billed for the words of its prompt and for all tokens it produced, whether
or not they arrived. Tokens are short, so that few bytes hold many of them. Requests refused with a
4xx, or with a 5xx that says so, are not billed.
"""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tests.fake_providers.billing_dialects import NO_USAGE, Dialect

HOLD_SECONDS = 30.0
DRIP_SECONDS = 0.02


class Kind(StrEnum):
    """How the provider behaves."""

    WHOLE = "whole"
    NO_USAGE = "no usage"
    USAGE_NULL = "usage is null"
    USAGE_TEXT = "usage is a text"
    USAGE_NEGATIVE = "negative usage"
    USAGE_ZERO = "zero usage"
    USAGE_HUGE = "huge usage"
    USAGE_FRACTION_OF_INFINITY = "usage beyond numbers"
    EMPTY_BODY = "200 with empty body"
    INVALID_JSON = "200 with invalid JSON"
    TRUNCATED_JSON = "200 with truncated JSON"
    WRONG_SHAPE = "200 with another document"
    NO_CHOICES = "200 with usage but no choices"
    WEB_PAGE = "200 with a web page"
    WRONG_CONTENT_TYPE = "200 with the wrong content type"
    NOT_UTF8 = "200 in the wrong encoding"
    BROKEN_GZIP = "200 that claims to be gzip"
    CLOSED_IN_BODY = "closed in the middle of the body"
    RESET_IN_BODY = "reset in the middle of the body"
    BROKEN_CHUNKS = "broken chunked encoding"
    CLOSED_AFTER_HEAD = "closed after the head"
    CLOSED_BEFORE_HEAD = "closed before the head"
    GARBAGE_HEAD = "not HTTP"
    ERROR_AFTER_TOKENS = "an error after tokens"
    ERROR_IN_200 = "an error in a 200"
    TIMEOUT_BEFORE_HEAD = "silent before the head"
    TIMEOUT_AFTER_HEAD = "silent after the head"
    SLOW_DRIP = "drips past the deadline"
    TOO_LARGE = "an oversized body"
    PARTIAL_5XX = "5xx with a partial body"
    LOST_GATEWAY = "a gateway that lost the server"
    GATEWAY_TIMEOUT = "a gateway that timed out"
    REFUSED_400 = "400"
    REFUSED_401 = "401"
    REFUSED_429 = "429"
    FAILED_500 = "500"
    OVERLOADED_529 = "529"


REFUSALS = {
    Kind.REFUSED_400: 400,
    Kind.REFUSED_401: 401,
    Kind.REFUSED_429: 429,
    Kind.FAILED_500: 500,
    Kind.OVERLOADED_529: 529,
}
# The provider's final count reaches the client, so the ledger must show exactly that.
COUNTED = frozenset({Kind.WHOLE, Kind.NO_CHOICES, Kind.WRONG_CONTENT_TYPE})
SLOW = frozenset({Kind.TIMEOUT_BEFORE_HEAD, Kind.TIMEOUT_AFTER_HEAD, Kind.SLOW_DRIP})
SILENT = frozenset({Kind.TIMEOUT_BEFORE_HEAD, Kind.CLOSED_BEFORE_HEAD, Kind.TIMEOUT_AFTER_HEAD})
# What is reported as the number of input and of output tokens.
NONSENSE: dict[Kind, tuple[Any, Any]] = {
    Kind.USAGE_TEXT: ("many", "few"),
    Kind.USAGE_NEGATIVE: (-5, -1),
    Kind.USAGE_ZERO: (0, 0),
    Kind.USAGE_HUGE: (10**17, 10**17),
    Kind.USAGE_FRACTION_OF_INFINITY: (1e308, 1e308),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    kind: Kind
    is_streamed: bool
    input_tokens: int = 0
    output_tokens: int = 0


class BillingProvider:
    """`plan` is one kind per request; after the last, every request is answered whole."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.url = ""
        self.plan: list[Kind] = []
        self.produced_tokens = 1
        self.bills: list[Bill] = []
        self._asked = 0

    def begin(self, plan: list[Kind], *, produced_tokens: int) -> None:
        self.plan, self.produced_tokens = plan, produced_tokens
        self.bills, self._asked = [], 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path, content = await _read_request(reader)
        if path in self.dialect.unbilled:
            body = json.dumps(self.dialect.unbilled[path]).encode()
            writer.write(_head(200, "application/json", len(body)) + body)
            await writer.drain()
        else:
            await self._answer(path, json.loads(content), writer)

    async def _answer(self, path: str, body: Any, writer: asyncio.StreamWriter) -> None:
        kind = self.plan[self._asked] if self._asked < len(self.plan) else Kind.WHOLE
        self._asked += 1
        dialect = self.dialect
        is_streamed = dialect.is_streamed(path, body)
        if kind in REFUSALS:
            self.bills.append(Bill(kind=kind, is_streamed=is_streamed))
            writer.write(_refusal(REFUSALS[kind]))
            await writer.drain()
            return
        words = dialect.prompt_words(body)
        produced = min(self.produced_tokens, dialect.max_tokens(body) or self.produced_tokens)
        self.bills.append(
            Bill(kind=kind, is_streamed=is_streamed, input_tokens=words, output_tokens=produced)
        )
        texts = (["a", "b "] * produced)[:produced]
        usage = _usage(dialect, kind, words, produced)
        pieces = _pieces(dialect, kind, texts, usage, is_streamed=is_streamed)
        await _send(kind, _framed(dialect, kind, pieces, is_streamed=is_streamed), writer)


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    path = head.split(b" ")[1].partition(b"?")[0].decode()
    return path, await reader.readexactly(length)


def _usage(dialect: Dialect, kind: Kind, input_tokens: int, output_tokens: int) -> Any:
    if kind is Kind.NO_USAGE:
        return NO_USAGE
    if kind is Kind.USAGE_NULL:
        return None
    return dialect.usage_of(*NONSENSE.get(kind, (input_tokens, output_tokens)))


def _pieces(
    dialect: Dialect, kind: Kind, texts: list[str], usage: Any, *, is_streamed: bool
) -> list[bytes]:
    """The answer in the pieces that are sent; a non-streamed answer is one piece."""
    is_empty = kind is Kind.NO_CHOICES
    if is_streamed:
        empty = dialect.pieces_without_text
        return empty(usage) if is_empty else dialect.pieces(texts, usage)
    document = dialect.without_text(usage) if is_empty else dialect.whole("".join(texts), usage)
    return [json.dumps(document).encode()]


def _refusal(status: int) -> bytes:
    body = json.dumps({"error": {"message": "refused", "type": "refused"}}).encode()
    return _head(status, "application/json", len(body)) + body


def _head(status: int, content_type: str, length: int | None, *extra: str) -> bytes:
    framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    lines = [
        f"HTTP/1.1 {status} X",
        f"Content-Type: {content_type}",
        "Connection: close",
        framing,
        *extra,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _chunked(piece: bytes) -> bytes:
    return f"{len(piece):x}\r\n".encode() + piece + b"\r\n"


BODIES = {
    Kind.EMPTY_BODY: b"",
    Kind.INVALID_JSON: b"data: {oops\n\n",
    Kind.WRONG_SHAPE: b'{"choices": "none"}',
    Kind.WEB_PAGE: b"<html><body>Welcome</body></html>",
    Kind.NOT_UTF8: '{"choices": "Grüße"}'.encode("utf-16"),
    Kind.ERROR_IN_200: b'{"error": {"message": "died on the way", "code": 500}}',
    Kind.TOO_LARGE: b" " * 300_000,
}
STATUSES = {Kind.PARTIAL_5XX: 500, Kind.LOST_GATEWAY: 502, Kind.GATEWAY_TIMEOUT: 504}


def _framed(dialect: Dialect, kind: Kind, pieces: list[bytes], *, is_streamed: bool) -> bytes:
    """All bytes sent, up to the point of failure."""
    whole = b"".join(pieces)
    half = whole[: len(whole) // 2]
    # At least one token, if streamed.
    begun = b"".join(pieces[: (len(pieces) + 1) // 2])
    good = dialect.stream_type if is_streamed else "application/json"
    if kind in SILENT:
        return b"" if kind is not Kind.TIMEOUT_AFTER_HEAD else _head(200, good, len(whole))
    if kind in STATUSES:
        body = b"<html>Bad gateway" if STATUSES[kind] != 500 else b'{"error": {"mess'
        length = len(body) + (50 if kind is Kind.PARTIAL_5XX else 0)
        return _head(STATUSES[kind], "application/json", length) + body
    packed = gzip.compress(whole)[:20]
    error = dialect.error_piece()
    broken: dict[Kind, tuple[bytes, bytes]] = {
        Kind.GARBAGE_HEAD: (b"HELLO\r\n\r\n", b""),
        Kind.CLOSED_AFTER_HEAD: (_head(200, good, len(whole)), b""),
        Kind.SLOW_DRIP: (_head(200, good, 1_000_000), begun),
        Kind.CLOSED_IN_BODY: (_head(200, good, len(whole)), half),
        Kind.RESET_IN_BODY: (_head(200, good, len(whole)), half),
        Kind.TRUNCATED_JSON: (_head(200, good, len(half)), half),
        Kind.BROKEN_CHUNKS: (_head(200, good, None), _chunked(half) + b"zz\r\n"),
        Kind.BROKEN_GZIP: (_head(200, good, len(packed), "Content-Encoding: gzip"), packed),
        Kind.ERROR_AFTER_TOKENS: (
            _head(200, good, len(begun + error)),
            begun + error,
        ),
        Kind.WRONG_CONTENT_TYPE: (
            _head(200, f"{good}; charset=x" if is_streamed else "text/plain", len(whole)),
            whole,
        ),
        Kind.WEB_PAGE: (_head(200, "text/html", len(BODIES[Kind.WEB_PAGE])), BODIES[Kind.WEB_PAGE]),
    }
    body = BODIES.get(kind, whole)
    return b"".join(broken.get(kind, (_head(200, good, len(body)), body)))


async def _send(kind: Kind, framed: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(framed)
    await writer.drain()
    if kind in {Kind.TIMEOUT_BEFORE_HEAD, Kind.TIMEOUT_AFTER_HEAD}:
        await asyncio.sleep(HOLD_SECONDS)
    while kind is Kind.SLOW_DRIP and not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(DRIP_SECONDS)
    if kind is Kind.RESET_IN_BODY:
        writer.transport.abort()


@asynccontextmanager
async def billing(dialect: Dialect) -> AsyncIterator[BillingProvider]:
    provider = BillingProvider(dialect)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await provider.handle(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()
            tasks.discard(task)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    provider.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield provider
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await server.wait_closed()
