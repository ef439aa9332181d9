"""Reads server-sent events as a browser's EventSource does."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.support.patience import PATIENCE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One block of the stream. A block of comments has no kind."""

    id: str | None = None
    kind: str | None = None
    data: Any = None
    comment: str | None = None
    retry: str | None = None

    @property
    def number(self) -> int:
        assert self.id is not None
        return int(self.id)


class EventReader:
    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next_block(self) -> Received | None:
        """The next block of any sort, or None at the end."""
        fields: dict[str, Any] = {}
        async for line in self._lines:
            if not line:
                return Received(**fields)
            name, _, value = line.partition(":")
            key = {"": "comment", "event": "kind"}.get(name, name)
            value = value.removeprefix(" ")
            fields[key] = json.loads(value) if key == "data" else value
        return None

    async def next_event(self) -> Received | None:
        while (block := await self.next_block()) is not None:
            if block.kind is not None:
                return block
        return None


@asynccontextmanager
async def reading(
    url: str, *, cookies: httpx.Cookies, last_event_id: int | str | None = None
) -> AsyncIterator[EventReader]:
    """An open stream; the connection is dropped when the context is left."""
    headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
    async with (
        httpx.AsyncClient(cookies=dict(cookies), timeout=PATIENCE_SECONDS) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        yield EventReader(response)
