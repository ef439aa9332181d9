"""Database access for commands that work without the server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from edison.db.current_schema import is_current
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.kit.errors import Conflict
from edison.settings import Settings


@asynccontextmanager
async def offline_database(settings: Settings, *, pooled: bool = False) -> AsyncIterator[Database]:
    """The configured database. Raises Conflict unless its schema is this program's."""
    database = Database(
        open_engine(
            settings.resolved_database_url,
            pooled=pooled,
            pool_size=settings.database_connections,
            wait_seconds=settings.database_wait_seconds,
        )
    )
    try:
        if not await is_current(database.engine):
            await _refuse(database)
        yield database
    finally:
        await database.close()


async def _refuse(database: Database) -> NoReturn:
    """Says why the schema is not this program's. Alembic is slow to import, so only here."""
    from edison.db import migrate

    await migrate.read_state(database.engine)
    raise Conflict("The database is not ready: run `edison db upgrade` first.")
