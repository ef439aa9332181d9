"""Wake-ups: a topic changed, its readers should query it.

A wake-up carries only the topic; readers query the rows. A lost or repeated one costs a query,
never data. Within a process it is a flag per reader. Between processes on PostgreSQL it is a NOTIFY
sent by the writing transaction, so it arrives after the rows are visible, and one LISTEN connection
per process. After that connection was lost, all readers are woken, since wake-ups may have been
missed.
"""

import asyncio
import random
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NewType

import structlog
from sqlalchemy import Text, bindparam, func, literal, select
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from edison.db.broadcasts import NOTIFY_CHANNEL as BROADCASTS
from edison.db.broadcasts import Broadcasts
from edison.db.engine import open_engine
from edison.db.outages import connection_losses
from edison.db.prepared import Prepared

log = structlog.get_logger(__name__)

# What readers wait for, such as `project:<id>`. Unique over all slices.
Topic = NewType("Topic", str)

NOTIFY_CHANNEL = "edison_wakeups"
FIRST_RETRY_SECONDS = 0.2
LONGEST_RETRY_SECONDS = 15.0
# A connection dropped silently, such as by a firewall, is only detected by using it.
PROBE_EVERY_SECONDS = 30.0
PROBE_TIMEOUT_SECONDS = 10.0

_CHANGED = "edison.changed_topics"
_NOTIFY = Prepared(
    lambda _: select(
        func.pg_notify(literal(NOTIFY_CHANNEL, Text()), bindparam("topic", type_=Text()))
    )
)


def topic_changed(session: AsyncSession, topic: Topic) -> None:
    """Wakes the topic's readers after the session's transaction commits, and only then."""
    session.info.setdefault(_CHANGED, set()).add(topic)


def changed_topics(session: AsyncSession) -> frozenset[Topic]:
    return frozenset(session.info.get(_CHANGED, ()))


async def notify_other_processes(session: AsyncSession, topics: Iterable[Topic]) -> None:
    """PostgreSQL only. The server sends it when the transaction commits."""
    await _NOTIFY.run(session, [{"topic": topic} for topic in sorted(topics)])


class Subscription:
    """A reader's flag. Wake-ups are coalesced while the reader is busy."""

    def __init__(self) -> None:
        self._flag = asyncio.Event()
        self.is_closed = False

    @property
    def is_woken(self) -> bool:
        """Whether a wake-up is pending."""
        return self._flag.is_set()

    def wake(self) -> None:
        self._flag.set()

    def close(self) -> None:
        """Asks the reader to finish: sets `is_closed` and wakes it."""
        self.is_closed = True
        self._flag.set()

    async def wait(self, timeout_seconds: float) -> bool:
        """True on a wake-up since the last call, False after the timeout."""
        try:
            async with asyncio.timeout(max(0.0, timeout_seconds)):
                await self._flag.wait()
        except TimeoutError:
            return False
        self._flag.clear()
        return True


class Wakeups:
    """The readers of this process, by topic. Bound to one event loop."""

    def __init__(self) -> None:
        # Sends wake-ups to the other process on SQLite, if there is one.
        self.forward: Callable[[Collection[Topic]], None] | None = None
        self._readers: dict[Topic, set[Subscription]] = {}
        self._is_closed = False

    @contextmanager
    def subscribe(self, topic: Topic) -> Iterator[Subscription]:
        subscription = Subscription()
        if self._is_closed:
            subscription.close()
        self._readers.setdefault(topic, set()).add(subscription)
        try:
            yield subscription
        finally:
            readers = self._readers[topic]
            readers.discard(subscription)
            if not readers:
                del self._readers[topic]

    def announce(self, topics: Collection[Topic]) -> None:
        """Wakes readers here and, on SQLite, in the other process. On PostgreSQL the transaction
        has notified other processes already.
        """
        self.wake(topics)
        if topics and self.forward is not None:
            self.forward(topics)

    def wake(self, topics: Iterable[Topic]) -> None:
        """Wakes readers of this process only."""
        for topic in topics:
            for subscription in self._readers.get(topic, ()):
                subscription.wake()

    def count(self, topic: Topic) -> int:
        """The number of the topic's readers in this process."""
        return len(self._readers.get(topic, ()))

    def wake_all(self) -> None:
        self.wake(list(self._readers))

    def close(self) -> None:
        """Asks all present and future readers to finish: the process is stopping."""
        self._is_closed = True
        for readers in self._readers.values():
            for subscription in readers:
                subscription.close()


class Listener:
    """Forwards wake-ups and broadcasts of other processes to the readers of this one."""

    def __init__(self, engine: AsyncEngine, wakeups: Wakeups, broadcasts: Broadcasts) -> None:
        # A permanently used connection, kept outside of the pool.
        self._engine = open_engine(engine.url.render_as_string(hide_password=False), pooled=False)
        self._wakeups = wakeups
        self._broadcasts = broadcasts
        self._task: asyncio.Task[None] | None = None
        self.is_listening = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="wake-up listener")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._engine.dispose()

    async def _run(self) -> None:
        delay = FIRST_RETRY_SECONDS
        while True:
            try:
                await self._listen()
            except connection_losses() as lost:
                if self.is_listening.is_set():
                    delay = FIRST_RETRY_SECONDS
                log.warning("wake-ups interrupted", reason=type(lost).__name__, retry_in=delay)
            finally:
                self.is_listening.clear()
            # Jitter, so that processes do not reconnect simultaneously.
            await asyncio.sleep(delay * random.uniform(0.75, 1.25))  # noqa: S311 - no secret
            delay = min(delay * 2, LONGEST_RETRY_SECONDS)

    async def _listen(self) -> None:
        """Listens until the connection is lost, then raises."""
        async with self._engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            lost = asyncio.Event()
            driver.add_termination_listener(lambda _connection: lost.set())
            try:
                await driver.add_listener(NOTIFY_CHANNEL, self._on_wakeup)
                await driver.add_listener(BROADCASTS, self._on_broadcast)
                self.is_listening.set()
                self._wakeups.wake_all()
                while not await _is_set_within(lost, PROBE_EVERY_SECONDS):
                    await driver.execute("SELECT 1", timeout=PROBE_TIMEOUT_SECONDS)
            finally:
                # A graceful close would wait for a server that may be unreachable.
                driver.terminate()
            raise ConnectionError("The database closed the connection.")

    def _on_wakeup(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        self._wakeups.wake([Topic(payload)])

    def _on_broadcast(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        self._broadcasts.deliver(payload)


async def _is_set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
