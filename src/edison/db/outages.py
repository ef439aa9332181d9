"""Which failures of a database pass by themselves, and what they are called for people."""

import socket

from sqlalchemy.exc import DBAPIError
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
    """Whether waiting may help: the database is gone, starting, full, full of locks or out of
    slots.
    """
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _says(error, _NO_SPACE + _LOCKED + _AWAY)
    return isinstance(error, PoolTimeout | ConnectionError | TimeoutError | socket.gaierror)


def name_outage(error: BaseException) -> str:
    """A sentence for people who wait for its end."""
    if _says(error, _NO_SPACE):
        return "The disk is full."
    if _says(error, _LOCKED):
        return "The database is locked."
    return "The database does not answer."


def _says(error: BaseException, signs: tuple[str, ...]) -> bool:
    text = str(error.orig if isinstance(error, DBAPIError) else error).lower()
    return any(sign in text for sign in signs)
