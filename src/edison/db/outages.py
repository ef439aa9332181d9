"""Transient database failures: detection and messages for users."""

import socket

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_NO_SPACE = ("disk is full", "no space left", "disk full")
_LOCKED = ("locked", "deadlock")
_AWAY = (
    "unable to open",
    "readonly",
    "disk",
    "connection",
    "starting up",
    "shutting down",
    "too many clients",
    "cannot connect",
)


def is_outage(error: BaseException) -> bool:
    """Whether a retry may succeed: the database is unreachable, starting, locked, out of disk space
    or out of connections.
    """
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _says(error, _NO_SPACE + _LOCKED + _AWAY)
    return isinstance(error, PoolTimeout | ConnectionError | TimeoutError | socket.gaierror)


def connection_losses() -> tuple[type[Exception], ...]:
    """Errors of PostgreSQL connections that are used without SQLAlchemy: the driver's own are
    raised, too.
    """
    import asyncpg  # type: ignore[import-untyped]  # ships no types

    return (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


def name_outage(error: BaseException) -> str:
    """A message for users."""
    if _says(error, _NO_SPACE):
        return "The disk is full."
    if _says(error, _LOCKED):
        return "The database is locked."
    return "The database does not answer."


def _says(error: BaseException, signs: tuple[str, ...]) -> bool:
    text = str(error.orig if isinstance(error, DBAPIError) else error).lower()
    return any(sign in text for sign in signs)
