"""The answer to a request for events: numbered events that a client can leave and take up again.

Events are rows, and rows are the truth: a lost wake-up means a late event and never a lost one. A
stream takes the next page only after the client has taken the one before, so a slow reader costs
one page; one that takes nothing for a while is dropped and finds its place again with
`Last-Event-ID`. A stream holds no database connection; it asks for none while it waits.

Besides the topic's events a client may get `reset` (some events it asked for are gone: load
afresh what you show) and `closed` with a reason (`forbidden`, `shutdown`, `error`).
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from time import monotonic
from typing import Literal, Protocol
from uuid import UUID

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from edison.api import sse
from edison.api.sse import close_on_disconnect, render
from edison.api.stream_limits import StreamLimits
from edison.api.tails import OUTAGES, Tail, Tails, Topic
from edison.db.wakeups import Subscription

log = structlog.get_logger(__name__)

# Browsers reconnect after a random time between the two, to spread the load.
RETRY_MILLISECONDS = (2000, 5000)


class Reader(Protocol):
    """Who reads a stream, and may lose the right to."""

    @property
    def user_id(self) -> UUID: ...

    def watch(self, lost: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `lost` as soon as the reader may no longer read."""

    async def settle(self) -> None:
        """Wait until every known change of access has been looked at. Raises TimeoutError."""


def no_extras() -> bytes:
    return b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """What the streams of a process share."""

    tails: Tails
    limits: StreamLimits


class EventStream(Response):
    """`start` is the last number that the client has; None begins with what comes next. `extras`
    are events without a number, rendered, since the last call.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        topic: Topic,
        reader: Reader,
        *,
        streams: Streams,
        start: int | None,
        extras: Callable[[], bytes] = no_extras,
    ) -> None:
        self._topic = topic
        self._reader = reader
        self._streams = streams
        self._start = start
        self._extras = extras
        self.status_code = 200
        self.background = None
        # Proxies such as nginx would collect events before passing them on.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What is raised before the start becomes an ordinary error response."""
        with self._streams.limits.counted(self._reader.user_id):
            async with self._streams.tails.join(self._topic) as tail:
                with tail.subscribe() as subscription:
                    await self._answer(tail, subscription, receive, send)

    async def _answer(
        self, tail: Tail, subscription: Subscription, receive: Receive, send: Send
    ) -> None:
        async with self._streams.limits.opening():
            extent = await tail.get_extent()
        start = self._start
        # A number from the future was given out by a database that has since been restored.
        is_lost = start is not None and not extent.forgotten <= start <= extent.last
        after = extent.last if start is None or is_lost else start
        stream = _Stream(
            tail, self._reader, subscription, send=send, after=after, extras=self._extras
        )
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        watcher = asyncio.create_task(close_on_disconnect(receive, subscription))
        try:
            with self._reader.watch(stream.forbid):
                await stream.run(is_lost=is_lost)
        except _SlowReader:
            # Returning with the body unfinished makes the server drop the connection.
            log.info("slow reader dropped", topic=self._topic.key)
            return
        finally:
            watcher.cancel()
            await asyncio.wait([watcher])
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _SlowReader(Exception):
    """The client has not taken what was sent."""


class _Stream:
    """One client's place in the events."""

    def __init__(
        self,
        tail: Tail,
        reader: Reader,
        subscription: Subscription,
        *,
        send: Send,
        after: int,
        extras: Callable[[], bytes],
    ) -> None:
        self._tail = tail
        self._reader = reader
        self._subscription = subscription
        self._send = send
        self._after = after
        self._extras = extras
        self._is_forbidden = False
        self._sent_at = monotonic()

    def forbid(self) -> None:
        self._is_forbidden = True
        self._subscription.close()

    async def run(self, *, is_lost: bool) -> None:
        """Send until the client leaves, may no longer read, or the server stops."""
        retry = random.randint(*RETRY_MILLISECONDS)  # noqa: S311 - no secret
        # An id without data sets the client's place without being an event.
        await self._write(f"retry: {retry}\nid: {self._after}\n: connected\n\n".encode())
        if is_lost:
            await self._write(render("reset", {}, number=self._after))
        has_failed = await self._run_until_closed()
        reason = self._name_end(has_failed=has_failed)
        await self._write(render("closed", {"reason": reason}))

    async def _run_until_closed(self) -> bool:
        while not self._subscription.is_closed:
            seconds = self._sent_at + sse.DEFAULT_TIMING.heartbeat_seconds - monotonic()
            try:
                if await self._send_next():
                    continue
            except OUTAGES as failure:
                log.warning("stream waits for the database", reason=type(failure).__name__)
                seconds = min(seconds, sse.DEFAULT_TIMING.recheck_seconds)
            except _SlowReader:
                raise
            except Exception:  # an edge: the client is told, and may come back
                log.exception("stream failed")
                return True
            if seconds <= 0:
                await self._write(b": heartbeat\n\n")
                continue
            await self._subscription.wait(seconds)
        return False

    def _name_end(self, *, has_failed: bool) -> Literal["forbidden", "shutdown", "error"]:
        if self._is_forbidden:
            return "forbidden"
        return "error" if has_failed or self._tail.has_failed else "shutdown"

    async def _send_next(self) -> bool:
        page = await self._tail.take(self._after)
        body = self._extras() + (b"" if page is None else page.body)
        if body:
            await self._reader.settle()
            if self._subscription.is_closed:
                return True
            await self._write(body)
        if page is not None:
            self._after = page.upto
        return page is not None

    async def _write(self, body: bytes) -> None:
        try:
            async with asyncio.timeout(sse.DEFAULT_TIMING.send_timeout_seconds):
                await self._send({"type": "http.response.body", "body": body, "more_body": True})
        except TimeoutError as blocked:
            raise _SlowReader from blocked
        self._sent_at = monotonic()
