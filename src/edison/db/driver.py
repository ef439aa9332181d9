"""Statements that go straight to the driver of a session's connection.

A short statement takes a quarter of the processor time that it takes through SQLAlchemy.
"""

import weakref
from collections.abc import Sequence
from typing import Any, Protocol, cast

from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from edison.db.postgresql_driver import PostgresqlDriver
from edison.db.sqlite_driver import SqliteDriver

_FOUND = "edison.driver"


class Driver(Protocol):
    """Parameters and rows are as the driver knows them. Errors are SQLAlchemy's."""

    async def fetch(self, text: str, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """The rows of the statement."""

    async def run(self, text: str, rows: Sequence[Sequence[Any]]) -> None:
        """Executes the statement for each row of parameters."""

    async def count_changes(self, text: str, rows: Sequence[Sequence[Any]]) -> Sequence[int]:
        """The same. Returns how many rows of the table each execution changed."""

    async def insert(self, text: str, columns: Sequence[Sequence[Any]]) -> int:
        """Executes an INSERT of many rows, of which it takes the values by column. Returns how many
        were inserted or updated.
        """


async def find_driver(session: AsyncSession) -> Driver:
    """Of the session's transaction, which begins if it has not."""
    known = session.info.get(_FOUND)
    transaction = session.sync_session.get_transaction()
    if known is None or transaction is None or known[0]() is not transaction:
        connection = await session.run_sync(Session.connection)
        is_sqlite = connection.dialect.name == "sqlite"
        driver = (SqliteDriver if is_sqlite else PostgresqlDriver)(connection)
        begun = weakref.ref(session.sync_session.get_transaction())
        known = session.info[_FOUND] = begun, driver
    return cast(Driver, known[1])
