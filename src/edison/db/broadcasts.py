"""Short messages to all processes, for what nobody misses when it is lost.

A wake-up says "look", and what there is to see is in rows. A broadcast is for what is not worth a
row, as it is out of date a moment later: it carries its words with it, and is nowhere afterwards.
Inside a process it is a call. On PostgreSQL it is a NOTIFY that reaches the sender's own process
by the same way; what is sent while a listener has lost its connection, that listener never hears.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

NOTIFY_CHANNEL = "edison_broadcasts"
# PostgreSQL takes 7,999 bytes, with the name of the topic in front.
MOST_BYTES = 7_900

Hear = Callable[[str], None]


class Broadcasts:
    """Belongs to one event loop. Everybody subscribes before anything is sent."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._hearers: dict[str, list[Hear]] = {}

    def subscribe(self, topic: str, hear: Hear) -> None:
        self._hearers.setdefault(topic, []).append(hear)

    async def send(self, topic: str, messages: Sequence[str]) -> None:
        """Each message with its topic has at most `MOST_BYTES` in UTF-8, and no NUL."""
        payloads = [f"{topic} {message}" for message in messages]
        if self._engine.dialect.name == "sqlite":
            for payload in payloads:
                self.hear(payload)
            return
        async with self._engine.begin() as connection:
            for payload in payloads:
                await connection.execute(select(func.pg_notify(NOTIFY_CHANNEL, payload)))

    def hear(self, payload: str) -> None:
        topic, _, message = payload.partition(" ")
        for hear in self._hearers.get(topic, ()):
            hear(message)
