"""Streams over HTTP: server-sent events with a heartbeat.

A response ends when its source ends, the client disconnects, the reader loses access or the process
stops. A client that reads nothing for too long is disconnected.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, contextmanager
from time import monotonic
from typing import Any, Literal

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from edison.api.streams import limits
from edison.api.streams.event_log import Cursor, EventLog
from edison.api.streams.sse import HEARTBEAT, encode, encode_start
from edison.api.streams.stream import Reader, Streams
from edison.api.streams.tails import StreamFailed
from edison.db.wakeups import Subscription, Topic, Wakeups
from edison.kit.errors import EdisonError

log = structlog.get_logger(__name__)

# Never published to: a subscription to it is closed when the process stops.
_SHUTDOWN = Topic("shutdown")

Source = AbstractAsyncContextManager[AsyncIterator[bytes]]
End = Literal["forbidden", "shutdown", "error"]
Piece = tuple[str, Mapping[str, Any]]


def stream_events(
    streams: Streams, event_log: EventLog, reader: Reader, *, after: Cursor | None
) -> Response:
    """Follows a topic; a client resumes with `Last-Event-ID`. Besides the topic's events it may
    get `reset` (events it asked for are deleted: reload everything shown) and, at the end, `closed`
    with a reason (`forbidden`, `shutdown`, `error`).
    """
    source = _encode_stream(streams, event_log, reader, after)
    return SseResponse(source, streams.wakeups, reader, says_why_it_ended=True)


def stream_answer(streams: Streams, pieces: AsyncGenerator[Piece], reader: Reader) -> Response:
    """Sends one answer as it arrives, in events (kind, data) without numbers: it belongs to the
    request, is cancelled with it and cannot be resumed. An exception becomes the event `failed`.
    """
    source = aclosing(_encode_pieces(pieces))
    return SseResponse(source, streams.wakeups, reader, says_why_it_ended=False)


@asynccontextmanager
async def _encode_stream(
    streams: Streams, event_log: EventLog, reader: Reader, after: Cursor | None
) -> AsyncIterator[AsyncIterator[bytes]]:
    async def encode_all() -> AsyncGenerator[bytes]:
        yield encode_start(stream.cursor)
        if stream.is_reset:
            yield encode("reset", {}, number=stream.cursor)
        async for events in stream:
            yield events

    async with (
        streams.open(event_log, reader, after=after) as stream,
        aclosing(encode_all()) as encoded,
    ):
        yield encoded


async def _encode_pieces(pieces: AsyncGenerator[Piece]) -> AsyncGenerator[bytes]:
    try:
        async with aclosing(pieces):
            async for kind, data in pieces:
                yield encode(kind, data)
    except EdisonError as refused:
        yield encode("failed", {"reason": refused.code, "message": refused.message})
    except Exception:  # boundary: the client gets the failure as an event
        log.exception("stream failed")
        yield encode("failed", {"reason": "internal", "message": "Internal error."})


class SseResponse(Response):
    media_type = "text/event-stream"

    def __init__(
        self, source: Source, wakeups: Wakeups, reader: Reader, *, says_why_it_ended: bool
    ) -> None:
        self._source = source
        self._wakeups = wakeups
        self._reader = reader
        self._says_why_it_ended = says_why_it_ended
        self.status_code = 200
        self.background = None
        # Proxies such as nginx would buffer events.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Exceptions raised by opening the source become ordinary error responses."""
        async with self._source as source:
            with self._wakeups.subscribe(_SHUTDOWN) as stop:
                sender = _Sender(send, stop)
                await sender.start(self.status_code, self.raw_headers)
                with self._reader.watch(sender.forbid):
                    await sender.run(source, receive)
            if self._says_why_it_ended:
                await sender.send(encode("closed", {"reason": sender.end}))
        await sender.finish()


class _Sender:
    """Writes to one client until `stop` is closed."""

    def __init__(self, send: Send, stop: Subscription) -> None:
        self._send = send
        self._stop = stop
        self._sent_at = monotonic()
        self._is_blocked = False
        self.end: End = "shutdown"

    async def start(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def run(self, source: AsyncIterator[bytes], receive: Receive) -> None:
        """Returns when `stop` is closed."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._send_all(source)),
                group.create_task(self._stop_on_disconnect(receive)),
            ]
            await self._keep_alive()
            for task in tasks:
                task.cancel()

    async def send(self, block: bytes) -> None:
        if self._is_blocked:
            return
        try:
            async with asyncio.timeout(limits.DEFAULT_TIMING.send_timeout_seconds):
                await self._send({"type": "http.response.body", "body": block, "more_body": True})
        except TimeoutError:
            self._is_blocked = True
            self._stop.close()
        self._sent_at = monotonic()

    def forbid(self) -> None:
        self._end_with("forbidden")

    async def finish(self) -> None:
        if self._is_blocked:
            # An unfinished body makes the server drop the connection.
            log.info("slow reader dropped")
        else:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, source: AsyncIterator[bytes]) -> None:
        try:
            async for block in source:
                if self._stop.is_closed:
                    break
                await self.send(block)
        except StreamFailed:
            self._end_with("error")
        except Exception:  # boundary: the client gets a reason, and may reconnect
            log.exception("stream failed")
            self._end_with("error")
        finally:
            self._stop.close()

    async def _keep_alive(self) -> None:
        while not self._stop.is_closed:
            seconds = self._sent_at + limits.DEFAULT_TIMING.heartbeat_seconds - monotonic()
            if seconds > 0:
                await self._stop.wait(seconds)
            else:
                await self.send(HEARTBEAT)

    async def _stop_on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._stop.close()

    def _end_with(self, reason: End) -> None:
        self.end = reason
        self._stop.close()


@contextmanager
def closing_streams_on_signal(wakeups: Wakeups) -> Iterator[None]:
    """Ends all streams as soon as the process receives a stop signal.

    Servers wait for open responses before they end the application's lifespan, so streams that
    waited for the lifespan would block the shutdown forever.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    previous: dict[signal.Signals, Any] = {}

    def stop(number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(wakeups.close)
        previous[signal.Signals(number)](number, frame)

    for name in (signal.SIGTERM, signal.SIGINT):
        if callable(handler := signal.getsignal(name)):
            previous[name] = handler
            signal.signal(name, stop)
    try:
        yield
    finally:
        for name, handler in previous.items():
            signal.signal(name, handler)
