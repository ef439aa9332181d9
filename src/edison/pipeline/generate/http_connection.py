"""One HTTP/1.1 connection that carries whole answers, one request at a time.

The parser is llhttp, by `httptools`. Callbacks fill the answer; there is no task, stream or buffer
per request. What a caller pays for depends on how an exchange ends, so its endings stay apart: no
answer (OutboundFailed), an answer that broke off (`WholeAnswer.fault`), a whole answer.
"""

import asyncio
import zlib
from collections.abc import Callable
from typing import cast

import httptools

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.fault import (
    OutboundFailed,
    OutboundFault,
    outbound_failure,
    too_large,
)

LARGEST_HEAD_BYTES = 65_536
# zlib finds out itself whether data is gzip or deflate.
_ANY_ZLIB_FORMAT = 32 + zlib.MAX_WBITS


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAnswer:
    """Names of headers are in lower case; of repeated headers the first counts."""

    status: int
    headers: dict[str, str]
    content: bytes
    fault: OutboundFailed | None = None
    """Why `content` is not complete."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def whole_content(self) -> bytes:
        """Raises OutboundFailed if the answer broke off."""
        if self.fault is not None:
            raise self.fault
        return self.content


Ending = WholeAnswer | OutboundFailed
OnEnding = Callable[[Ending], None]


class HttpConnection(asyncio.Protocol):
    def __init__(self, host: str, *, max_bytes: int) -> None:
        self._host = host
        self._max_bytes = max_bytes
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._on_ending: OnEnding | None = None
        self.is_open = False
        self.idle_since = 0.0
        self._start_answer()

    def ask(self, request: bytes, on_ending: OnEnding) -> None:
        """Writes a request. `on_ending` is called in a later step of the event loop."""
        if self._on_ending is not None or self._transport is None:
            raise RuntimeError("The connection is not open, or busy with another request.")
        self._on_ending = on_ending
        self._transport.write(request)

    def expire(self) -> None:
        """The deadline of the request has passed."""
        self._fail(outbound_failure(OutboundFault.TIMEOUT, self._host))

    def abort(self) -> None:
        """Closes the connection at once. `on_ending` is not called any more."""
        self.is_open = False
        self._on_ending = None
        if self._transport is not None:
            self._transport.abort()

    # asyncio calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.is_open = True

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self._on_ending is None:
            return
        if exc is None and self._ends_with_connection:
            self._succeed()
        else:
            self._break_off()

    def data_received(self, data: bytes) -> None:
        if self._on_ending is None:
            # An answer to no question, such as a notice before the server closes.
            self.abort()
            return
        if not self._has_head:
            self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._break_off()
            return
        if not self._has_head and self._head_bytes > LARGEST_HEAD_BYTES:
            self._break_off()

    # httptools calls these.

    def on_message_begin(self) -> None:
        if self._on_ending is None:
            self.abort()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        self._has_head = True
        self._status = self._parser.get_status_code()
        length = self._headers.get("content-length")
        self._ends_with_connection = length is None and "transfer-encoding" not in self._headers
        if length is not None and int(length) > self._max_bytes:
            self._refuse_size()

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        if self._size > self._max_bytes:
            self._refuse_size()
        else:
            self._pieces.append(body)

    def on_message_complete(self) -> None:
        if self._status < 200:
            # 100 Continue and its like announce the real answer.
            self._start_answer()
        elif self._on_ending is not None:
            can_reuse = self._parser.should_keep_alive()
            self._succeed()
            if not can_reuse:
                self.abort()

    def _start_answer(self) -> None:
        self._status = 0
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []
        self._size = 0
        self._head_bytes = 0
        self._has_head = False
        self._ends_with_connection = False

    def _succeed(self) -> None:
        content = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        encoding = self._headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            # Nothing but identity was asked for.
            try:
                content = _unpack(content, encoding, self._max_bytes)
            except (ValueError, zlib.error):
                self._break_off()
                return
            if len(content) > self._max_bytes:
                self._refuse_size()
                return
        self._end(WholeAnswer(status=self._status, headers=self._headers, content=content))

    def _refuse_size(self) -> None:
        self._fail(too_large(self._host, self._max_bytes))

    def _break_off(self) -> None:
        self._fail(outbound_failure(OutboundFault.BROKEN, self._host))

    def _fail(self, failed: OutboundFailed) -> None:
        if self._has_head:
            self._end(
                WholeAnswer(status=self._status, headers=self._headers, content=b"", fault=failed)
            )
        else:
            self._end(failed)
        self.abort()

    def _end(self, ending: Ending) -> None:
        on_ending, self._on_ending = self._on_ending, None
        self._start_answer()
        if on_ending is not None:
            # The parser, which may call this, must not run the caller's code.
            asyncio.get_running_loop().call_soon(on_ending, ending)


def _unpack(content: bytes, encoding: str, max_bytes: int) -> bytes:
    """At most one byte more than allowed. Raises ValueError or zlib.error."""
    if encoding not in {"gzip", "x-gzip", "deflate"}:
        raise ValueError(encoding)
    unpacker = zlib.decompressobj(_ANY_ZLIB_FORMAT)
    unpacked = unpacker.decompress(content, max_bytes + 1)
    if len(unpacked) <= max_bytes and not unpacker.eof:
        raise ValueError("The compressed data is not complete.")
    return unpacked
