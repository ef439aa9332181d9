"""uvicorn's HTTP protocol with a timeout for the head of a request and a limit on its size.

uvicorn closes idle connections between requests, but waits forever for a request that has begun.
Bodies have their timeout in `middleware.body_timeout`, where it becomes an ordinary error response;
body bytes sent after the response are cut off here.
"""

from asyncio import TimerHandle
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from edison.app.middleware.security_headers import API_POLICY, HEADERS
from edison.app.responses import ErrorResponse

# From the connection, or from the first byte of a later request, to the end of the headers.
HEAD_SECONDS = 15.0
LARGEST_HEAD_BYTES = 65_536
# How long a client may keep sending a body that was answered before its end.
REST_SECONDS = 10.0


class HttpProtocol(HttpToolsProtocol):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: TimerHandle | None = None
        self._head_bytes = 0
        self._is_reading_head = True
        self._is_reading_body = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._arm(HEAD_SECONDS, self._head_is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_reading_head:
            self._head_bytes += len(data)
            if self._deadline is None:
                # uvicorn treats any byte as the next request, even an empty line.
                self._arm(HEAD_SECONDS, self._head_is_late)
        super().data_received(data)
        if self._is_reading_head and self._head_bytes > LARGEST_HEAD_BYTES:
            self._refuse(431, "HEADERS_TOO_LARGE", "The request headers are too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_reading_head = True
        self._head_bytes = self._head_bytes or 1
        if self._deadline is None:
            self._arm(HEAD_SECONDS, self._head_is_late)

    def on_headers_complete(self) -> None:
        self._disarm()
        self._is_reading_head = False
        self._head_bytes = 0
        self._is_reading_body = True
        self._take_host_from_target()
        super().on_headers_complete()

    def _unsupported_upgrade_warning(self) -> None:
        """uvicorn would advise to install a WebSocket library: there are no WebSockets, and such
        requests are answered like others.
        """

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_reading_body = False
        self._is_reading_head = True
        if self.cycle is not None and self.cycle.response_complete:
            # uvicorn's own timer is cancelled by the first byte received after the response.
            self._arm(self.timeout_keep_alive, self.transport.close)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_reading_body and not self.transport.is_closing():
            self._arm(REST_SECONDS, self.transport.close)

    def _take_host_from_target(self) -> None:
        """A target in absolute form overrides the Host header (RFC 9112, 3.2.2)."""
        if self.url.startswith(b"/") or self.url == b"*":
            return
        authority = self.url.partition(b"://")[2].partition(b"/")[0].partition(b"?")[0]
        kept = [(name, value) for name, value in self.headers if name != b"host"]
        self.headers[:] = [*kept, (b"host", authority)]

    def _head_is_late(self) -> None:
        self._deadline = None
        if self.cycle is not None and not self.cycle.response_complete:
            # The response to an earlier request is still being sent.
            self._arm(HEAD_SECONDS, self._head_is_late)
        elif self._head_bytes:
            self._refuse(408, "TIMEOUT", "The request took too long to arrive.")
        else:
            self.transport.close()

    def _refuse(self, status: int, code: str, message: str) -> None:
        if self.transport.is_closing():
            return
        response = ErrorResponse(status, code=code, message=message)
        fields = {"connection": "close", "content-security-policy": API_POLICY, **HEADERS}
        lines = [f"HTTP/1.1 {status} {_REASONS[status]}"]
        lines += [f"{name.decode()}: {value.decode()}" for name, value in response.raw_headers]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + bytes(response.body))
        self.transport.close()

    def _arm(self, seconds: float, act: Callable[[], None]) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, act)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


_REASONS = {408: "Request Timeout", 431: "Request Header Fields Too Large"}
