"""Installations on both databases, independent of `--db`."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from edison.db import migrate
from edison.kit import ids
from tests.faults.engine.installation import (
    CALLS_PER_CREDENTIAL,
    Install,
    Installation,
    installed,
)
from tests.faults.engine.provider import FakeProvider, fake_provider
from tests.support import postgres
from tests.support.empty_databases import Dialect, postgres_server
from tests.support.thorough import IS_THOROUGH

__all__ = ["postgres_server"]

TEMPLATE = "edison_torture_template"
# Where runs are executed on SQLite; `make torture` tries both.
ENGINE = os.environ.get("EDISON_TEST_ENGINE", "process")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Everyday runs use the tests with that mark; `make torture` uses all, for longer."""
    here = Path(__file__).parent
    if IS_THOROUGH:
        return
    left_out = [
        item
        for item in items
        if item.path.is_relative_to(here) and item.get_closest_marker("everyday") is None
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def sqlalchemy_url(url: str) -> str:
    return url.replace("postgresql://", "postgresql+asyncpg://")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    file = folder / "edison.db"
    asyncio.run(migrate.upgrade(f"sqlite+aiosqlite:///{file}", backup_dir=folder))
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    name = f"{TEMPLATE}_{worker}_{ids.new_id().hex}"
    url = asyncio.run(postgres.create_database(postgres_server, name))
    backups = tmp_path_factory.mktemp("backups")
    asyncio.run(migrate.upgrade(sqlalchemy_url(url), backup_dir=backups))
    return name


@pytest.fixture
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Dialect], str]:
    """Makes databases with every table."""

    def make(dialect: Dialect) -> str:
        if dialect == "sqlite":
            file = tmp_path / f"{ids.new_id().hex}.db"
            shutil.copy(request.getfixturevalue("sqlite_template"), file)
            return f"sqlite+aiosqlite:///{file}"
        server: str = request.getfixturevalue("postgres_server")
        template: str = request.getfixturevalue("postgres_template")
        name = f"edison_torture_{ids.new_id().hex}"
        url = asyncio.run(postgres.create_database(server, name, template=template))
        request.addfinalizer(lambda: asyncio.run(postgres.drop_database(server, name)))
        return sqlalchemy_url(url)

    return make


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider() as provider:
        yield provider


@pytest.fixture
def install(
    make_url: Callable[[Dialect], str], provider: FakeProvider, signing_key: str, tmp_path: Path
) -> Iterator[Install]:
    """Starts installations that are stopped at the end of the test."""
    with ExitStack() as running:

        def start(
            dialect: Dialect,
            *,
            url: str | None = None,
            workers: int = 2,
            settings: dict[str, Any] | None = None,
            **options: Any,
        ) -> Installation:
            folder = tmp_path / ids.new_id().hex
            folder.mkdir()
            given = {
                "data_dir": folder / "data",
                "database_url": url or make_url(dialect),
                "jwt_private_key": signing_key,
                "allow_private_addresses": True,
                "requests_per_minute": 1_000_000,
                "requests_per_minute_signed_in": 1_000_000,
                "calls_per_credential": CALLS_PER_CREDENTIAL,
                "sweep_seconds": 0.5,
                "log_format": "json",
                "engine": ENGINE,
                **(settings or {}),
            }
            installation = Installation(
                dialect=dialect,
                database_url=str(given["database_url"]),
                folder=folder,
                settings={f"EDISON_{name.upper()}": str(value) for name, value in given.items()},
                provider=provider,
                **options,
            )
            return running.enter_context(installed(installation, workers=workers))

        yield start
