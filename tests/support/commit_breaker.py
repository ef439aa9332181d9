"""A proxy between a program and PostgreSQL that cuts the connection after a commit was sent and
before its answer arrives.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal
from urllib.parse import urlsplit

_COMMIT = b"COMMIT;"

Cut = Literal["before", "after"]


class CommitBreaker:
    """`cuts` are for the commits to come: `before` drops the commit itself, `after` only
    its answer.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()
        self.cuts: list[Cut | None] = []
        self.cut_count = 0

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _connected(
        self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        line = asyncio.current_task()
        assert line is not None
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)
        server, to_server = await asyncio.open_connection(self._host, self._port)
        answering = asyncio.create_task(_pass_on(server, to_client))
        try:
            while data := await client.read(65536):
                cut = self._next_cut() if _COMMIT in data else None
                if cut == "after":
                    answering.cancel()
                    await asyncio.wait([answering])
                    to_server.write(data)
                    # The answer to the commit, which is dropped.
                    await server.read(65536)
                if cut is not None:
                    return
                to_server.write(data)
                await to_server.drain()
        finally:
            answering.cancel()
            to_server.close()
            to_client.close()

    def _next_cut(self) -> Cut | None:
        cut = self.cuts.pop(0) if self.cuts else None
        self.cut_count += cut is not None
        return cut


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


@asynccontextmanager
async def breaking_commits(url: str) -> AsyncIterator[tuple[CommitBreaker, str]]:
    """The breaker, and the URL of the database through it."""
    parts = urlsplit(url)
    breaker = CommitBreaker(parts.hostname or "127.0.0.1", parts.port or 5432)
    port = await breaker.start()
    try:
        yield breaker, url.replace(f":{parts.port}/", f":{port}/")
    finally:
        await breaker.stop()
