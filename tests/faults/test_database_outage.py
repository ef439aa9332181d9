"""During a database outage requests are refused with 503; afterwards they succeed again."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from edison.db import migrate
from edison.settings import Settings
from tests.support import postgres
from tests.support.browser import error_of
from tests.support.empty_databases import MakeDatabase
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import RunningServer, running_server
from tests.support.stoppable_postgres import StoppablePostgres, stoppable_postgres

UNKNOWN_USER = {"email": "unknown@example.org", "password": "Analytical-Engine-1843!"}


def make_settings(url: str, signing_key: str, tmp_path: Path) -> Settings:
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    return Settings(
        data_dir=tmp_path / "data",
        database_url=url.replace("+aiosqlite", ""),
        jwt_private_key=signing_key,
        requests_per_minute=100_000,
        login_attempts=100_000,
    )


def sign_in(server: RunningServer) -> httpx.Response:
    """A request that reads and writes; without a database the user cannot be looked up."""
    return httpx.post(f"{server.url}/api/v1/auth/login", json=UNKNOWN_USER, timeout=20)


def check_refused(response: httpx.Response) -> None:
    assert response.status_code == 503, response.text
    assert error_of(response)["code"] == "SERVICE_UNAVAILABLE"
    assert int(response.headers["retry-after"]) > 0


def wait_for_recovery(server: RunningServer) -> set[int]:
    """Every status until requests succeed again."""
    seen = set()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        seen.add(status := sign_in(server).status_code)
        if status == 401:
            return seen
    pytest.fail(f"no recovery: {seen}\n{server.log.read_text()[-3000:]}")


@pytest.fixture
def own_postgres() -> Iterator[StoppablePostgres]:
    with stoppable_postgres() as server:
        yield server


def test_requests_recover_after_a_postgresql_outage(
    own_postgres: StoppablePostgres, signing_key: str, tmp_path: Path
) -> None:
    url = asyncio.run(postgres.create_database(own_postgres.url, "edison"))
    settings = make_settings(
        url.replace("postgresql:", "postgresql+asyncpg:"), signing_key, tmp_path
    )
    with running_server(settings) as server:
        assert sign_in(server).status_code == 401
        own_postgres.crash()
        for _ in range(3):
            check_refused(sign_in(server))
        health = httpx.get(f"{server.url}/api/health", timeout=PATIENCE_SECONDS)
        assert (health.status_code, health.json()["database"]) == (503, "unhealthy")
        # Requests continue while the server starts, and reach it in every state.
        starting = threading.Thread(target=own_postgres.start)
        starting.start()
        seen = wait_for_recovery(server)
        starting.join()
        assert seen <= {401, 503}
        assert httpx.get(f"{server.url}/api/readiness", timeout=PATIENCE_SECONDS).json()["ready"]
        server.stop()
        assert "Traceback" not in server.log.read_text()


def test_a_locked_sqlite_file_is_waited_for_and_then_refused(
    make_database: MakeDatabase, signing_key: str, tmp_path: Path
) -> None:
    url = make_database("sqlite")
    settings = make_settings(url, signing_key, tmp_path)
    overrides = {"edison.db.engine:BUSY_TIMEOUT_SECONDS": 0.5}
    with (
        running_server(settings, overrides=overrides) as server,
        closing(sqlite3.connect(url.partition(":///")[2], isolation_level=None)) as other,
    ):
        # With so short a wait, a busy machine may refuse a request to an idle database.
        wait_for_recovery(server)
        other.execute("BEGIN EXCLUSIVE")
        check_refused(sign_in(server))
        # Readers are not affected.
        assert (
            httpx.get(f"{server.url}/api/health", timeout=PATIENCE_SECONDS).json()["status"] == "ok"
        )
        other.execute("ROLLBACK")
        assert wait_for_recovery(server) <= {401, 503}
