"""Server-sent events: a stream of numbered rows that a client can leave and take up again.

Rows are the truth. A stream asks its source for rows after the last number it sent, sends them,
and asks again after a wake-up or, at the latest, with the next heartbeat; so a lost wake-up means
a late event and never a lost one. It asks only after the client has taken what was sent before, so
a slow reader costs one page of events; one that takes nothing for a while is dropped and finds its
place again with `Last-Event-ID`. No database connection is held while a stream waits.

Besides the source's events a client may get `reset` (some events it asked for are gone: load
afresh what you show) and `closed` with a reason (`forbidden`, `shutdown`, `error`).
"""

import asyncio
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Annotated, Any, Literal, Protocol

import orjson
import structlog
from fastapi import Depends, Header, Query
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from edison.db.wakeups import Subscription, Wakeups
from edison.kit.errors import FieldProblem, Invalid

log = structlog.get_logger(__name__)

RETRY_MILLISECONDS = 3000
LARGEST_NUMBER = 2**63 - 1
_OUTAGES = (DBAPIError, PoolTimeout, OSError, TimeoutError)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedEvent:
    """`rendered` is what goes over the wire, where many readers share it."""

    number: int
    kind: str
    data: Mapping[str, Any]
    rendered: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Which events can be had: numbers from `forgotten + 1` up to `last`."""

    forgotten: int
    last: int


class EventSource(Protocol):
    """Where a stream's events come from. Every call is a short transaction of its own."""

    async def get_extent(self) -> Extent: ...

    async def fetch(self, after: int) -> Sequence[StreamedEvent]:
        """The next events in order, one page at most; empty when there are no more."""

    async def still_allowed(self) -> bool:
        """Whether the reader may go on reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    heartbeat_seconds: float = 15
    recheck_seconds: float = 2
    send_timeout_seconds: float = 30


DEFAULT_TIMING = Timing()


async def read_start(
    last_event_id: Annotated[
        str | None, Header(description="Number of the last event received; continue after it")
    ] = None,
    after: Annotated[
        str | None, Query(description="The same, for clients that cannot set the header")
    ] = None,
) -> int | None:
    """Where the client wants to start; None means at the end, with what comes next."""
    if last_event_id is not None:
        return _parse_number(last_event_id, field="Last-Event-ID")
    return None if after is None else _parse_number(after, field="after")


StartAfter = Annotated[int | None, Depends(read_start)]


def _parse_number(text: str, *, field: str) -> int:
    # At most 19 digits, lest a long number take long to parse.
    if text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= LARGEST_NUMBER:
        return int(text)
    raise Invalid(
        FieldProblem(field=field, message="This must be the number of an event.", code="bad_number")
    )


async def event_stream(
    source: EventSource,
    *,
    wakeups: Wakeups,
    channel: str,
    start: int | None,
    timing: Timing | None = None,
) -> Response:
    """Answer a request with the source's events; `channel` is woken when there are new ones."""
    extent = await source.get_extent()
    # A number from the future was given out by a database that has since been restored.
    is_lost = start is not None and not extent.forgotten <= start <= extent.last
    stream = _Stream(
        source=source,
        timing=timing or DEFAULT_TIMING,
        after=extent.last if start is None or is_lost else start,
    )
    return _StreamResponse(stream, wakeups=wakeups, channel=channel, is_lost=is_lost)


class _SlowReader(Exception):
    """The client has not taken what was sent."""


class _StreamResponse(Response):
    media_type = "text/event-stream"

    def __init__(self, stream: "_Stream", *, wakeups: Wakeups, channel: str, is_lost: bool) -> None:
        self._stream = stream
        self._wakeups = wakeups
        self._channel = channel
        self._is_lost = is_lost
        self.status_code = 200
        self.background = None
        # Proxies such as nginx would collect events before passing them on.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        with self._wakeups.subscribe(self._channel) as subscription:
            watcher = asyncio.create_task(close_on_disconnect(receive, subscription))
            try:
                await self._stream.run(send, subscription, is_lost=self._is_lost)
            except _SlowReader:
                # Returning with the body unfinished makes the server drop the connection.
                log.info("slow reader dropped", channel=self._channel)
                return
            finally:
                watcher.cancel()
                await asyncio.wait([watcher])
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def close_on_disconnect(receive: Receive, subscription: Subscription) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscription.close()


class _Stream:
    """One client's place in the events, and when it is due for what."""

    def __init__(self, *, source: EventSource, timing: Timing, after: int) -> None:
        self._source = source
        self._timing = timing
        self._after = after
        # Whoever opened the stream has just been checked.
        self._checked_at = monotonic()
        self._sent_at = monotonic()
        # Events went out on an old check, or the database failed: look again soon.
        self._is_restless = False

    async def run(self, send: Send, subscription: Subscription, *, is_lost: bool) -> None:
        """Send until the client leaves, may no longer read, or the server stops."""
        # An id without data sets the client's place without being an event.
        await self._write(
            send, f"retry: {RETRY_MILLISECONDS}\nid: {self._after}\n: connected\n\n".encode()
        )
        if is_lost:
            await self._write(send, render("reset", {}, number=self._after))
        reason = await self._run_until_closed(send, subscription)
        await self._write(send, render("closed", {"reason": reason}))

    async def _run_until_closed(
        self, send: Send, subscription: Subscription
    ) -> Literal["forbidden", "shutdown", "error"]:
        while not subscription.is_closed:
            try:
                events = await self._look()
            except _OUTAGES as failure:
                # The client keeps its connection: what it waits for comes when the database does.
                log.warning("stream waits for the database", reason=type(failure).__name__)
                events = []
                self._is_restless = True
            except Exception:
                log.exception("stream failed")
                return "error"
            if events is None:
                return "forbidden"
            if events:
                await self._write(send, b"".join(_render_event(event) for event in events))
                self._after = events[-1].number
                self._is_restless = True
                continue
            if monotonic() - self._sent_at >= self._timing.heartbeat_seconds:
                await self._write(send, b": heartbeat\n\n")
            await subscription.wait(self._seconds_until_due())
        return "shutdown"

    async def _look(self) -> Sequence[StreamedEvent] | None:
        """New events, or None when the reader may no longer see them."""
        if monotonic() - self._checked_at >= self._timing.recheck_seconds:
            if not await self._source.still_allowed():
                return None
            self._checked_at = monotonic()
            self._is_restless = False
        return await self._source.fetch(self._after)

    def _seconds_until_due(self) -> float:
        seconds = self._sent_at + self._timing.heartbeat_seconds - monotonic()
        return min(seconds, self._timing.recheck_seconds) if self._is_restless else seconds

    async def _write(self, send: Send, body: bytes) -> None:
        try:
            async with asyncio.timeout(self._timing.send_timeout_seconds):
                await send({"type": "http.response.body", "body": body, "more_body": True})
        except TimeoutError as blocked:
            raise _SlowReader from blocked
        self._sent_at = monotonic()


def _render_event(event: StreamedEvent) -> bytes:
    return event.rendered or render(event.kind, event.data, number=event.number)


def render(kind: str, data: Mapping[str, Any], *, number: int | None = None) -> bytes:
    place = b"" if number is None else b"id: %d\n" % number
    # JSON has no line breaks of its own, and a line break would end the field.
    return place + b"event: %s\ndata: %s\n\n" % (kind.encode(), orjson.dumps(dict(data)))


@contextmanager
def closing_streams_on_signal(wakeups: Wakeups) -> Iterator[None]:
    """End all streams as soon as the process is told to stop.

    Servers first wait for open responses and only then end the application's lifespan, so streams
    that waited for the lifespan would hold up the stop for ever.
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
