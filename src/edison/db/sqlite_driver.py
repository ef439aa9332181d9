"""SQLite connections with at most one switch to the connection's thread per statement.

aiosqlite switches threads to open the cursor, execute, fetch and close the cursor, and the pool
again for a rollback after the commit. In a busy process the switches take longer than the work.
Statements known to be quick run in the event loop without a switch: only the start and the commit
of a writing transaction can wait for a lock or for the disk.

Uses private attributes of aiosqlite and of SQLAlchemy's adapter.
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
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import await_


class _Executed(NamedTuple):
    """Attributes and rows of a cursor, read right after its statement."""

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
        """No-op: the cursor is already closed."""

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
            if adapted.is_inline:
                executed = what(driver._conn, operation, parameters)
            else:
                executed = await_(driver._execute(what, driver._conn, operation, parameters))
        except Exception as error:
            adapted._handle_exception(error)
        self._cursor = cast(Any, executed)
        self._rows = deque(executed.rows)


class _Connection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ("is_inline", "is_reading")
    _cursor_cls = _Cursor

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self.is_inline = False
        self.is_reading = False

    def commit(self) -> None:
        """Commits a reading transaction in the event loop."""
        driver: Any = self._connection
        if self.is_reading and driver._connection:
            driver._conn.commit()
        else:
            super().commit()

    def rollback(self) -> None:
        driver: Any = self._connection
        if driver._connection and driver.in_transaction:
            super().rollback()

    async def _terminate_graceful_close(self) -> None:
        """Closes in one step: the thread ends with it, and answers nothing that comes later."""
        driver: Any = self._connection
        if driver._running and (closed := driver.stop()):
            await closed

    def _terminate_force_close(self) -> None:
        """Closes without waiting. A task cancelled twice gets here while it is closing already."""
        driver: Any = self._connection
        if driver._running:
            driver.stop()


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
def run_inline(connection: Connection) -> Iterator[None]:
    """Runs the block's statements in the event loop. They must be short and wait for no lock."""
    adapted = connection.connection.dbapi_connection
    if not isinstance(adapted, _Connection):
        yield
        return
    was_inline, adapted.is_inline = adapted.is_inline, True
    try:
        yield
    finally:
        adapted.is_inline = was_inline


class SqliteDriver:
    """Runs statements in the event loop: they must be short and wait for no lock."""

    def __init__(self, connection: Connection) -> None:
        adapted: Any = connection.connection.dbapi_connection
        self._connection: sqlite3.Connection = adapted._connection._conn

    async def fetch(self, text: str, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        with _wrapping_errors(text):
            return self._connection.execute(text, values).fetchall()

    async def run(self, text: str, rows: Sequence[Sequence[Any]]) -> None:
        with _wrapping_errors(text):
            self._connection.executemany(text, rows)

    async def count_changes(self, text: str, rows: Sequence[Sequence[Any]]) -> Sequence[int]:
        with _wrapping_errors(text):
            execute = self._connection.cursor().execute
            return [execute(text, row).rowcount for row in rows]

    async def insert(self, text: str, columns: Sequence[Sequence[Any]]) -> int:
        with _wrapping_errors(text):
            rows = zip(*columns, strict=True)
            return self._connection.executemany(text, rows).rowcount


@contextmanager
def _wrapping_errors(statement: str) -> Iterator[None]:
    """Raises the driver's errors as SQLAlchemy's."""
    try:
        yield
    except sqlite3.Error as error:
        raise DBAPIError.instance(
            statement, None, error, sqlite3.Error, hide_parameters=True
        ) from error


def begin(connection: Connection, *, writes: bool) -> None:
    """Begins a transaction. A writing one waits here for the write lock: in the connection's
    thread, if another process has it.
    """
    adapted: Any = connection.connection.dbapi_connection
    adapted.is_reading = not writes
    driver = adapted._connection._conn
    if not writes:
        with _wrapping_errors("BEGIN"):
            driver.execute("BEGIN")
    elif not _takes_free_lock(driver):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _takes_free_lock(connection: sqlite3.Connection) -> bool:
    """Begins a writing transaction, unless it would have to wait."""
    (patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0")
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout={patience}")
    return True


def make_few_trips(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "do_connect")
    def _connect(
        dialect: Dialect, _entry: ConnectionPoolEntry, args: list[Any], options: dict[str, Any]
    ) -> _Connection:
        made: Any = dialect.connect(*args, **options)
        return _Connection(made.dbapi, made._connection)
