"""Server-sent events: their format, where a client wants to start, and the end of the process.

`event_stream` has the stream itself, `tails` what many readers share.
"""

import asyncio
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, Header, Query
from starlette.types import Receive

from edison.db.wakeups import Subscription, Wakeups
from edison.kit.errors import FieldProblem, Invalid

LARGEST_NUMBER = 2**63 - 1


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """`recheck_seconds` is how soon a failed query is tried again."""

    heartbeat_seconds: float = 15
    recheck_seconds: float = 2
    send_timeout_seconds: float = 30


DEFAULT_TIMING = Timing()


async def read_start(
    last_event_id: Annotated[
        str | None,
        Header(description="Number of the last event received; the stream continues after it"),
    ] = None,
    after: Annotated[
        str | None, Query(description="Same, for clients that cannot set headers")
    ] = None,
) -> int | None:
    """Where the client wants to start; None means at the end, with what comes next."""
    if last_event_id is not None:
        return _parse_number(last_event_id, field="Last-Event-ID")
    return None if after is None else _parse_number(after, field="after")


StartAfter = Annotated[int | None, Depends(read_start)]


def _parse_number(text: str, *, field: str) -> int:
    # At most 19 digits: parsing long numbers is slow.
    if text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= LARGEST_NUMBER:
        return int(text)
    raise Invalid(FieldProblem(field=field, message="Enter an event number.", code="bad_number"))


async def close_on_disconnect(receive: Receive, subscription: Subscription) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscription.close()


def render_event(event: StreamedEvent) -> bytes:
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
