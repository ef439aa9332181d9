"""An answer that arrives piece by piece: server-sent events about one piece of work, sent once.

Unlike `sse`, nothing here can be taken up again: the work belongs to the request. It is cancelled
at once when the client leaves, takes nothing for a while, may no longer read, or the server stops.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from edison.api.event_stream import Reader
from edison.api.sse import DEFAULT_TIMING, close_on_disconnect, render
from edison.db.wakeups import Subscription, Wakeups
from edison.kit.errors import EdisonError

log = structlog.get_logger(__name__)

Piece = tuple[str, Mapping[str, Any]]
_CHANNEL = "answers"


class AnswerStream(Response):
    """`pieces` yields events as (kind, data). What it raises becomes a last event `failed`."""

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[Piece], *, wakeups: Wakeups, reader: Reader) -> None:
        self._pieces = pieces
        self._wakeups = wakeups
        self._reader = reader
        self.status_code = 200
        self.background = None
        # Proxies such as nginx would collect events before passing them on.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        with (
            self._wakeups.subscribe(_CHANNEL) as subscription,
            self._reader.watch(subscription.close),
        ):
            watcher = asyncio.create_task(close_on_disconnect(receive, subscription))
            work = asyncio.create_task(self._work(send, subscription))
            try:
                while not subscription.is_closed:
                    if not await subscription.wait(DEFAULT_TIMING.heartbeat_seconds):
                        await _write(send, b": heartbeat\n\n")
            finally:
                work.cancel()
                watcher.cancel()
                await asyncio.wait([work, watcher])
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _work(self, send: Send, subscription: Subscription) -> None:
        try:
            async with aclosing(self._pieces) as pieces:
                async for kind, data in pieces:
                    await _write(send, render(kind, data))
        except EdisonError as refused:
            problem = {"reason": refused.code, "message": refused.message}
            await _write(send, render("failed", problem))
        except TimeoutError:
            log.info("slow reader dropped", channel=_CHANNEL)
        except Exception:
            log.exception("stream failed")
            problem = {"reason": "internal", "message": "Internal error."}
            await _write(send, render("failed", problem))
        finally:
            subscription.close()


async def _write(send: Send, body: bytes) -> None:
    async with asyncio.timeout(DEFAULT_TIMING.send_timeout_seconds):
        await send({"type": "http.response.body", "body": body, "more_body": True})
