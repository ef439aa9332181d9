"""At most one server per SQLite database: a lock file next to it, held while the server runs.

The kernel releases the lock when the process ends, so a killed server leaves nothing to clean up.
The content of the file is only used in the error message of the second process.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from edison.kit.errors import Conflict

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from edison.settings import Settings


class AlreadyRunning(Conflict):
    """Another server uses the database."""

    code = "ALREADY_RUNNING"


class ServerLock:
    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def write_address(self, url: str) -> None:
        """Writes the server's address into the lock file, for the error message of a second
        server.
        """
        if self._descriptor is not None:
            content = json.dumps({"pid": os.getpid(), "url": url}).encode()
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, content, 0)


@contextmanager
def server_lock(settings: "Settings") -> Iterator[ServerLock]:
    """Raises AlreadyRunning. A no-op on PostgreSQL, which supports several servers."""
    path = settings.sqlite_path
    if sys.platform == "win32" or path is None:
        yield ServerLock(None)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.with_name(f"{path.name}.lock")
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(_describe(file, path)) from None
        lock = ServerLock(descriptor)
        lock.write_address("")
        yield lock
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def find_server(settings: "Settings") -> str | None:
    """The address of the server that runs on this database; None when there is none."""
    path = settings.sqlite_path
    if sys.platform == "win32" or path is None:
        return None
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        try:
            url = json.loads(os.pread(descriptor, 4096, 0))["url"]
        except (ValueError, KeyError, TypeError):
            return None
        return str(url) or None
    finally:
        os.close(descriptor)
    return None


def _describe(file: Path, database: Path) -> str:
    try:
        holder = json.loads(file.read_text())
        where = f"at {holder['url']} " if holder["url"] else ""
        running = f"{where}(process {holder['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        running = "(starting)"
    return (
        f"Edison is already running {running} on {database}. SQLite supports one server: "
        "use that one, stop it, or set another --data-dir."
    )
