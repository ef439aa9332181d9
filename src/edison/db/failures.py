"""Error messages for operators: why a database or a file cannot be used."""

import errno
import socket
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

_BY_SQLSTATE = {
    "28P01": "PostgreSQL refuses the user name or password in EDISON_DATABASE_URL.",
    "28000": "PostgreSQL refuses the user name or password in EDISON_DATABASE_URL.",
    "3D000": "PostgreSQL has no database of the name in EDISON_DATABASE_URL: create it first.",
    "42501": "The PostgreSQL user in EDISON_DATABASE_URL may not do this.",
    "53100": "The disk of the PostgreSQL server is full.",
    "53300": "PostgreSQL has no connection left: raise its max_connections.",
    "57P03": "PostgreSQL is starting or stopping: try again in a moment.",
}

_BY_SQLITE_TEXT = {
    "file is not a database": "The database file is not an SQLite database, or it is damaged: "
    "restore a backup with `edison restore`, or choose another --data-dir.",
    "malformed": "The database file is damaged: restore a backup with `edison restore`.",
    "disk is full": "The disk is full.",
    "unable to open database file": "The database file cannot be opened: check that it and its "
    "directory belong to the user who runs Edison.",
    "readonly": "The database file cannot be written to: check its owner and that its file system "
    "is not read-only.",
    "disk i/o error": "The database file cannot be read or written: check the disk.",
    "locked": "Another process has locked the database: try again when it is done.",
}

_BY_ERRNO = {
    errno.ENOSPC: "The disk is full",
    errno.EDQUOT: "The disk quota is used up",
    errno.EROFS: "The file system is read-only",
    errno.EACCES: "There is no permission to use a file",
    errno.EPERM: "There is no permission to use a file",
    errno.ENOTDIR: "A directory is needed where there is a file",
    errno.EISDIR: "A file is needed where there is a directory",
    errno.ENOENT: "A file or directory is missing",
}


def explain(error: BaseException) -> str | None:
    """A message without secrets; None for an error that does not concern a database or a file."""
    for each in _chain(error):
        if sentence := _explain_one(each):
            return sentence
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and the driver's original error."""
    yield error
    if isinstance(error, DBAPIError) and error.orig is not None:
        yield error.orig
        if error.orig.__cause__ is not None:
            yield error.orig.__cause__


def _explain_one(error: BaseException) -> str | None:
    if sentence := _BY_SQLSTATE.get(str(getattr(error, "sqlstate", ""))):
        return sentence
    if isinstance(error, ArgumentError | NoSuchModuleError):
        return "EDISON_DATABASE_URL cannot be understood: it is postgresql://… or sqlite:///…."
    if isinstance(error, DBAPIError | sqlite3.Error):
        text = str(error.orig if isinstance(error, DBAPIError) else error).lower()
        return next((said for sign, said in _BY_SQLITE_TEXT.items() if sign in text), None)
    return _explain_system(error) if isinstance(error, OSError) else None


def _explain_system(error: OSError) -> str | None:
    if isinstance(error, socket.gaierror):
        return "The host in EDISON_DATABASE_URL is not known: check its spelling."
    if isinstance(error, ConnectionError | TimeoutError):
        return (
            "The database does not answer: check EDISON_DATABASE_URL and that the database "
            "server is running."
        )
    if error.errno not in _BY_ERRNO:
        return None
    where = "" if error.filename is None else f" ({error.filename})"
    return f"{_BY_ERRNO[error.errno]}{where}."
