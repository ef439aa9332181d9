"""Sessions: one unit of work is one short transaction, and services never commit."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker


class Database:
    """Opens transactions. Leaving the block commits, an exception rolls back."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
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
        async with self._writing.begin() as session:
            yield session

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        async with self._reading.begin() as session:
            yield session

    async def close(self) -> None:
        await self.engine.dispose()
