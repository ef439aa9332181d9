"""Database sessions: one unit of work is one short transaction; services never commit.

A transaction begins with its first statement and ends here, without the context managers of
SQLAlchemy, whose steps take longer than most transactions.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress

from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.orm import Session

from edison.db import wakeups
from edison.db.broadcasts import Broadcasts
from edison.db.engine import longest_wait
from edison.db.pool import WaitingRoom
from edison.db.sqlite_driver import run_inline
from edison.kit.lazy_dataclasses import dataclass

AfterCommit = Callable[[AsyncSession], Awaitable[None]]
_DEFERRED = "edison.deferred_writes"
_LOCKED = "The database is locked: no turn to write"


@dataclass(slots=True)
class _Hooks:
    after_commit: AfterCommit | None = None


class Database:
    """Opens transactions. Leaving the block commits, an exception rolls back.

    `wakeups` and `broadcasts` cover this process and, on PostgreSQL after `listen`, all processes;
    on SQLite the server and its engine forward theirs to each other (see `jobs.link`).

    A task holds one connection at a time: waiting for a second connection while holding the first
    can deadlock the pool. Use `defer_write` for writes found necessary while reading.
    """

    def __init__(self, engine: AsyncEngine, *, beside: "Database | None" = None) -> None:
        """`beside` is a `Database` on another connection pool. The two share wake-ups, broadcasts
        and the commit hook, but neither can exhaust the connections of the other.
        """
        self.engine = engine
        self.wakeups: wakeups.Wakeups = wakeups.Wakeups() if beside is None else beside.wakeups
        self.broadcasts: Broadcasts = Broadcasts(engine) if beside is None else beside.broadcasts
        self._hooks: _Hooks = _Hooks() if beside is None else beside._hooks
        self._listener: wakeups.Listener | None = None
        # SQLite has a single writer: writers wait here, in order, instead of polling its lock.
        self._writers: WaitingRoom = (
            WaitingRoom(1, timeout_seconds=longest_wait(engine), refusal=_LOCKED)
            if beside is None
            else beside._writers
        )
        self._writing = async_sessionmaker(engine, expire_on_commit=False)
        # With this option `begin` takes no write lock on SQLite.
        self._reading = async_sessionmaker(
            engine.execution_options(writes=False), expire_on_commit=False
        )

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def after_commit(self) -> "AfterCommit | None":
        """Called with the session after each commit, to deliver the requested jobs."""
        return self._hooks.after_commit

    @after_commit.setter
    def after_commit(self, hook: "AfterCommit | None") -> None:
        self._hooks.after_commit = hook

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        async with self.transaction() as session:
            yield session
        await self.announce(session)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A writing transaction without `announce`, for callers that handle commit failures."""
        turn = self._writers.slot() if self.is_sqlite else nullcontext()
        async with turn, _closing(self._writing()) as session:
            yield session
            topics = wakeups.changed_topics(session)
            if topics and not self.is_sqlite:
                await wakeups.notify_other_processes(session, topics)
            await _commit(session)

    @asynccontextmanager
    async def rehearse(self) -> AsyncIterator[AsyncSession]:
        """A writing transaction that is always rolled back, to see what a change would do."""
        turn = self._writers.slot() if self.is_sqlite else nullcontext()
        async with turn, self._writing() as session:
            yield session
            await session.rollback()

    async def announce(self, session: AsyncSession) -> None:
        """Wakes readers and delivers jobs that the committed transaction requested."""
        self.wakeups.announce(wakeups.changed_topics(session))
        if self.after_commit is not None:
            await self.after_commit(session)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        session = self._reading()
        try:
            async with _closing(session):
                yield session
                await session.commit()
        finally:
            if deferred := session.info.pop(_DEFERRED, None):
                await self._write_deferred(deferred)

    async def _write_deferred(self, statements: Sequence[Executable]) -> None:
        async with self.write() as session:
            for statement in statements:
                await session.execute(statement)

    @asynccontextmanager
    async def read_inline(self) -> AsyncIterator[AsyncSession]:
        async with self.read() as session, inline(session):
            yield session

    def listen(self) -> None:
        """Receives other processes' wake-ups. Needs an event loop, but no reachable database."""
        if not self.is_sqlite:
            self._listener = wakeups.Listener(self.engine, self.wakeups, self.broadcasts)
            self._listener.start()

    async def close(self) -> None:
        self.wakeups.close()
        if self._listener is not None:
            await self._listener.stop()
        await self.engine.dispose()


@asynccontextmanager
async def _closing(session: AsyncSession) -> AsyncIterator[AsyncSession]:
    """For a block that commits at its end; an exception rolls back."""
    try:
        yield session
    except BaseException:
        async with session:  # waits for its end, also when cancelled again
            # A commit that failed leaves its transaction open.
            with suppress(Exception):
                await session.rollback()
            raise
    # Without a transaction, it needs no step of the event loop.
    session.sync_session.close()


async def _commit(session: AsyncSession) -> None:
    """Waits for the end even when cancelled: a commit that is under way cannot be taken back."""
    committing = asyncio.create_task(session.commit())
    cancelled: asyncio.CancelledError | None = None
    while not committing.done():
        try:
            await asyncio.wait([committing])
        except asyncio.CancelledError as error:
            cancelled = error
    committing.result()
    if cancelled is not None:
        raise cancelled


def defer_write(session: AsyncSession, statement: Executable) -> None:
    """Executes the statement in a separate transaction after this reading one has returned its
    connection, whether or not it succeeded.
    """
    session.info.setdefault(_DEFERRED, []).append(statement)


@asynccontextmanager
async def inline(session: AsyncSession) -> AsyncIterator[None]:
    """For frequent reads by key of up to a few hundred rows. On SQLite they run in the event loop,
    since the switch to the connection's thread would take longer.
    """
    with run_inline(await session.run_sync(Session.connection)):
        yield
