"""Databases of both kinds for tests of jobs, independent of `--db`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Table, text

from edison.app.tables import metadata
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs import heartbeat
from edison.jobs.models import WorkerProcess
from tests.support.empty_databases import empty_url, make_database, postgres_server

__all__ = ["empty_url", "make_database", "postgres_server"]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """On SQLite, with every table."""
    database = Database(open_engine(f"sqlite+aiosqlite:///{tmp_path}/jobs.db"))
    async with database.engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    yield database
    await database.close()


@pytest.fixture
async def listed(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A database with the table of processes and a table `notes` for their writes. The hooks for
    dead processes are left out, as their tables do not exist.
    """
    monkeypatch.setattr(heartbeat.on_lost, "listeners", ())
    database = Database(open_engine(empty_url))
    processes = WorkerProcess.__table__
    assert isinstance(processes, Table)
    async with database.engine.begin() as connection:
        await connection.run_sync(processes.create)
        await connection.execute(text("CREATE TABLE notes (text VARCHAR(80) NOT NULL UNIQUE)"))
    yield database
    await database.close()
