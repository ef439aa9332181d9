"""Sessions: one unit of work is one short transaction, and services never commit."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.orm import Session

from edison.db import wakeups
from edison.db.broadcasts import Broadcasts
from edison.db.sqlite_driver import quickly


class Database:
    """Opens transactions. Leaving the block commits, an exception rolls back.

    Readers of `wakeups` hear of committed transactions: of this process always, and on PostgreSQL
    of every process once `listen` was called. The same holds for `broadcasts`.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.wakeups = wakeups.Wakeups()
        self.broadcasts = Broadcasts(engine)
        # Told of each committed transaction, to do what was asked for in it.
        self.after_commit: Callable[[AsyncSession], Awaitable[None]] | None = None
        self._listener: wakeups.Listener | None = None
        self._writing = async_sessionmaker(engine, expire_on_commit=False)
        # The option reaches the connection's `begin`, which then takes no write lock on SQLite.
        self._reading = async_sessionmaker(
            engine.execution_options(writes=False), expire_on_commit=False
        )

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        async with self.transaction() as session:
            yield session
        await self.announce(session)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Writes without announcing it, for whoever cares what the commit itself comes to."""
        async with self._writing.begin() as session:
            yield session
            channels = wakeups.requested(session)
            if channels and not self.is_sqlite:
                await wakeups.notify_other_processes(session, channels)

    async def announce(self, session: AsyncSession) -> None:
        """Do what was asked for in a transaction that has committed."""
        self.wakeups.wake(wakeups.requested(session))
        if self.after_commit is not None:
            await self.after_commit(session)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        async with self._reading.begin() as session:
            yield session

    @asynccontextmanager
    async def read_briefly(self) -> AsyncIterator[AsyncSession]:
        async with self.read() as session, briefly(session):
            yield session

    def listen(self) -> None:
        """Hear of other processes' commits too. Needs a running event loop, not a live database."""
        if not self.is_sqlite:
            self._listener = wakeups.Listener(self.engine, self.wakeups, self.broadcasts)
            self._listener.start()

    async def close(self) -> None:
        self.wakeups.close()
        if self._listener is not None:
            await self._listener.stop()
        await self.engine.dispose()


@asynccontextmanager
async def briefly(session: AsyncSession) -> AsyncIterator[None]:
    """For what is found by its key, some hundred rows at most, and often asked for: on SQLite it is
    read on the spot, as the way to a connection's thread and back takes longer.
    """
    with quickly(await session.run_sync(Session.connection)):
        yield
