"""A fresh, migrated database for every test, quickly: SQLite files are copied, PostgreSQL
databases are cloned once per worker and emptied between tests.
"""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import asyncpg

from edison.app.tables import metadata
from edison.db import migrate
from edison.jobs.distributed import SCHEMA
from tests.support import postgres


class SqliteDatabases:
    """Hands out copies of one migrated file."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template.db"
        asyncio.run(migrate.upgrade(f"sqlite+aiosqlite:///{self._template}", backup_dir=folder))

    def fresh_url(self, folder: Path) -> str:
        target = folder / "edison.db"
        shutil.copy(self._template, target)
        return f"sqlite:///{target}"

    def clean(self, _url: str) -> None:
        """The file is deleted with the test's folder."""


QUEUE = f"{SCHEMA}.pgqueuer"


class PostgresDatabases:
    """One database per worker process, emptied after each test."""

    def __init__(self, server_url: str, worker: str, folder: Path) -> None:
        name = f"edison_{worker}"
        asyncio.run(self._create(server_url, name, folder))
        self._url = postgres.database_url(server_url, name)

    @staticmethod
    async def _create(server_url: str, name: str, folder: Path) -> None:
        await postgres.drop_database(server_url, name)
        url = await postgres.create_database(server_url, name)
        sqlalchemy_url = url.replace("postgresql://", "postgresql+asyncpg://")
        await migrate.upgrade(sqlalchemy_url, backup_dir=folder)

    def fresh_url(self, _folder: Path) -> str:
        return self._url

    def clean(self, url: str) -> None:
        asyncio.run(self._empty(url))

    @staticmethod
    async def _empty(url: str) -> None:
        """Most tables have no rows, and truncating one takes longer than deleting none. Triggers
        are off, so that the order does not matter.
        """
        connection = await asyncpg.connect(url)
        deletions = "; ".join(str(table.delete()) for table in metadata.tables.values())
        await connection.execute(f"SET session_replication_role = replica; {deletions}")
        if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", QUEUE):
            await connection.execute(f"DELETE FROM {QUEUE}")  # noqa: S608 - a constant
        await connection.close()


Databases = SqliteDatabases | PostgresDatabases


def open_databases(dialect: str, *, shared: Path, worker: str, own: Path) -> Iterator[Databases]:
    if dialect == "sqlite":
        yield SqliteDatabases(own)
        return
    with postgres.running_server(shared / "postgres") as server_url:
        yield PostgresDatabases(server_url, worker, own)
