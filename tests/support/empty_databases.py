"""Fixtures for tests that create their own databases, on both servers independent of `--db`.

Import the fixtures into the `conftest.py` of the folder that needs them.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

from edison.kit import ids
from tests.support import postgres

Dialect = Literal["sqlite", "postgresql"]
MakeDatabase = Callable[[Dialect], str]


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The session's server: the one that `--db postgresql` uses too."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with postgres.running_server(shared / "postgres") as url:
        yield url


@pytest.fixture
def make_database(request: pytest.FixtureRequest, tmp_path: Path) -> MakeDatabase:
    """Creates empty databases; returns a SQLAlchemy URL."""

    def make(dialect: Dialect) -> str:
        name = f"edison_test_{ids.new_id().hex}"
        if dialect == "sqlite":
            return f"sqlite+aiosqlite:///{tmp_path / name}.db"
        server: str = request.getfixturevalue("postgres_server")
        url = asyncio.run(postgres.create_database(server, name))
        request.addfinalizer(lambda: asyncio.run(postgres.drop_database(server, name)))
        return url.replace("postgresql://", "postgresql+asyncpg://")

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, make_database: MakeDatabase) -> str:
    """An empty database of each kind."""
    return make_database(request.param)
