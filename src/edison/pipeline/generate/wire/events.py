"""Parsers of streamed answers: server-sent events and JSON lines."""

from collections.abc import AsyncIterator

import orjson

from edison.pipeline.generate.fault import Fault, OutboundFailed
from edison.pipeline.generate.wire.json_value import Json

MAX_LINE_BYTES = 8 * 1024 * 1024
DONE = b"[DONE]"


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yields lines without their terminator, LF or CRLF."""
    rest = b""
    async for chunk in chunks:
        parts = (rest + chunk).split(b"\n") if rest else chunk.split(b"\n")
        rest = parts.pop()
        if len(rest) > MAX_LINE_BYTES:
            raise OutboundFailed(Fault.TOO_LARGE, "A line of the streamed answer is too long.")
        for part in parts:
            yield part.rstrip(b"\r")
    if rest:
        yield rest.rstrip(b"\r")


async def server_sent_data(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yields the data of each event, including `[DONE]`. Comments, event names and ids are
    skipped.
    """
    data: list[bytes] = []
    async for line in lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].lstrip(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data:
        yield b"\n".join(data)


async def json_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[Json]:
    async for line in lines(chunks):
        if line.strip():
            yield Json(orjson.loads(line))
