"""SQLite's connections, with at most one trip to the connection's thread for each statement.

The driver makes a trip for the cursor, one for the statement, one for its rows and one to close the
cursor, and the pool one more to roll back what has been committed. In a busy process the trips take
longer than what is done at their ends, and each has to wait for its turn. Statements that are known
to be quick make none: what may wait, for a lock or for the disk, is the beginning and the end of a
transaction that writes.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, event
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import await_


class _Executed(NamedTuple):
    """What is left of a cursor after its statement: all that is asked of it, and its rows."""

    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None
    rows: Sequence[Any] = ()


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    __slots__ = ()

    def _make_new_cursor(self, connection: Any) -> Any:
        return _Executed()

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor

    async def _async_soft_close(self) -> None:
        """Nothing is open."""

    def close(self) -> None:
        self._rows.clear()

    def execute(self, operation: Any, parameters: Any = None) -> None:
        self._run(_execute, operation, parameters)

    def executemany(self, operation: Any, seq_of_parameters: Any) -> None:
        self._run(_execute_many, operation, seq_of_parameters)

    def _run(self, what: Callable[..., _Executed], operation: Any, parameters: Any) -> None:
        driver: Any = self._connection
        adapted: Any = self._adapt_connection
        try:
            if adapted.is_quick:
                executed = what(driver._conn, operation, parameters)
            else:
                executed = await_(driver._execute(what, driver._conn, operation, parameters))
        except Exception as error:
            adapted._handle_exception(error)
        self._cursor = cast(Any, executed)
        self._rows = deque(executed.rows)


class _Connection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ("is_quick", "is_reading")
    _cursor_cls = _Cursor

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self.is_quick = False
        self.is_reading = False

    def commit(self) -> None:
        """Of a transaction that wrote nothing, at once."""
        driver: Any = self._connection
        if self.is_reading and driver._connection:
            driver._conn.commit()
        else:
            super().commit()

    def rollback(self) -> None:
        driver: Any = self._connection
        if driver._connection and driver.in_transaction:
            super().rollback()


def _execute(connection: sqlite3.Connection, operation: str, parameters: Any) -> _Executed:
    cursor = connection.execute(operation, () if parameters is None else parameters)
    rows = () if cursor.description is None else cursor.fetchall()
    executed = _Executed(cursor.description, cursor.rowcount, cursor.lastrowid, rows)
    cursor.close()
    return executed


def _execute_many(connection: sqlite3.Connection, operation: str, parameters: Any) -> _Executed:
    cursor = connection.executemany(operation, parameters)
    executed = _Executed(None, cursor.rowcount, cursor.lastrowid)
    cursor.close()
    return executed


@contextmanager
def quickly(connection: Connection) -> Iterator[None]:
    """Statements within take no time worth a trip. They wait for no lock."""
    adapted = connection.connection.dbapi_connection
    if not isinstance(adapted, _Connection):
        yield
        return
    was_quick, adapted.is_quick = adapted.is_quick, True
    try:
        yield
    finally:
        adapted.is_quick = was_quick


def begin(connection: Connection, *, writes: bool) -> None:
    """Begin a transaction. Who writes waits here for whoever else does."""
    adapted = connection.connection.dbapi_connection
    if isinstance(adapted, _Connection):
        adapted.is_reading = not writes
    if writes:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        with quickly(connection):
            connection.exec_driver_sql("BEGIN")


def make_few_trips(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "do_connect")
    def _connect(
        dialect: Dialect, _entry: ConnectionPoolEntry, args: list[Any], options: dict[str, Any]
    ) -> _Connection:
        made: Any = dialect.connect(*args, **options)
        return _Connection(made.dbapi, made._connection)
