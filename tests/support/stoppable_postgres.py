"""A separate PostgreSQL server that can be stopped."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.postgres import SERVER_OPTIONS, SUPERUSER, _Cluster, _free_port, _prepare


class StoppablePostgres:
    def __init__(self, cluster: _Cluster, port: int) -> None:
        self._cluster = cluster
        self._port = port
        self.url = f"postgresql://{SUPERUSER}@127.0.0.1:{port}"

    def start(self) -> None:
        given = {"port": str(self._port), **SERVER_OPTIONS}
        options = " ".join(f"-c {name}={value}" for name, value in given.items())
        log = str(self._cluster.folder / "server.log")
        self._cluster.run("pg_ctl", "start", "-s", "-w", "-l", log, "-o", options)

    def crash(self) -> None:
        """Stops without notice to the clients, like kill -9 or a power cut."""
        self._cluster.run("pg_ctl", "stop", "-s", "-w", "-m", "immediate")


@contextmanager
def stoppable_postgres() -> Iterator[StoppablePostgres]:
    """A running server; it may be stopped or not when the context is left."""
    folder = Path(tempfile.mkdtemp(prefix="edison-pg-"))
    try:
        cluster = _prepare(folder)
        cluster.run("initdb", "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--no-sync")
        server = StoppablePostgres(cluster, _free_port())
        server.start()
        try:
            yield server
        finally:
            if (folder / "cluster" / "postmaster.pid").exists():
                server.crash()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
