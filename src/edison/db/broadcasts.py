"""Short transient messages to all processes; delivery is best effort.

A wake-up (`wakeups.py`) carries no data: readers query rows. A broadcast carries its payload and is
not stored, for data that is out of date a moment later. On SQLite it is a function call, also
forwarded to the other process if there is one. On PostgreSQL it is a NOTIFY, also to the sender's
own process; a process misses the messages sent while its connection is lost.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

NOTIFY_CHANNEL = "edison_broadcasts"
# PostgreSQL allows 7,999 bytes per payload, including the subject.
MOST_BYTES = 7_900

Handler = Callable[[str], None]


class Broadcasts:
    """Bound to one event loop. Subscribe before the first message is sent."""

    def __init__(self, engine: AsyncEngine) -> None:
        # Sends messages to the other process on SQLite, if there is one.
        self.forward: Callable[[Sequence[str]], None] | None = None
        self._engine = engine
        self._handlers: dict[str, list[Handler]] = {}

    def subscribe(self, subject: str, handler: Handler) -> None:
        self._handlers.setdefault(subject, []).append(handler)

    async def send(self, subject: str, messages: Sequence[str]) -> None:
        """A message with its subject has at most `MOST_BYTES` bytes in UTF-8 and no NUL."""
        payloads = [f"{subject} {message}" for message in messages]
        if self._engine.dialect.name == "sqlite":
            for payload in payloads:
                self.deliver(payload)
            if self.forward is not None:
                self.forward(payloads)
            return
        async with self._engine.begin() as connection:
            for payload in payloads:
                await connection.execute(select(func.pg_notify(NOTIFY_CHANNEL, payload)))

    def deliver(self, payload: str) -> None:
        subject, _, message = payload.partition(" ")
        for handler in self._handlers.get(subject, ()):
            handler(message)
