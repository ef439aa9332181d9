"""PostgreSQL statements without SQLAlchemy's execution, and pings only where they are needed.

Uses private attributes of SQLAlchemy and of its adapter.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any, NoReturn

from sqlalchemy import Connection, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import greenlet_spawn

_RETURNED_AT = "edison.returned_at"
# A connection that was in use a moment ago is not asked whether it still works.
PING_AFTER_SECONDS = 1.0


class _Execution:
    """Stands for SQLAlchemy's execution context, by which listeners recognise a statement."""

    __slots__ = ("__weakref__", "executemany")

    def __init__(self, *, executemany: bool) -> None:
        self.executemany = executemany

    def handle_dbapi_exception(self, _error: BaseException) -> None:
        """Nothing is left to end."""


class PostgresqlDriver:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._adapted: Any = connection.connection.dbapi_connection

    async def fetch(self, text: str, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        found: Sequence[Sequence[Any]] = await self._execute("fetch", text, values)
        return found

    async def count_changes(self, text: str, rows: Sequence[Sequence[Any]]) -> Sequence[int]:
        """In as many trips as there are rows."""
        return [_count(await self._execute("execute", text, row)) for row in rows]

    async def insert(self, text: str, columns: Sequence[Sequence[Any]]) -> int:
        """One statement with an array of each column."""
        return _count(await self._execute("execute", text, columns))

    async def run(self, text: str, rows: Sequence[Sequence[Any]]) -> None:
        execution = _Execution(executemany=True)
        try:
            await self._begin()
            self._tell("before_cursor_execute", text, rows, execution)
            await self._adapted._connection.executemany(text, rows)
            self._tell("after_cursor_execute", text, rows, execution)
        except BaseException as error:
            await self._fail(text, error, execution)

    async def _execute(self, method: str, text: str, values: Sequence[Any]) -> Any:
        execution = _Execution(executemany=False)
        try:
            await self._begin()
            self._tell("before_cursor_execute", text, values, execution)
            answer = await getattr(self._adapted._connection, method)(text, *values)
            self._tell("after_cursor_execute", text, values, execution)
        except BaseException as error:
            await self._fail(text, error, execution)
        return answer

    def _tell(self, event: str, text: str, values: object, execution: _Execution) -> None:
        """Metrics and traces listen to SQLAlchemy's events."""
        getattr(self._connection.dispatch, event)(
            self._connection, None, text, values, execution, execution.executemany
        )

    async def _begin(self) -> None:
        """The adapter begins with the first statement."""
        if self._adapted._transaction is None:
            await self._adapted._start_transaction()

    async def _fail(self, text: str, error: BaseException, execution: _Execution) -> NoReturn:
        """Raises what SQLAlchemy raises, which invalidates a connection that is lost or whose
        statement was cancelled.
        """
        await greenlet_spawn(self._handle, text, error, execution)
        raise error

    def _handle(self, text: str, error: BaseException, execution: _Execution) -> None:
        try:
            raise self._translated(error)  # noqa: TRY301 - SQLAlchemy takes the one being handled
        except BaseException as failure:
            context: Any = execution
            self._connection._handle_dbapi_exception(failure, text, None, None, context)

    def _translated(self, error: BaseException) -> BaseException:
        """The driver's error as the adapter's."""
        if isinstance(error, Exception):
            try:
                self._adapted._handle_exception(error)
            except Exception as translated:
                return translated
        return error


def _count(status: str) -> int:
    """Such as of `INSERT 0 12`."""
    return int(status.rpartition(" ")[2])


def ping_after_rest(engine: AsyncEngine) -> None:
    """Like `pool_pre_ping`, but not for connections that were in use a moment ago: a ping takes
    three statements, more than most transactions.
    """
    sync_engine = engine.sync_engine

    @event.listens_for(sync_engine, "checkin")
    def _note(_connection: object, entry: ConnectionPoolEntry) -> None:
        entry.info[_RETURNED_AT] = monotonic()

    @event.listens_for(sync_engine, "checkout")
    def _ping(connection: Any, entry: ConnectionPoolEntry, _proxy: object) -> None:
        returned_at = entry.info.get(_RETURNED_AT)
        if returned_at is None or monotonic() - returned_at < PING_AFTER_SECONDS:
            return
        dialect = sync_engine.dialect
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error
