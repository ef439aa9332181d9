"""The connection between the server and its engine process on SQLite.

PostgreSQL carries wake-ups, broadcasts and jobs between processes; here they pass through a socket
pair, as lines of JSON. The connection may break at any time: rows define the work, and the sweep
finds what was lost.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any

import orjson
import structlog

from edison.db.session import Database
from edison.db.wakeups import Topic

log = structlog.get_logger(__name__)

# A line holds the topics of a commit, some broadcasts, or the jobs of a sweep.
LONGEST_LINE_BYTES = 16_000_000
ANSWER_SECONDS = 5.0

Handler = Callable[[Any], Awaitable[Any]]


class Link:
    """One end. `handlers` serve the requests of the other end, by name."""

    def __init__(self, database: Database, handlers: Mapping[str, Handler]) -> None:
        self._database = database
        self._handlers = handlers
        self._writer: asyncio.StreamWriter | None = None
        self._is_open = asyncio.Event()
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._serving: set[asyncio.Task[None]] = set()

    async def run(self, connection: socket.socket) -> None:
        """Forwards wake-ups and broadcasts and serves requests until the other end is closed."""
        reader, self._writer = await asyncio.open_connection(
            sock=connection, limit=LONGEST_LINE_BYTES
        )
        self._is_open.set()
        self._database.wakeups.forward = lambda topics: self._send({"topics": list(topics)})
        self._database.broadcasts.forward = lambda payloads: self._send({"broadcasts": payloads})
        try:
            while line := await reader.readline():
                self._receive(orjson.loads(line))
        except ConnectionError:
            pass
        finally:
            self._database.wakeups.forward = None
            self._database.broadcasts.forward = None
            self._writer.close()
            self._writer = None
            self._is_open.clear()
            for asked in self._asked.values():
                asked.cancel()

    async def wait_until_open(self) -> None:
        await self._is_open.wait()

    def tell(self, name: str, content: Any = None) -> None:
        """Sends a request without waiting for its answer. Lost while there is no connection."""
        self._send({"request": name, "content": content})

    async def ask(self, name: str, *, timeout_seconds: float = ANSWER_SECONDS) -> Any:
        """The answer of the other end; None without a connection or if it fails there. Raises
        TimeoutError.
        """
        if self._writer is None:
            return None
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send({"request": name, "content": None, "number": number})
        try:
            async with asyncio.timeout(timeout_seconds):
                await asyncio.wait([answer])
        finally:
            del self._asked[number]
        return None if answer.cancelled() else answer.result()

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._writer is not None:
            self._writer.write(orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE))

    def _receive(self, message: Mapping[str, Any]) -> None:
        match message:
            case {"topics": topics}:
                self._database.wakeups.wake(map(Topic, topics))
            case {"broadcasts": payloads}:
                for payload in payloads:
                    self._database.broadcasts.deliver(payload)
            case {"answer": answer, "number": number}:
                if (asked := self._asked.get(number)) is not None and not asked.done():
                    asked.set_result(answer)
            case {"request": name, "content": content}:
                serving = asyncio.create_task(self._serve(name, content, message.get("number")))
                self._serving.add(serving)
                serving.add_done_callback(self._serving.discard)

    async def _serve(self, name: str, content: Any, number: int | None) -> None:
        answer = None
        try:
            answer = await self._handlers[name](content)
        except Exception:  # boundary: the other process cannot do anything about it
            log.exception("request of the other process failed", request=name)
        if number is not None:
            self._send({"answer": answer, "number": number})
