"""Short transient messages to all processes; delivery is best effort.

A wake-up (`wakeups.py`) carries no data: readers query rows. A broadcast carries its payload and is
not stored, for data that is out of date a moment later. On SQLite it is a function call. On
PostgreSQL it is a NOTIFY, also to the sender's own process; a listener misses the messages sent
while its connection is lost.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

NOTIFY_CHANNEL = "edison_broadcasts"
# PostgreSQL allows 7,999 bytes per payload, including the topic.
MOST_BYTES = 7_900

Hear = Callable[[str], None]


class Broadcasts:
    """Bound to one event loop. Subscribe before the first message is sent."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._hearers: dict[str, list[Hear]] = {}

    def subscribe(self, topic: str, hear: Hear) -> None:
        self._hearers.setdefault(topic, []).append(hear)

    async def send(self, topic: str, messages: Sequence[str]) -> None:
        """A message with its topic has at most `MOST_BYTES` bytes in UTF-8 and no NUL."""
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
